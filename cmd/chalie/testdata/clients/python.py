"""The websockets package for Python, as a chat client.

usage: python.py ws://HOST/ws COOKIE. Prints one JSON object with what it saw.
"""
import asyncio
import json
import sys

import websockets

url, cookie = sys.argv[1:]


async def open_(then, cookie=cookie, **options):
    got = {"frames": [], "pinged": 0, "code": 0}
    async with websockets.connect(url, extra_headers={"Cookie": cookie}, **options) as ws:
        await then(ws, got)
        try:
            async for text in ws:
                frame = json.loads(text)
                if frame["type"] == "ping":
                    await ws.send('{"type":"pong"}')
                    continue
                got["frames"].append(frame)
                if frame["type"] == "done":
                    await ws.close(1000)
        except websockets.ConnectionClosed:
            pass
        got["code"] = ws.close_code
    return got


def sends(text):
    async def then(ws, got):
        await ws.send(text)
    return then


async def in_pieces(ws, got):
    async def pieces():
        yield '{"type":"chat",'
        await (await ws.ping(b"between"))
        got["pinged"] += 1
        yield '"text":"in pieces"}'
    # Reading must go on for the pong to be seen.
    await ws.send(pieces())


async def status(**options):
    try:
        async with websockets.connect(url, **options):
            return 101
    except websockets.InvalidStatusCode as refused:
        return refused.status_code


async def main():
    chat = await open_(sends(json.dumps({"type": "chat", "text": "hello from python", "source": "text"})))
    fragments = await open_(in_pieces)
    resumed = await open_(sends(json.dumps({"type": "resume", "last_seq": chat["frames"][0]["seq"]})))
    large = await open_(sends("x" * (1 << 20)))
    binary = await open_(sends(bytes([1, 2, 3])))
    print(json.dumps({
        "chat": chat, "fragments": fragments, "resumed": resumed, "large": large["code"], "binary": binary["code"],
        "stranger": await status(),
        "foreign": await status(extra_headers={"Cookie": cookie}, origin="http://elsewhere.example"),
    }))


asyncio.run(main())
