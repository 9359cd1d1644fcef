// The smallest MCP server that plain Node allows: readline and JSON.parse, no package. Lines only.
// Stands in for the small cores on which agent plug-ins build their servers. argv: tools.json, socket, token.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { relay } from "./relay.mjs";

const [tools, socket, token] = process.argv.slice(2);
const list = { tools: JSON.parse(readFileSync(tools, "utf8")) };
const initialized = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "minimal", version: "1" },
};

const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");

async function call(id, params) {
  const outcome = await relay(socket, { kind: "status", v: 1, token, ...params.arguments });
  const content = [{ type: "text", text: JSON.stringify(outcome) }];
  send({ id, result: { content, structuredContent: outcome } });
}

function serve(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return send({ id: null, error: { code: -32700, message: "Parse error" } });
  }
  const { id, method, params } = message;
  if (id === undefined) return;
  if (method === "initialize") send({ id, result: initialized });
  else if (method === "ping") send({ id, result: {} });
  else if (method === "tools/list") send({ id, result: list });
  else if (method === "tools/call") call(id, params).catch((e) => send({ id, error: { code: -32603, message: `${e}` } }));
  else send({ id, error: { code: -32601, message: "Method not found" } });
}

createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", serve);
