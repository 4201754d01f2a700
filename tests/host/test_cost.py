"""What the plugin costs in every request of a session that has nothing to remember yet."""

import json

from host.api import Api, Turn

from belay.core.text.tokens import count

ALWAYS_ON = 150
"""Tokens, as the difference between the first request with and without the plugin: the skill's line, what the server
says of itself, and the names of its tools where the client loads them later (docs/architecture.md)."""
SCHEMAS = 600
"""Tokens of the tools where the client sends them whole, as 2.1.240 does (HOST §2.3); told beside the rest."""


def first_request(client, repo, plugins):
    with Api([Turn("Hello.")]) as api:
        run = client(api, plugins, cwd=repo).run("hello")
    assert run.code == 0, run.stderr
    body = api.main[0].body
    return {part: count(json.dumps(body.get(part), ensure_ascii=False)) for part in ("system", "messages", "tools")}


def test_always_on_cost(client, repo):
    from host.client import ROOT

    bare = first_request(client, repo, [])
    ours = first_request(client, repo, [ROOT])
    more = {part: ours[part] - bare[part] for part in ours}
    cost = more["system"] + more["messages"]
    print(f"always on: {cost} tokens, schemas of tools: {more['tools']} ({ours} against {bare})")
    assert 0 <= cost <= ALWAYS_ON
    assert 0 <= more["tools"] <= SCHEMAS
