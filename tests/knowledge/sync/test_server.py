"""Questions over HTTP, to a server on loopback that answers well, badly, slowly, or not at all."""

import json
import socket
import threading
import time

import pytest
from qdrantserver import Refused, serve

from belay.knowledge.sync import server
from belay.knowledge.sync.server import Asking

QUESTION = {"prefetch": [], "query": {"fusion": "rrf"}, "limit": 1, "with_payload": True}
POINT = {"id": "p", "score": 1.0, "payload": {}}


def ask(where, **environ):
    return Asking(where, QUESTION, environ).wait()


def test_a_question_is_one_request_with_the_key_of_the_environment():
    seen = []

    def answer(method, path, body, headers):
        seen.append((method, path, body, headers.get("api-key")))
        return {"points": [POINT]}

    with serve(answer) as where:
        assert ask(where + "/", QDRANT_API_KEY="mine") == ([POINT], "")
    assert seen == [("POST", "/collections/belay-2/points/query", QUESTION, "mine")]


@pytest.mark.parametrize(
    ("code", "why"),
    [(401, "refused the key"), (403, "refused the key"), (404, "has no collection belay-2 yet"), (500, "HTTP 500")],
)
def test_a_refusal_is_said_in_words(code, why):
    def answer(*_):
        raise Refused(code, "no")

    with serve(answer) as where:
        reply = ask(where)
    assert reply.points == []
    assert why in reply.why


@pytest.mark.parametrize("data", [b"", b"[]", b'{"result": 7}', b'{"result": {"points": 7}}', b"[" * 100_000, b"\xff"])
def test_an_answer_of_another_form_is_no_answer(data):
    with serve(lambda *_: data) as where:
        reply = ask(where)
    assert (reply.points, bool(reply.why)) == ([], True)


def test_points_that_are_none_are_left_out():
    with serve(lambda *_: {"points": [POINT, 7, None, "x"]}) as where:
        assert ask(where).points == [POINT]


def test_a_slow_server_costs_a_second():
    release = threading.Event()
    with serve(lambda *_: release.wait(10) and {}) as where:
        begun = time.monotonic()
        reply = ask(where)
        taken = time.monotonic() - begun
        release.set()
    assert (reply.points, reply.why) == ([], "did not answer within 1 s")
    assert 0.9 <= taken < 2.0


def test_a_server_that_trickles_costs_a_second_too():
    """Each byte comes in time, the answer never: only the whole of it is waited for."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def trickle():
            link, _ = listening.accept()
            with link:
                link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
                while not done.wait(0.2):
                    try:
                        link.sendall(b" ")
                    except OSError:
                        return

        thread = threading.Thread(target=trickle, daemon=True)
        thread.start()
        begun = time.monotonic()
        reply = ask(f"http://127.0.0.1:{listening.getsockname()[1]}")
        taken = time.monotonic() - begun
        done.set()
        thread.join(5)
    assert (reply.points, reply.why) == ([], "did not answer within 1 s")
    assert taken < 2.0


def test_a_server_that_is_away_is_said_at_once():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    reply = ask(f"http://127.0.0.1:{port}")
    assert reply.points == []
    assert reply.why.startswith("cannot be asked (")


def test_a_redirect_is_not_followed_and_gets_no_key():
    seen = []

    def other(method, path, body, headers):
        seen.append(headers.get("api-key"))
        return {"points": [POINT]}

    class Redirect(Refused):
        pass

    with serve(other) as elsewhere, socket.create_server(("127.0.0.1", 0)) as listening:

        def redirect():
            link, _ = listening.accept()
            with link:
                link.recv(65536)
                link.sendall(f"HTTP/1.1 307 Moved\r\nLocation: {elsewhere}/x\r\nContent-Length: 0\r\n\r\n".encode())

        thread = threading.Thread(target=redirect, daemon=True)
        thread.start()
        reply = ask(f"http://127.0.0.1:{listening.getsockname()[1]}", QDRANT_API_KEY="mine")
        thread.join(5)
    assert (reply.points, reply.why, seen) == ([], "answered with HTTP 307", [])


def test_an_answer_without_end_is_not_read(monkeypatch):
    monkeypatch.setattr(server, "_BYTES", 1000)
    with serve(lambda *_: json.dumps({"result": {"points": [POINT] * 100}}).encode()) as where:
        assert ask(where) == ([], "cannot be asked (too long)")


@pytest.mark.parametrize(
    ("where", "address"),
    [
        ("http://q.example.org", "http://q.example.org:6333/collections/belay-2/points/query"),
        ("https://q.example.org:443/", "https://q.example.org:443/collections/belay-2/points/query"),
        ("https://example.org:8443/qdrant/", "https://example.org:8443/qdrant/collections/belay-2/points/query"),
    ],
)
def test_the_address_is_what_the_client_library_makes_of_it(where, address):
    assert server.make_address(where) == address


@pytest.mark.parametrize("where", ["http://[::1", "http://a b:1", "http://x:99999", "/nowhere/at/all"])
def test_an_address_that_is_none_is_said(where):
    assert ask(where).why
