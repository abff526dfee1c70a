"""Calls everything that the Brain SDK calls, and what programs call besides.

    python3 check.py SOCKET

It ends with 0 and prints "sound" when every answer is as it should be. The server must be a fresh one.
"""
import concurrent.futures
import json
import re
import sys
import threading

from client import Brain, BrainError, TransportError, new_id

ISO = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+\d\d:\d\d|Z)$")


def wants(condition, what):
    if not condition:
        raise AssertionError(what)


def fails(category, call, *args, code=None, **kwargs):
    try:
        out = call(*args, **kwargs)
    except BrainError as e:
        wants(e.category == category, "%s is of category %s, not %s" % (e, e.category, category))
        wants(code is None or e.code == code, "%s has the code %s, not %s" % (e, e.code, code))
        return e
    raise AssertionError("%r should be refused as %s" % (out, category))


def health(brain):
    h = brain.health()
    wants(isinstance(h["ready"], bool) and h["services"] and h["resources"], "health is %r" % h)
    for part in (h["services"], h["resources"]):
        for name, value in part.items():
            wants(isinstance(value["ready"], bool) and isinstance(value["detail"], str), "%s is %r" % (name, value))


def chat(brain):
    for profile in ("quick", "standard", "deep"):
        said = brain.chat("What is 12 times 12?", profile=profile)
        wants("144" in said["text"] and said["provider"] and said["model"], "the answer is %r" % said)
    fails("validation", brain.chat, "hello", profile="huge")
    fails("validation", brain.chat, "  ")
    meta = {"envelope_id": new_id(), "trace_id": new_id()}
    first = brain.chat("Remember that my dentist is Dr Okafor", **meta)
    wants(brain.chat("Remember that my dentist is Dr Okafor", **meta) == first, "a repeat is answered otherwise")
    wants(brain.chat("Remember that my dentist is Dr Okafor", envelope_id=meta["envelope_id"]) == first, "a repeat with a new trace_id is answered otherwise")
    fails("conflict", brain.chat, "Remember something else", **meta)
    again = brain.chat("What is my dentist's name?", trace_id=meta["trace_id"], parent_id=meta["envelope_id"])
    wants("Okafor" in again["text"], "the dentist is %r" % again)


def vault(brain):
    for params in ({"action": "create", "list": "Shopping"}, {"action": "add", "list": "Shopping", "item": "oat milk"}):
        try:
            brain.invoke("chalie/list", params)
        except BrainError:
            pass  # the first is answered with a question where lists are made by adding
    brain.invoke("chalie/remind", {"what": "water the roses", "when": "tomorrow at 9"})
    top = brain.list("")
    wants([e["path"] for e in top] == ["lists", "memories", "notes", "plans"], "the vault has %r" % top)
    wants(all(e["entry_type"] == "directory" and ISO.match(e["created_at"]) for e in top), "folders are %r" % top)
    for folder, word in (("lists", "oat milk"), ("memories", "Okafor"), ("plans", "roses")):
        entries = brain.list(folder)
        wants(len(entries) == 1 and entries[0]["entry_type"] == "file", "%s has %r" % (folder, entries))
        one = brain.get(entries[0]["path"])
        wants(word in one["content"] and one["size_bytes"] == len(one["content"].encode()) and ISO.match(one["updated_at"]) and one["revision"], "it is %r" % one)
        wants(brain.search(word, scope=folder)[0]["path"] == one["path"], "%s isn't found" % word)
    note = brain.write("notes/garden/roses.md", "# Roses\n\nPrune them in March.\n", revision="")
    wants(brain.get("notes/garden/roses.md") == note, "the note is read otherwise than written")
    fails("conflict", brain.write, "notes/garden/roses.md", "other", revision="")
    later = brain.write("notes/garden/roses.md", "# Roses\n\nPrune them in February.\n", revision=note["revision"])
    wants(later["revision"] != note["revision"] and later["created_at"] == note["created_at"], "the second version is %r" % later)
    fails("conflict", brain.write, "notes/garden/roses.md", "late", revision=note["revision"])
    brain.invoke("chalie/undo", {"confirmed": True})
    wants("March" in brain.get("notes/garden/roses.md")["content"], "the change wasn't taken back")
    brain.remove("notes/garden/roses.md")
    brain.invoke("chalie/undo", {"confirmed": True})
    wants("March" in brain.get("notes/garden/roses.md")["content"], "the removal wasn't taken back")
    brain.write("notes/garden/roses.md", later["content"])
    found = brain.search("february prune", limit=1)
    wants(found[0]["path"] == "notes/garden/roses.md" and 0 < found[0]["score"] <= 1 and "February" in found[0]["snippets"][0], "found %r" % found)
    wants(brain.list("notes")[0] == dict(brain.list("notes")[0], path="notes/garden", entry_type="directory"), "notes has another folder")
    brain.remove("notes/garden/roses.md")
    fails("not_found", brain.get, "notes/garden/roses.md")
    for path in ("../etc/passwd", "/etc/passwd", "notes/../x.md", "notes//x.md", "notes/\x00.md", "notes/a\\b.md", "", "notes/" + "x" * 300 + ".md"):
        fails("validation", brain.get, path)
        fails("validation", brain.write, path, "x")
    fails("validation", brain.write, "memories/mine.md", "x")
    fails("validation", brain.write, "notes/key.md", "the key is sk-ant-api03-" + "A7" * 40)
    fails("validation", brain.search, "roses", limit=10 ** 9)
    fails("not_found", brain.list, "nowhere")


