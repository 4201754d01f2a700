"""The MCP server as a client runs it: a process, a line of JSON each way."""

import json
import os
import subprocess
from pathlib import Path

from belay.core import paths

START = paths.resource("bin", "belay-mcp")
CLIENT = {"name": "test", "version": "1"}


class Server:
    """A running server in a folder; a context manager. `environ` is added to the test's own."""

    def __init__(self, folder, version="2025-11-25", environ=None, begin=True, **more):
        self.process = subprocess.Popen(
            [START],
            cwd=folder,
            env={**os.environ, **(environ or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **more,
        )
        self.count, self.version, self.begin, self.about = 0, version, begin, {}

    def __enter__(self):
        if self.begin:
            asked = {"protocolVersion": self.version, "capabilities": {}, "clientInfo": CLIENT}
            self.about = self.ask("initialize", **asked)["result"]
            self.tell("notifications/initialized")
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.process.kill()
        self.end()

    def end(self):
        """Close the server's input; return (exit status, what it still said, what it complained of)."""
        if self.process.stdin.closed:
            return None
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def tell(self, method, **params):
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")

    def ask(self, method, **params):
        """Send a request; return the answer to it."""
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}
        self.write(json.dumps(message).encode() + b"\n")
        answer = self.read()
        assert answer["id"] == self.count
        return answer

    def call(self, tool, **arguments):
        """Call a tool; return its result."""
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def text(self, tool, **arguments):
        """Call a tool; return the text of its answer, which is no error."""
        result = self.call(tool, **arguments)
        assert not result["isError"], result
        return result["content"][0]["text"]

    def error(self, tool, **arguments):
        """Call a tool; return the text of its answer, which is an error of one line."""
        result = self.call(tool, **arguments)
        (content,) = result["content"]
        assert result["isError"]
        assert "\n" not in content["text"]
        return content["text"]

    def found(self, query, **arguments):
        """Search; return the results."""
        return json.loads(self.text("memory_search", query=query, **arguments))["results"]


def memory():
    """Return the peak memory of this process's ended children in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def files(folder):
    """Return every file below a folder, .git aside."""
    found = Path(folder).rglob("*")
    return sorted(str(path.relative_to(folder)) for path in found if path.is_file() and ".git" not in path.parts)
