// The ws package for Node, as a chat client. usage: node.js ws://HOST/ws COOKIE
// Prints one JSON object with what it saw.
const { WebSocket } = require("ws");
const [url, cookie] = process.argv.slice(2);

const open = (then) => new Promise((resolve, reject) => {
  const ws = new WebSocket(url, { headers: { Cookie: cookie } });
  const got = { frames: [], pinged: 0, code: 0 };
  ws.on("error", reject);
  ws.on("open", () => then(ws));
  ws.on("pong", () => got.pinged++);
  ws.on("message", (data, binary) => {
    const frame = JSON.parse(data.toString());
    if (frame.type === "ping") return ws.send('{"type":"pong"}');
    got.frames.push(frame);
    if (frame.type === "done") ws.close(1000);
  });
  ws.on("close", (code) => { got.code = code; resolve(got); });
});

const refused = () => new Promise((resolve) => {
  const ws = new WebSocket(url);
  ws.on("unexpected-response", (_, response) => { resolve(response.statusCode); ws.terminate(); });
  ws.on("error", () => {});
});

const foreign = () => new Promise((resolve) => {
  const ws = new WebSocket(url, { headers: { Cookie: cookie }, origin: "http://elsewhere.example" });
  ws.on("unexpected-response", (_, response) => { resolve(response.statusCode); ws.terminate(); });
  ws.on("error", () => {});
});

(async () => {
  const chat = await open((ws) => ws.send(JSON.stringify({ type: "chat", text: "hello from node", source: "text" })));
  const fragments = await open((ws) => {
    ws.send('{"type":"chat",', { fin: false });
    ws.ping("between");
    ws.send('"text":"in pieces"}', { fin: true });
  });
  const resumed = await open((ws) => ws.send(JSON.stringify({ type: "resume", last_seq: chat.frames[0].seq })));
  const large = await open((ws) => ws.send("x".repeat(1 << 20)));
  const binary = await open((ws) => ws.send(Buffer.from([1, 2, 3])));
  console.log(JSON.stringify({ chat, fragments, resumed, large: large.code, binary: binary.code,
    stranger: await refused(), foreign: await foreign() }));
})().catch((err) => { console.error(err); process.exit(1); });
