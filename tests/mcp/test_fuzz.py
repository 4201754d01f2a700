"""Thousands of lines that no client would send: none ends the server, none is answered with anything but JSON-RPC."""

import json
import random
import subprocess

from hypothesis import given
from hypothesis import strategies as st
from mcpserver import START

from belay.core.errors import BadInput
from belay.mcp import tools
from belay.mcp.arguments import check_arguments

PING = {"jsonrpc": "2.0", "id": "last", "method": "ping"}
WORDS = (
    "kettle", "docs/a.md", "../../etc/passwd", "workshop.db#K-ABCDEF", "D-ABCDEF", "main", "2026-01-01", "", "\x00", "\ud800",
    '"', "NEAR(", "*", "a" * 5000, "'; DROP TABLE entries; --", "</belay>", "日本語", "decision", "gotcha", "high",
)  # fmt: skip
KEYS = ("query", "type", "file", "branch", "since", "k", "id", "path", "start", "end", "content", "reasoning",
        "files", "tags", "priority", "around", "days", "name", "arguments", "_meta", "protocolVersion")  # fmt: skip
METHODS = (
    "initialize",
    "tools/list",
    "tools/call",
    "ping",
    "server/discover",
    "notifications/cancelled",
    "x",
)


def value(rng, depth=0):
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind < 3:
        return rng.choice(WORDS)
    if kind < 6:
        return rng.choice((None, True, False, 0, 1, -1, 5, 1.5, 10**12, -(10**30)))
    if kind == 6:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): value(rng, depth + 1) for _ in range(rng.randrange(5))}


def fitting(rng, schema):
    """Return what the schema takes, mostly."""
    if rng.random() < 0.05:
        return value(rng, 2)
    if schema["type"] == "integer":
        return rng.choice((1, 2, 7, "3", 400, 10**6))
    if schema["type"] == "array":
        return [fitting(rng, schema["items"]) for _ in range(rng.randrange(3))]
    return rng.choice(schema.get("enum", WORDS))


def message(rng):
    if rng.random() < 0.1:
        return value(rng)
    params = value(rng)
    if rng.random() < 0.8:
        tool = rng.choice(tools.TOOLS)
        known, required = (tool["inputSchema"].get(key, ()) for key in ("properties", "required"))
        given = {key: fitting(rng, known[key]) for key in known if key in required or rng.random() < 0.3}
        params = {"name": tool["name"], "arguments": given}
    return {
        "jsonrpc": "2.0",
        "id": rng.randrange(99),
        "method": rng.choice((*METHODS, *["tools/call"] * 9)),
        "params": params,
    }


def line(rng):
    data = json.dumps(message(rng) if rng.random() < 0.9 else [message(rng) for _ in range(3)]).encode()
    if rng.random() < 0.15:
        data = bytearray(data)
        for _ in range(rng.randrange(1, 5)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        data = bytes(data).replace(b"\n", b" ")
    return data + b"\n"


def fuzz(repo, seed, count):
    rng = random.Random(seed)
    raw = b"".join(line(rng) for _ in range(count)) + json.dumps(PING).encode()
    done = subprocess.run([START], input=raw, capture_output=True, cwd=repo, timeout=120, check=False)
    told = [json.loads(text) for text in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert told[-1] == {"jsonrpc": "2.0", "id": "last", "result": {}}
    return [one for answer in told for one in (answer if isinstance(answer, list) else [answer])]


def test_a_thousand_lines_of_nonsense(repo, home):
    told = fuzz(repo, seed=1, count=1000)

    assert {one["jsonrpc"] for one in told} == {"2.0"}
    assert [one for one in told if one.get("error", {}).get("code") == -32603] == []
    assert list(home.rglob("belay.log")) == []
    assert sum("result" in one and not one["result"].get("isError") for one in told) > 100


TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(st.sampled_from(tools.TOOLS), st.dictionaries(st.sampled_from(KEYS), TREE))
def test_any_arguments_are_taken_as_the_schema_says_or_refused(tool, arguments):
    schema = tool["inputSchema"]
    try:
        taken = check_arguments(schema, arguments)
    except BadInput:
        return
    kinds = {"string": str, "integer": int, "array": list}
    assert all(type(taken[key]) is kinds[schema["properties"][key]["type"]] for key in taken)
    assert set(schema.get("required", ())) <= set(taken)
    assert json.loads(json.dumps(taken, ensure_ascii=False).encode()) == taken
