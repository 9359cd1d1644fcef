// A server on the small Node core that the targets name. argv: tools.json, socket, token, path of the core as one ES module.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { relay } from "./relay.mjs";

const [tools, socket, token, core] = process.argv.slice(2);
const { runJsonRpcStdioServer } = await import(pathToFileURL(core).href);
const list = { tools: JSON.parse(readFileSync(tools, "utf8")) };
const initialized = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "core", version: "1" },
};

async function answer({ id, method, params }) {
  const result = (value) => ({ jsonrpc: "2.0", id, result: value });
  if (id === undefined) return undefined;
  if (method === "initialize") return result(initialized);
  if (method === "ping") return result({});
  if (method === "tools/list") return result(list);
  if (method !== "tools/call") return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
  const outcome = await relay(socket, { kind: "status", v: 1, token, ...params.arguments });
  return result({ content: [{ type: "text", text: JSON.stringify(outcome) }], structuredContent: outcome });
}

await runJsonRpcStdioServer({
  input: process.stdin,
  output: process.stdout,
  handler: answer,
  handlerOptions: {},
  idleTimeoutMs: 0,
});