def capabilities(brain):
    known = Brain(brain.path, source="unknown", principal="unknown").describe()
    by_id = {c["capability_id"]: c for c in known}
    one = by_id["chalie/remind"]
    wants(one["kind"] == "skill" and isinstance(one["autonomy"], int) and one["requires_approval"] is False and one["side_effects"], "it is %r" % one)
    for c in known:
        wants(all(isinstance(c[k], list) for k in ("input_types", "output_types", "side_effects", "required_capabilities")), "%r" % c)
    meta = {"envelope_id": new_id(), "trace_id": new_id()}
    done = brain.invoke("chalie/plans", invocation_id=new_id(), **meta)
    wants("roses" in json.dumps(json.loads(done["output_json"])), "the plans are %r" % done)
    wants(done["policy"]["allowed"] and done["policy"]["decision_id"] and done["policy"]["proposal_id"] == "", "the policy is %r" % done)
    again = brain.invoke("chalie/plans", invocation_id="", trace_id=meta["trace_id"], parent_id=meta["envelope_id"])
    wants(again["policy"]["decision_id"] != done["policy"]["decision_id"], "another call is the same")
    meta["envelope_id"] = new_id()
    first = brain.invoke("chalie/remember", {"what": "The boiler is serviced in May"}, **meta)
    second = brain.invoke("chalie/remember", {"what": "The boiler is serviced in May"}, **meta)
    wants({k: first[k] for k in ("output_json", "policy")} == {k: second[k] for k in ("output_json", "policy")}, "a repeat is answered otherwise")
    wants(len([e for e in brain.list("memories") if "boiler" in e["path"]]) == 1, "it was done twice")
    fails("conflict", brain.invoke, "chalie/remember", {"what": "Another"}, **meta)
    fails("not_found", brain.invoke, "chalie/nothing")
    fails("validation", brain.invoke, "chalie/remind", {"nonsense": 1})
    fails("policy", Brain(brain.path, principal="switchboard").invoke, "chalie/plans")
    fails("not_found", brain.invoke, "chalie/plans", parent_id=new_id())
    fails("validation", brain.invoke, "chalie/plans", envelope_id="not an id")


def bad(brain):
    fails("validation", brain.post, "/capabilities/describe", {"surprise": 1}, code="unknown_member")
    fails("validation", brain.post, "/lms/chat", {"prompt": 7})
    fails("validation", brain.post, "/lms/chat", {"prompt": "x"}, kind="event")
    fails("validation", brain.post, "/lms/chat", {"prompt": "x"}, timestamp="yesterday")
    for body, status in ((b"{", 400), (b"[]", 400), (b'{"prompt":"a"} {}', 400), (b'{"prompt":"' + b"x" * (1 << 20) + b'"}', 413)):
        got, text = brain.raw("POST", "/lms/chat", body)
        wants(got == status and json.loads(text)["errors"], "%r is answered %d %s" % (body[:20], got, text[:100]))
    wants(brain.raw("POST", "/lms/chat", b"{}", {"Authorization": "Bearer wrong"})[0] == 401, "a wrong token lets somebody in")
    wants(brain.raw("GET", "/lms/chat")[0] in (404, 405), "GET is taken")


