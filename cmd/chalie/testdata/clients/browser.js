// A page's own WebSocket, as a chat client. The page is Chalie's, so it has the
// session's cookie. Resolves to JSON of what it saw.
(async () => {
  const url = "ws://" + location.host + "/ws";
  const open = (then) => new Promise((resolve, reject) => {
    const ws = new WebSocket(url);
    const got = { frames: [], pinged: 0, code: 0 };
    ws.onopen = () => then(ws);
    ws.onmessage = (event) => {
      const frame = JSON.parse(event.data);
      if (frame.type === "ping") return ws.send('{"type":"pong"}');
      got.frames.push(frame);
      if (frame.type === "done") ws.close(1000);
    };
    ws.onclose = (event) => { got.code = event.code; resolve(got); };
  });
  const chat = await open((ws) => ws.send(JSON.stringify({ type: "chat", text: "hello from a page", source: "text" })));
  const resumed = await open((ws) => ws.send(JSON.stringify({ type: "resume", last_seq: chat.frames[0].seq })));
  const large = await open((ws) => ws.send("x".repeat(1 << 20)));
  const binary = await open((ws) => ws.send(new Uint8Array([1, 2, 3])));
  return JSON.stringify({ chat, resumed, large: large.code, binary: binary.code });
})()
