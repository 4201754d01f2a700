"""A loopback bridge from streamable HTTP to the MCP server, for suites that speak only HTTP.

python tests/mcpbridge.py COMMAND [ARGUMENT ...]      runs COMMAND with {url} replaced, ends with its status
"""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

START = Path(__file__).resolve().parents[1] / "bin" / "belay-mcp"


class Bridge(BaseHTTPRequestHandler):
    """Each POST is one line to the server; what asks nothing is answered with 202."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing: the suite reports."""

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        message = json.loads(raw)
        with self.server.turn:
            self.server.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.server.process.stdin.flush()
            answer = self.server.process.stdout.readline() if "id" in message else b""
        self._send(200 if answer else 202, answer)

    def do_GET(self):
        self._send(405, b"")

    do_DELETE = do_GET

    def _send(self, status, data):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main(command):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bridge)
    server.daemon_threads, server.turn = True, threading.Lock()
    server.process = subprocess.Popen([START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/mcp"
    code = subprocess.run([part.replace("{url}", url) for part in command], check=False).returncode
    server.process.stdin.close()
    return code or server.process.wait(10)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
