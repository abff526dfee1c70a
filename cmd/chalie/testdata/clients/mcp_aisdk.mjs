// @ai-sdk/mcp, a client that shares no code with the SDK. usage: mcp_aisdk.mjs stdio|http,
// with the environment that TestMCPClientThatLooksForVersions sets.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [over] = process.argv.slice(2);
const require = createRequire(process.env.CHALIE_MCP_CLIENTS + "/x.js");
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { createMCPClient } = await load("@ai-sdk/mcp");
const { StdioMCPTransport } = await load("@ai-sdk/mcp/mcp-stdio");

const transport = over === "stdio"
  ? new StdioMCPTransport({ command: "chalie", args: ["mcp", "--for-me", "--data", process.env.CHALIE_DATA], env: process.env })
  : { type: "http", url: process.env.CHALIE_URL + "/mcp", headers: { Authorization: "Bearer " + process.env.CHALIE_TOKEN } };
const client = await createMCPClient({ transport, clientName: "agent-" + over });
console.log("BEGUN " + JSON.stringify({ version: client.initializeResult.protocolVersion, server: client.serverInfo }));
const tools = await client.tools();
assert.ok(tools.remind && tools.ask_chalie, Object.keys(tools).join());
const plans = await tools.plans.execute({}, { messages: [], toolCallId: "1" });
console.log("PLANS " + JSON.stringify(plans.content));
const { resources } = await client.listResources();
const { resourceTemplates } = await client.listResourceTemplates();
assert.ok(resources.length >= 2 && resourceTemplates.length >= 2);
const world = await client.readResource({ uri: "chalie://world" });
JSON.parse(world.contents.find((c) => c.mimeType === "application/json").text);
const prompts = await client.listPrompts();
assert.equal(prompts.prompts.length, 1);
const answer = await client.callTool({ name: "ask_chalie", arguments: { text: "What is planned for tomorrow?" } });
console.log("ANSWER " + JSON.stringify(answer.content));
assert.ok(!answer.isError);
await client.getPrompt({ name: prompts.prompts[0].name });
await assert.rejects(client.readResource({ uri: "chalie://nothing" }));
await client.close();
console.log("END");
process.exit(0);
