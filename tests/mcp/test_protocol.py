"""JSON-RPC as the protocol's revisions have it, without a process."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.mcp import protocol
from belay.mcp.protocol import Answer, Refused, Server

TOOLS = [{"name": "add", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}]
PREFIX = "io.modelcontextprotocol/"
STATELESS = {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": {}}
SAID = Answer("three", {"sum": 3})


def call(name, arguments):
    if name != "add":
        raise Refused(protocol.PARAMS, f"Unknown tool: {name}")
    return SAID


def server():
    return Server(TOOLS, "Adds.", call)


def ask(one, method, ident=1, **params):
    return json.loads(one.reply(line({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})))


def line(value):
    return json.dumps(value).encode()


@pytest.mark.parametrize("version", protocol.HANDSHAKE)
def test_a_version_that_both_know_is_taken(version):
    one = server()

    assert ask(one, "initialize", protocolVersion=version)["result"]["protocolVersion"] == version
    assert one.version == version


@pytest.mark.parametrize("version", ["1999-01-01", "", 3, None, "2026-07-28"])
def test_another_version_is_answered_with_our_newest(version):
    assert ask(server(), "initialize", protocolVersion=version)["result"]["protocolVersion"] == "2025-11-25"


def test_initialize_tells_of_tools_and_instructions():
    result = ask(server(), "initialize", protocolVersion="2025-06-18")["result"]

    assert result["capabilities"] == {"tools": {}}
    assert result["instructions"] == "Adds."
    assert result["serverInfo"]["name"] == "belay"


@pytest.mark.parametrize(
    ("version", "structured"), [("2024-11-05", False), ("2025-03-26", False), ("2025-06-18", True)]
)
def test_results_are_structured_where_the_version_has_that(version, structured):
    one = server()
    ask(one, "initialize", protocolVersion=version)

    assert ("outputSchema" in ask(one, "tools/list")["result"]["tools"][0]) is structured
    result = ask(one, "tools/call", name="add")["result"]
    assert result.pop("structuredContent", None) == (SAID.data if structured else None)
    assert result == {"content": [{"type": "text", "text": "three"}], "isError": False}


def test_a_stateless_client_needs_no_handshake():
    one, meta = server(), STATELESS

    about = ask(one, "server/discover", _meta=meta)["result"]
    listed = ask(one, "tools/list", _meta=meta)["result"]
    called = ask(one, "tools/call", _meta=meta, name="add", arguments={})["result"]

    assert about["supportedVersions"] == list(protocol.KNOWN)
    assert {one["resultType"] for one in (about, listed, called)} == {"complete"}
    assert listed["ttlMs"] > 0
    assert called["structuredContent"] == {"sum": 3}


def test_a_stateless_request_says_what_its_client_can():
    meta = {PREFIX + "protocolVersion": "2026-07-28"}

    assert ask(server(), "tools/list", _meta=meta)["error"]["code"] == -32602


@pytest.mark.parametrize("method", ["initialize", "ping"])
def test_stateless_revisions_have_no_handshake(method):
    assert ask(server(), method, _meta=STATELESS)["error"]["code"] == -32601


def test_a_version_of_the_future_is_told_what_is_known():
    meta = {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    error = ask(server(), "tools/list", _meta=meta)["error"]

    assert error["code"] == -32022
    assert error["data"] == {"supported": list(protocol.KNOWN), "requested": "2031-01-01"}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}', -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
    ],
)
def test_what_is_no_message_is_an_error_and_the_next_one_is_answered(raw, code):
    one = server()

    assert json.loads(one.reply(raw))["error"]["code"] == code
    assert ask(one, "ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("resources/list", {}, -32601),
        ("ping", [], -32602),
        ("ping", None, -32602),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": 3}, -32602),
        ("tools/call", {"name": "add", "arguments": [1]}, -32602),
        ("tools/call", {"name": "subtract"}, -32602),
    ],
)
def test_requests_that_cannot_be_met(method, params, code):
    message = {"jsonrpc": "2.0", "id": "a", "method": method, "params": params}
    answer = json.loads(server().reply(line(message)))

    assert (answer["id"], answer["error"]["code"]) == ("a", code)


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "tools/call", "params": []},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "no"}},
    ],
)
def test_what_asks_nothing_is_not_answered(message):
    assert server().reply(line(message)) == b""
    assert server().reply(line([message])) == b""


def test_blank_lines_are_passed_over():
    assert server().reply(b" \r\n") == b""


def test_a_batch_is_answered_as_one():
    ping = {"jsonrpc": "2.0", "method": "ping"}
    answers = json.loads(server().reply(line([{**ping, "id": 1}, ping, 7, {**ping, "id": "b"}])))

    assert [answer.get("id") for answer in answers] == [1, None, "b"]
    assert answers[1]["error"]["code"] == -32600


def test_work_that_broke_is_an_error_of_its_requests():
    assert json.loads(protocol.answer_broken(line({"id": 5})))["id"] == 5
    assert [one["id"] for one in json.loads(protocol.answer_broken(line([{"id": 5}, {"id": "x"}])))] == [
        5,
        "x",
    ]


@given(st.binary(max_size=300))
def test_any_bytes_are_answered_or_passed_over(data):
    answer = server().reply(data)

    assert answer == b"" or json.loads(answer)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
METHODS = st.sampled_from(["initialize", "server/discover", "ping", "tools/list", "tools/call"]) | st.text()
PARAMS = VALUES | st.fixed_dictionaries(
    {}, optional={"name": VALUES, "arguments": VALUES, "_meta": VALUES, "protocolVersion": VALUES}
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | VALUES, "method": METHODS | VALUES},
    optional={"id": VALUES, "params": PARAMS},
)


@given(MESSAGES | st.lists(MESSAGES | VALUES))
def test_any_message_gets_a_whole_answer(message):
    answer = server().reply(line(message))

    for one in _list(json.loads(answer)) if answer else []:
        assert one["jsonrpc"] == "2.0"
        assert ("result" in one) != ("error" in one)


def _list(value):
    return value if isinstance(value, list) else [value]


def test_an_answer_holds_nothing_that_a_person_would_not_see():
    hidden = "a\U000e0041\u202e\x1b[31mb"
    made = Server(TOOLS, "", lambda *_: Answer(hidden, {"rows": [{"text": hidden}]}))
    result = made.answer({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": {}}})

    assert "ab" in str(result)
    assert "\\u202e" not in ascii(result)
    assert "\\x1b" not in ascii(result)
