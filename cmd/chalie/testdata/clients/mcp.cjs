// Speaks MCP with the client of the protocol's own TypeScript SDK, and reports what came.
//   node mcp.cjs stdio COMMAND ARG…
//   node mcp.cjs http URL TOKEN
// CHALIE_MCP_CLIENTS is the folder of node modules with the SDK.
const {createRequire} = require('node:module')
const sdk = createRequire(process.env.CHALIE_MCP_CLIENTS + '/of.js')
const {Client} = sdk('@modelcontextprotocol/sdk/client/index.js')
const {StdioClientTransport} = sdk('@modelcontextprotocol/sdk/client/stdio.js')
const {StreamableHTTPClientTransport} = sdk('@modelcontextprotocol/sdk/client/streamableHttp.js')
const {ElicitRequestSchema, ToolListChangedNotificationSchema} = sdk('@modelcontextprotocol/sdk/types.js')

const report = {forms: [], progress: 0, errors: []}

async function connect(name, answers) {
  const client = new Client({name, version: '1'}, {capabilities: answers ? {elicitation: {}} : {}})
  if (answers) {
    client.setRequestHandler(ElicitRequestSchema, async r => {
      report.forms.push(r.params.message)
      return answers.shift()
    })
  }
  const [how, to, ...more] = process.argv.slice(2)
  await client.connect(how === 'http'
    ? new StreamableHTTPClientTransport(new URL(to), {requestInit: {headers: {Authorization: 'Bearer ' + more[0]}}})
    : new StdioClientTransport({command: to, args: more, env: process.env}))
  return client
}

const text = r => r.content.map(c => c.text).join('\n')

async function main() {
  const yes = {action: 'accept', content: {approve: true}}, no = {action: 'decline'}
  const c = await connect('Foreign Client', [yes, no])
  const changed = new Promise(resolve => c.setNotificationHandler(ToolListChangedNotificationSchema, resolve))
  report.server = c.getServerVersion().name
  const tools = (await c.listTools()).tools
  report.tools = tools.map(t => t.name)
  report.annotations = Object.fromEntries(tools.map(t => [t.name, t.annotations.readOnlyHint]))
  report.plans = text(await c.callTool({name: 'plans', arguments: {}}))
  const done = await c.callTool({name: 'remind', arguments: {what: 'call the dentist', when: 'tomorrow at 9'}}, undefined, {onprogress: () => { report.progress++ }})
  report.reminded = text(done)
  report.why = (await c.readResource({uri: done._meta['chalie/why']})).contents.map(x => [x.mimeType, x.text])
  report.refused = text(await c.callTool({name: 'remind', arguments: {what: 'buy milk', when: 'tomorrow at 10'}}))
  report.planned = (await c.readResource({uri: 'chalie://plans'})).contents.map(x => [x.mimeType, x.text])
  report.world = (await c.readResource({uri: 'chalie://world'})).contents.map(x => [x.mimeType, x.text])
  report.traces = (await c.readResource({uri: 'chalie://traces'})).contents[0].text
  report.trace = (await c.readResource({uri: 'chalie://trace/' + done._meta['chalie/id']})).contents[0].text
  report.prompt = (await c.getPrompt({name: 'why_did_you', arguments: {what: done._meta['chalie/id']}})).messages
  report.told = text(await c.callTool({name: 'tell_person', arguments: {text: 'the build is green'}}))
  report.outcome = text(await c.callTool({name: 'outcome_of', arguments: {id: done._meta['chalie/id']}}))
  report.wrong = await c.callTool({name: 'remind', arguments: {nonsense: 1}})
  for (const bad of [() => c.callTool({name: 'no_such_tool', arguments: {}}), () => c.readResource({uri: 'chalie://trace/nothing'}), () => c.readResource({uri: 'file:///etc/passwd'})]) {
    try { await bad(); report.errors.push(null) } catch (e) { report.errors.push(String(e.message)) }
  }
  process.stdout.write(JSON.stringify({ready: true}) + '\n')
  process.stdin.resume() // the test pairs an interface meanwhile
  await changed
  report.after = (await c.listTools()).tools.map(t => t.name)
  await c.close()
  process.stdout.write(JSON.stringify(report) + '\n')
  process.exit(0)
}
main().catch(e => { console.error(e); process.exit(1) })
