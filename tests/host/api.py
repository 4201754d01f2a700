"""A loopback stand-in for the Messages API: plays scripted turns and keeps every request.

    with Api([Turn("Looking.", tools=[tool("Bash", command="ls")], used=90_000), Turn("Done.")]) as api:
        ...                                   # point a client at api.url
        assert "prefer tabs" in api.main[1].text

Turns answer, in order, the requests of the main conversation. A summariser's request is answered with `summary`,
any other (titles, token counts, subagents without tools) with a plain "ok"; both are kept too.
"""

import itertools
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SUMMARISER = ("create a detailed summary", "Your task is to create")
HANG = 600  # seconds a hung turn is held at most


def tool(name, **arguments):
    """Return a tool call of a turn."""
    return {"name": name, "input": arguments}


@dataclass
class Turn:
    """One answer of the model.

    `used` is the context in tokens that the answer reports, `delay` the seconds before it begins; with `hang` it
    never comes (after its text, so that the client is in mid-turn).
    """

    text: str = "ok"
    tools: list = field(default_factory=list)
    used: int = 1000
    delay: float = 0.0
    hang: bool = False

    @property
    def usage(self):
        """Usage as the client adds it up: input, cache creation and cache read (HOST §5.3)."""
        return {
            "input_tokens": 10,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": max(self.used - 10, 0),
            "output_tokens": 20,
        }


class Request:
    """One request as the client sent it: `path`, `body`, `time` (seconds, wall clock)."""

    def __init__(self, path, body):
        self.path, self.body, self.time = path, body, time.time()

    def __repr__(self):
        return f"<Request {self.kind} {self.path}: {len(self.messages)} messages>"

    @property
    def messages(self):
        return self.body.get("messages") or []

    @property
    def texts(self):
        """The text of each message, tool calls and results included, in order."""
        return [_text(message.get("content")) for message in self.messages]

    @property
    def text(self):
        """The text of all messages: what Claude would have read, system prompt and tool schemas apart."""
        return "\n".join(self.texts)

    @property
    def system(self):
        """The text of the system prompt."""
        return _text(self.body.get("system"))

    @property
    def kind(self):
        """`main`, `summary`, `count` or `other`."""
        if "count_tokens" in self.path:
            return "count"
        if not self.path.startswith("/v1/messages"):
            return "other"
        if self.messages and any(mark in self.texts[-1] for mark in SUMMARISER):
            return "summary"
        return "main" if self.body.get("tools") else "other"


def _text(content):
    if not isinstance(content, list):
        return content or ""
    return "\n".join(_block(block) for block in content)


def _block(block):
    if block.get("type") == "tool_use":
        return json.dumps(block.get("input"), ensure_ascii=False)
    return block.get("text") or _text(block.get("content"))


class Api:
    """The server; a context manager. `requests` holds everything that came, `main` the conversation's own."""

    def __init__(self, turns=(), summary="Summary of the work so far."):
        self.turns, self.summary, self.requests = list(turns), summary, []
        self.arrived, self.closing = threading.Condition(), threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads, self._server.api = True, self
        self._ids = itertools.count(1)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def main(self):
        return self.of("main")

    def of(self, kind):
        """Return the requests of a kind, in order."""
        return [request for request in list(self.requests) if request.kind == kind]

    def add(self, *turns):
        """Append turns to the script while it is played."""
        with self.arrived:
            self.turns.extend(turns)

    def wait_for(self, number, kind="main", timeout=60):
        """Wait until so many requests of the kind have come; return the last of them."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: len(self.of(kind)) >= number, timeout):
                raise AssertionError(f"{len(self.of(kind))} of {number} {kind} requests in {timeout} s")
        return self.of(kind)[number - 1]

    def take(self, request):
        """Keep a request and return the turn that answers it."""
        with self.arrived:
            self.requests.append(request)
            turn = self._answer(request)
            self.arrived.notify_all()
        return turn

    def _answer(self, request):
        if request.kind == "summary":
            return Turn(f"<analysis>Read.</analysis>\n<summary>\n{self.summary}\n</summary>")
        if request.kind == "main" and self.turns:
            return self.turns.pop(0)
        return Turn()

    def message(self, turn, model):
        """Return a turn as a whole message of the API."""
        calls = [{"type": "tool_use", "id": f"toolu_{next(self._ids):08d}", **call} for call in turn.tools]
        return {
            "id": f"msg_{next(self._ids):08d}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": turn.text}] * bool(turn.text) + calls,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": turn.usage,
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing: the requests are the log."""

    def do_HEAD(self):
        self._json({})

    def do_GET(self):
        self._json({})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            request = Request(self.path, json.loads(raw))
        except ValueError:
            return self._json({})
        api = self.server.api
        turn = api.take(request)
        if request.kind == "count":
            return self._json({"input_tokens": turn.used})
        if not request.path.startswith("/v1/messages"):
            return self._json({})
        time.sleep(turn.delay)
        message = api.message(turn, request.body.get("model", "model"))
        try:
            self._stream(message, turn.hang) if request.body.get("stream") else self._json(message)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client was killed: what some tests are about

    def _json(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _event(self, kind, **data):
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode())
        self.wfile.flush()

    def _stream(self, message, hang):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        self._event("message_start", message={**message, "content": [], "stop_reason": None})
        for index, block in enumerate(message["content"]):
            self._content(index, block)
        if hang:
            self.server.api.closing.wait(HANG)
            return
        stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        self._event("message_delta", delta=stop, usage=message["usage"])
        self._event("message_stop")

    def _content(self, index, block):
        if block["type"] == "text":
            empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        self._event("content_block_start", index=index, content_block=empty)
        self._event("content_block_delta", index=index, delta=delta)
        self._event("content_block_stop", index=index)
