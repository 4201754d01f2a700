"""The corpus of secrets: every format of the tables in every context, made new from a seed; nothing here is real."""

import json

from secretsamples import tokens

from belay.safety.redaction import redact

CONTEXTS = {
    "plain line": "%",
    "key": "VALUE=%",
    "export": "export VALUE=% && make run",
    "json": '{"value": "%", "id": 7}',
    "yaml": "service:\n  value: %\n  port: 80\n",
    "url query": "GET https://api.example.org/v1/items?v=%&page=2 HTTP/1.1",
    "header": "X-Value: %\r\nAccept: */*\r\n",
    "fenced block": "Use this:\n\n```\n%\n```\n\nThen go on.",
    "markdown table": "| name | value |\n| --- | --- |\n| first | % |\n",
    "diff": "@@ -1 +1 @@\n-old line\n+%\n context\n",
    "log": "2026-11-23T14:05:06.789Z INFO app[217]: sent % to the server in 12 ms",
    "stack trace": '  File "/srv/app/main.py", line 31, in run\n    raise ValueError(value)\nValueError: %\n',
    "python": "client = Client('%', timeout=30)\n",
    "heredoc": "cat > conf <<EOF\nvalue %\nEOF\n",
    "escapes": '"{\\"value\\": \\"%\\"}\\n"',
    "parentheses": "the first one (%) works",
    "sentence end": "This one worked yesterday: %. Try it again.",
    "csv": "1,ada,%,2026-11-23,ok\n",
}
PIECE = 10
"""Characters of a token that must not be left together."""


def cases(seed):
    """Yield (row, token, context, text) for every format in every context."""
    for _, row, token in tokens(seed):
        for context, frame in CONTEXTS.items():
            yield row, token, context, frame.replace("%", token)


def leaked(text, row, token):
    """Return a piece of the token that the redacted text still holds, "" if there is none."""
    clean = redact(text)
    body = token.removeprefix(row)
    pieces = (body[at : at + PIECE] for at in range(len(body) - PIECE + 1))
    return next((piece for piece in pieces if piece in clean), "")


def secrets(count, seed):
    """Return `count` (token, what must be gone), all different, every format before any comes twice."""
    found = {}
    while len(found) < count:
        for _, row, token in tokens(seed):
            found.setdefault(token, token.removeprefix(row))
        seed += 1000
    return list(found.items())[:count]


def line(number, token):
    """Return a token in the context of that number, one line for a JSON payload."""
    frames = list(CONTEXTS.values())
    return json.loads(json.dumps(frames[number % len(frames)].replace("%", token)))