def crowd(brain):
    def one(n):
        return brain.write("notes/crowd/%d.md" % (n % 10), "from %d" % n)["revision"]
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        revisions = list(pool.map(one, range(100)))
    wants(len(set(revisions)) == 100, "versions share a revision")
    meta = {"envelope_id": new_id(), "trace_id": new_id(), "timestamp": "2026-11-27T09:00:00+00:00"}
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        same = set(r["revision"] for r in pool.map(lambda _: brain.write("notes/once.md", "once", **meta), range(50)))
    wants(len(same) == 1, "one command made %d versions" % len(same))


def program(brain):
    key = json.loads(brain.raw("POST", "/api/interfaces/pairing-key", b"{}")[1])
    key = key.get("key") or key.get("pairing_key")
    offers = [
        {"capability_id": "add", "kind": "op", "summary": "Adds two numbers.", "autonomy": 2, "requires_approval": False, "side_effects": [], "required_capabilities": [],
         "parameters": [{"name": "a", "type": "number", "required": True, "description": "One."}, {"name": "b", "type": "number", "required": True, "description": "The other."}]},
        {"capability_id": "paint", "kind": "op", "summary": "Paints the shed.", "requires_approval": True, "side_effects": ["paints the shed"]},
        {"capability_id": "lost", "kind": "op", "summary": "Never answers right.", "side_effects": []},
        {"capability_id": "total", "kind": "skill", "summary": "Adds up plans.", "side_effects": [], "required_capabilities": ["add"]},
    ]
    fails("validation", brain.register, "Shed", offers, pairing_key="wrong")
    got = brain.register("Shed", offers, pairing_key=key)
    own = Brain(brain.path, source="shed", principal=got["program_id"], token=got["token"], timeout=30)
    add, paint = got["program_id"] + "/add", got["program_id"] + "/paint"
    fails("validation", own.register, "Shed", [dict(offers[0], colour="red")], code="unknown_member")
    offers[-1]["required_capabilities"] = ["nothing"]
    fails("validation", own.register, "Shed", offers)
    offers[-1]["required_capabilities"] = [add]
    own.register("Shed", offers)
    offers[-1]["required_capabilities"] = ["add"]
    own.register("Shed", offers)
    wants([c["required_capabilities"] for c in brain.describe() if c["capability_id"].endswith("/total")] in ([], [[add]]), "the skill requires another add")
    fails("policy", Brain(brain.path, token=got["token"]).describe)  # it names the operator
    fails("dependency", brain.invoke, add, {"a": 1, "b": 2})  # it asks for no calls yet
    seen, stop = [], threading.Event()

    def work():
        while not stop.is_set():
            call = own.next_call(1)
            if call is None:
                continue
            seen.append(call)
            name, given = call["capability_id"], call["input_payload"]
            if name == "add":
                own.answer(call["invocation_id"], given["a"] + given["b"])
            elif name == "paint":
                own.answer(call["invocation_id"], {"painted": True}, text="It is green now.")
            elif name == "lost":
                own.answer(call["invocation_id"], errors=[{"code": "lost", "message": "I lost it", "category": "internal", "retryable": False, "metadata": {}}])
            else:
                inner = own.invoke(add, {"a": 20, "b": 22}, parent_invocation_id=call["invocation_id"], trace_id=call["trace_id"], parent_id=call["parent_id"])
                refused = fails("policy", own.invoke, "chalie/plans", parent_invocation_id=call["invocation_id"], trace_id=call["trace_id"])
                own.answer(call["invocation_id"], {"sum": json.loads(inner["output_json"])["data"], "allowed": inner["policy"]["allowed"], "refused": refused.code})

    workers = [threading.Thread(target=work) for _ in range(3)]
    for w in workers:
        w.start()
    try:
        while not any(c["capability_id"] == add for c in brain.describe()):
            pass
        for attempt in range(100):
            try:
                sum_of = brain.invoke(add, {"a": 1, "b": 2})
                break
            except BrainError as e:
                wants(e.category == "dependency" and e.retryable, "%s" % e)
        wants(json.loads(sum_of["output_json"])["data"] == 3, "the sum is %r" % sum_of)
        e = fails("dependency", brain.invoke, got["program_id"] + "/lost")
        wants("lost it" in str(e), "it failed with %s" % e)
        asked = brain.invoke(paint)
        wants(not asked["policy"]["allowed"] and asked["policy"]["proposal_id"] and asked["output_json"] == "", "it is %r" % asked)
        fails("policy", brain.invoke, add, {"a": 1, "b": 1}, approval_token=asked["policy"]["proposal_id"])
        painted = brain.invoke(paint, approval_token=asked["policy"]["proposal_id"], confirmed=True)
        wants(json.loads(painted["output_json"])["data"] == {"painted": True} and painted["policy"]["allowed"], "it is %r" % painted)
        wants(json.loads(brain.invoke(paint, confirmed=True)["output_json"])["text"] == "It is green now.", "confirmed isn't enough")
        fails("not_found", brain.invoke, paint, approval_token="nonsense")
        trace = new_id()
        total = json.loads(brain.invoke(got["program_id"] + "/total", trace_id=trace)["output_json"])["data"]
        wants(total["refused"] == "not_required" and total["allowed"] and total["sum"] == 42, "the skill was told %r" % total)
        # What another calls its trace means nothing for the program: this begins one of its own.
        apart = own.invoke(add, {"a": 1, "b": 1}, trace_id=trace)
        wants(not apart["policy"]["allowed"] and apart["policy"]["proposal_id"], "in another's trace it is %r" % apart)
        # So does what it calls its envelopes: the person goes on with theirs, whoever uses the id.
        said = new_id()
        brain.invoke(add, {"a": 1, "b": 2}, envelope_id=said)
        wants(own.invoke(add, {"a": 2, "b": 2}, envelope_id=said)["policy"]["proposal_id"], "another's envelope_id is in the way")
        wants(brain.invoke(add, {"a": 1, "b": 2}, parent_id=said)["policy"]["allowed"], "the person's parent_id was taken")
        fails("not_found", own.invoke, add, {"a": 1, "b": 2}, parent_id=new_id())
        mine = own.write("notes/shed.md", "green")
        wants(own.get("notes/shed.md") == mine and brain.get("notes/shed.md") == mine, "the program's note is not there")
        once = brain.get("notes/once.md")
        also = own.write("notes/once.md", "mine", revision="")
        wants(own.get("notes/once.md") == also and brain.get("notes/once.md") == once, "one path of two is one note")
        shown = [e["path"] for e in brain.list("notes") if e["owner"] == "shed"]
        wants(shown == ["notes/shed-once-%s.md" % also["revision"], "notes/shed.md"], "the program's notes are shown as %r" % shown)
        wants(brain.write(shown[0], "yours", revision=also["revision"])["path"] == shown[0], "the program's note has another path")
        wants(own.get("notes/once.md")["content"] == "yours", "the program's note isn't changed")
        brain.remove("notes/shed.md")
        fails("not_found", own.get, "notes/shed.md")
        brain.invoke("chalie/undo", {"confirmed": True})
        wants(own.get("notes/shed.md") == dict(mine, revision=own.get("notes/shed.md")["revision"], updated_at=own.get("notes/shed.md")["updated_at"]), "the removal wasn't taken back")
        fails("policy", own.list, "memories")
        wants([e["path"] for e in own.list("notes")] == ["notes/once.md", "notes/shed.md"], "a program sees other notes")
        fails("not_found", own.answer, new_id(), 1)
    finally:
        stop.set()
        for w in workers:
            w.join()


def main():
    brain = Brain(sys.argv[1], timeout=60)
    for part in (health, chat, vault, capabilities, bad, crowd, program):
        part(brain)
        print(part.__name__, flush=True)
    print("sound")


if __name__ == "__main__":
    main()
