"""A client of the Brain SDK's calls, with nothing but the standard library.

    brain = Brain("/path/to/chalie.sock")
    brain.chat("What is planned?", profile="quick")

A failure of the domain raises BrainError with its category; a transport failure raises
TransportError with the status.
"""
import datetime
import http.client
import json
import os
import re
import socket
import uuid


class BrainError(Exception):
    def __init__(self, errors, answer):
        first = errors[0]
        super().__init__(first["message"])
        self.code, self.category, self.retryable = first["code"], first["category"], first["retryable"]
        self.metadata, self.answer = first["metadata"], answer


class TransportError(Exception):
    def __init__(self, status, body):
        super().__init__("%d %s" % (status, body[:200]))
        self.status, self.body = status, body
        self.retryable = status == 429 or status >= 500


class _Connection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def new_id():
    return uuid.uuid4().hex


class Brain:
    def __init__(self, path=None, source="cli", principal="operator", token=None, timeout=None):
        self.path = path or os.environ["BRAIN_SOCKET_PATH"]
        self.source, self.principal, self.token = source, principal, token
        self.timeout = timeout or float(os.environ.get("BRAIN_TIMEOUT_SECONDS", "10"))

    def metadata(self, **given):
        out = {
            "envelope_id": new_id(), "trace_id": new_id(), "parent_id": "", "kind": "command",
            "source": self.source, "principal": self.principal,
            "timestamp": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        }
        out.update(given)
        return out

    def raw(self, method, path, body=None, headers=None):
        """Sends bytes and returns status and text."""
        head = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            head["Authorization"] = "Bearer " + self.token
        head.update(headers or {})
        conn = _Connection(self.path, self.timeout)
        try:
            conn.request(method, path, body=body, headers=head)
            answer = conn.getresponse()
            return answer.status, answer.read().decode()
        finally:
            conn.close()

    def post(self, path, body, **meta):
        sent = self.metadata(**meta)
        sent.update(body)
        status, text = self.raw("POST", path, json.dumps(sent).encode())
        if status != 200:
            raise TransportError(status, text)
        answer = json.loads(text)
        about = answer["metadata"]
        if not re.fullmatch("[0-9A-HJKMNP-TV-Z]{26}", about["envelope_id"]) or not isinstance(about["timestamp"], int) or about["parent_id"] != sent["envelope_id"]:
            raise AssertionError("the metadata are %r" % about)
        if answer.get("errors"):
            raise BrainError(answer["errors"], answer)
        return answer

    def health(self):
        status, text = self.raw("GET", "/health")
        if status != 200:
            raise TransportError(status, text)
        return json.loads(text)

    def chat(self, prompt, profile="standard", **meta):
        return self.post("/lms/chat", {"prompt": prompt, "profile": profile}, **meta)["payload"]

    def get(self, path, **meta):
        return self.post("/vault/files/get", {"file_path": path}, **meta)["payload"]

    def list(self, path, **meta):
        return self.post("/vault/directories/list", {"directory_path": path}, **meta)["payload"]

    def search(self, query, scope="", limit=20, **meta):
        return self.post("/vault/files/search", {"query": query, "directory_scope": scope, "limit": limit}, **meta)["payload"]

    def write(self, path, content, revision=None, **meta):
        body = {"file_path": path, "content": content}
        if revision is not None:
            body["revision"] = revision
        return self.post("/vault/files/write", body, **meta)["payload"]

    def remove(self, path, **meta):
        return self.post("/vault/files/remove", {"file_path": path}, **meta)["payload"]

    def describe(self, **meta):
        return self.post("/capabilities/describe", {}, **meta)["capabilities"]

    def invoke(self, capability_id, input_payload=None, invocation_id="", parent_invocation_id="", confirmed=False, approval_token="", **meta):
        return self.post("/capabilities/invoke", {
            "capability_id": capability_id, "input_payload": input_payload or {}, "actor": self.principal, "channel": self.source,
            "invocation_id": invocation_id, "parent_invocation_id": parent_invocation_id, "confirmed": confirmed, "approval_token": approval_token,
        }, **meta)

    def register(self, name, capabilities, pairing_key="", version="1", description=""):
        body = {"name": name, "version": version, "description": description, "capabilities": capabilities}
        if pairing_key:
            body["pairing_key"] = pairing_key
        return self.post("/capabilities/register", body)["payload"]

    def next_call(self, wait_seconds=5):
        return self.post("/capabilities/next", {"wait_seconds": wait_seconds})["payload"]

    def answer(self, invocation_id, output=None, text=None, errors=None):
        body = {"invocation_id": invocation_id, "output_json": "" if output is None else json.dumps(output)}
        if text is not None:
            body["text"] = text
        if errors:
            body["errors"] = errors
        return self.post("/capabilities/answer", body)["payload"]
