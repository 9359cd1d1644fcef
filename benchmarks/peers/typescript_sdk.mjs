// The official TypeScript SDK's low-level server. Copied beside its node_modules before it runs. argv: tools.json, socket, token.
import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { relay } from "./relay.mjs";

const [tools, socket, token] = process.argv.slice(2);
const list = { tools: JSON.parse(readFileSync(tools, "utf8")) };
const server = new Server({ name: "typescript-sdk", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => list);
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const outcome = await relay(socket, { kind: "status", v: 1, token, ...request.params.arguments });
  return { content: [{ type: "text", text: JSON.stringify(outcome) }], structuredContent: outcome };
});
await server.connect(new StdioServerTransport());
