"""The health table: kinds of memory and the score each gets in two projects, a Python library and a web shop."""

import os
import re
import time
from datetime import date, timedelta

import pytest
from dated import commit
from repos import git

from belay.memory.document import facts, page
from belay.memory.health import points, score
from belay.memory.health.evidence import gather_evidence
from belay.repository import projects

TODAY = date.today()
LIBRARY = {
    "pyproject.toml": '[project]\nname = "courier"\nrequires-python = ">=3.10"\ndependencies = ["h11>=0.14", "idna"]\n'
    '[dependency-groups]\ndev = ["pytest>=8", "trio"]\n',
    "README.md": "# Courier\n\nAn HTTP/1.1 client for Python. Works behind Django and Flask.\n",
    "src/courier/__init__.py": "from courier.client import Client\n",
    "src/courier/client.py": "import h11\n\n\nclass Client:\n    def send_request(self, url):\n        return h11.Request\n",
    "src/courier/pool.py": "class Pool:\n    def acquire_connection(self):\n        return 1\n",
    "src/courier/retries.py": "def backoff_delay(attempt):\n    return 2**attempt\n",
    "src/courier/headers.py": "def parse_headers(lines):\n    return dict(lines)\n",
    "src/courier/cookies.py": "class Jar: ...\n",
    "src/courier/proxies.py": "def read_proxy(environ):\n    return environ\n",
    "tests/test_client.py": "def test_client():\n    assert 1\n",
    "tests/test_pool.py": "def test_pool():\n    assert 1\n",
    "Makefile": "test:\n\tpytest\n\nlint:\n\truff check\n",
}
SHOP = {
    "package.json": '{"private": true, "workspaces": ["apps/*"], "scripts": {"dev": "turbo dev", "test": "turbo test"}}',
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\npackages:\n  react@18.3.1:\n  drizzle-orm@0.30.0:\n    peerDependencies:\n"
    "      better-sqlite3: '*'\n      mysql2: '*'\n",
    "apps/web/package.json": '{"dependencies": {"react": "^18.3.1", "next": "^15.0.0"}, "scripts": {"build": "next build"}}',
    "apps/web/src/cart.tsx": "import { useState } from 'react'\nexport function Cart() {\n  return useState(0)\n}\n",
    "apps/web/src/checkout.tsx": "export function Checkout() {\n  return null\n}\n",
    "apps/api/package.json": '{"dependencies": {"fastify": "^5.1.0", "drizzle-orm": "^0.30.0", "pg": "^8.11.0"}}',
    "apps/api/src/orders.ts": "export function placeOrder(id: string) {\n  return id\n}\n",
    "apps/api/src/refunds.ts": "export function refundOrder(id: string) {\n  return id\n}\n",
    "apps/api/src/db.ts": "import { drizzle } from 'drizzle-orm/node-postgres'\n",
    "apps/api/src/mail.ts": "export const sendReceipt = () => 1\n",
    "compose.yaml": "services:\n  db:\n    image: postgres:16\n",
    "README.md": "# Shop\n\nA web shop for tea.\n",
}

FORM = """# Project Memory
Last updated: {day} | Session 9 | Branch: main
Memory health: 9/10

## Project Overview
{overview}

## Where We Left Off
- **Current task:** {task}
- **Status:** in progress
- **Next immediate step:** {step}
- **Open question:** none

## Completed
- 2026-03-02 {completed}

## Active Work
- [ ] {active}

## Blockers
{blocker}

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-03-01 | {decision} | {reason} | all |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
{files}

## Architecture Notes
- {note}

## Known Issues
- {issue}

## Session Log
| Session | Date | Summary |
|---------|------|---------|
| 9 | 2026-03-02 | {completed} |

## User Preferences
- table tests

## External Context
- {outside}
"""
LIBRARY_GOOD = {
    "overview": "Courier: an HTTP/1.1 client library in Python 3.10+, built on h11, tested with pytest.",
    "task": "retry budgets in `src/courier/retries.py`", "step": "cap `backoff_delay()` in `src/courier/retries.py`",
    "completed": "header parsing in `src/courier/headers.py`", "active": "per-host limits in the pool",
    "blocker": "None.", "decision": "h11 over a parser of our own, no Rust extension", "reason": "correct and small",
    "note": "`acquire_connection()` in `src/courier/pool.py` hands out sockets; `make test` runs pytest",
    "issue": "cookies of IDNA hosts are dropped", "outside": "releases go to PyPI, works behind Django and Flask",
    "paths": ["client", "pool", "retries", "headers", "cookies", "proxies"], "path": "src/courier/{}.py",
}  # fmt: skip
LIBRARY_WRONG = {
    "overview": "Courier: an HTTP/1.1 client library in Python 3.8, built on h11 and Tornado, tested with pytest.",
    "active": "parse headers of folded lines",
    "note": "`lease_socket()` in `src/courier/pool.py` hands out sockets; `make coverage` runs pytest",
}
SHOP_GOOD = {
    "overview": "A tea shop: Next.js 15 and React 18 in `apps/web/`, a Fastify API with Drizzle on PostgreSQL.",
    "task": "partial refunds", "step": "split amounts in `refundOrder()` in `apps/api/src/refunds.ts`",
    "completed": "receipts by mail", "active": "gift cards in the checkout", "blocker": "None.",
    "decision": "PostgreSQL over MongoDB, no Redis", "reason": "orders need transactions",
    "note": "`placeOrder()` in `apps/api/src/orders.ts`; `pnpm run dev` starts web and API",
    "issue": "`sendReceipt()` is slow", "outside": "card terminal API, keys in `.env`",
    "paths": ["web/src/cart.tsx", "web/src/checkout.tsx", "api/src/orders.ts", "api/src/refunds.ts", "api/src/db.ts"],
    "path": "apps/{}",
}  # fmt: skip
SHOP_WRONG = {
    "overview": "A tea shop: Next.js 13 and React 17 in `apps/web/`, an Express API with Drizzle on MySQL.",
    "active": "send receipts of paid orders by mail",
    "note": "`placeOrder()` in `apps/api/src/orders.ts`; `pnpm run storybook` starts web and API",
}
BAKERY = {
    "overview": "Online shop of a bakery with delivery slots. Django + React + MongoDB, opens in April.",
    "task": "delivery slots", "step": "run `git status`, then finish the slot picker", "completed": "cake configurator",
    "active": "refunds of cancelled cakes", "blocker": "None.", "decision": "MongoDB for orders",
    "reason": "flexible toppings", "note": "orders are events that the kitchen screen replays",
    "issue": "toppings are sorted wrongly", "outside": "card terminal", "paths": ["README.md"], "path": "{}",
}  # fmt: skip
DECIDED = {
    "overview": "Orders and deliveries of a bakery.", "decision": "MongoDB for orders",
    "note": "Django REST API; its React screens talk to it",
}  # fmt: skip
VAGUE = {
    "overview": "A tool for developers.", "task": "improving the tool", "step": "keep improving the code, add more tests",
    "completed": "several improvements", "active": "fix some bugs", "blocker": "None.",
    "decision": "keep the code simple", "reason": "easier to maintain", "note": "modular design",
    "issue": "some edge cases", "outside": "none", "paths": ["README.md"], "path": "{}",
}  # fmt: skip
TEMPLATE = {
    "overview": "[1-2 sentences. What this is, what stack, what stage.]", "task": "[specific task]",
    "step": "[so clear that work can start]", "completed": "[one-line summary with key files touched]",
    "active": "[task — specific file, function, or component]", "blocker": "- [blocker with context]",
    "decision": "[what was decided]", "reason": "[why]", "note": "[data flow, system boundaries]",
    "issue": "[issue, severity, and workaround if any]", "outside": "[APIs, services]", "paths": ["[path]"], "path": "{}",
}  # fmt: skip
PROJECTS = {
    "library": (LIBRARY, LIBRARY_GOOD, LIBRARY_WRONG, "parse headers of folded lines"),
    "shop": (SHOP, SHOP_GOOD, SHOP_WRONG, "feat(mail): send receipts of paid orders by mail (#7)"),
}
SEED_004 = """# MEMORY.md

{overview}

## Active Workstreams

### 1. {task}
**Status:** begun
**Next when resumed:** {step}

## Key Decisions
| Date | Decision | Rationale |
|------|----------|-----------|
| 2026-03-01 | {decision} | {reason} |

## Quick Reference
| What | Where |
|------|-------|
| start here | `{path}` |
"""


def write(values, day=TODAY, gone=0):
    paths = [values["path"].format(name) for name in values["paths"]]
    paths = [f"src/old/part_{at}.py" for at in range(gone)] + (paths[:2] if gone else paths)
    rows = "\n".join(f"| {path if '[' in path else f'`{path}`'} | a part | session 3 |" for path in paths)
    return FORM.format(**values, day=day.isoformat(), files=rows)


def kinds(good, wrong):
    first = good["path"].format(good["paths"][0])
    body = write(good)
    return {
        "good and current": body,
        "five wrong facts": write({**good, **wrong}).replace(first, first.replace(".", "_old.")),
        "another project": write(BAKERY),
        "another project by its decisions": write({**BAKERY, **DECIDED}),
        "right but vague": write(VAGUE),
        "82 days old, 8 of 10 files gone": write(good, TODAY - timedelta(days=82), gone=8),
        "template with placeholders": write(TEMPLATE),
        "five lines with a next step": f"# Notes\n\n{good['overview']}\n\nNext: {good['step']}\n",
        "rebuilt, nobody reviewed it": body.replace("9/10\n", "9/10\n> Reconstructed from code — verify with user\n"),
        "saved by Belay alone for a month": body.replace(
            "main\n", f"main | Reviewed: {(TODAY - timedelta(days=30)).isoformat()}\n"
        ),
        "workstreams, committed a week ago": SEED_004.format(**{**good, "path": first}),
    }


NAMED = re.compile(r"^(?:names|says) ([A-Z][\w.]+)|`([^`\n]+?)(?:\(\))?`|“([^”]+)”")
LEAST = {"good and current": 9, "five lines with a next step": 6, "workstreams, committed a week ago": 6}
MOST = {
    "another project": 3, "another project by its decisions": 3, "right but vague": 6, "82 days old, 8 of 10 files gone": 3, "template with placeholders": 3,
    "rebuilt, nobody reviewed it": 7, "saved by Belay alone for a month": 8, "workstreams, committed a week ago": 9,
}  # fmt: skip


@pytest.fixture(params=PROJECTS)
def table(request, tmp_path):
    """Return kind → (its health, its text) of one project."""
    tree, good, wrong, subject = PROJECTS[request.param]
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "begin", "2026-02-01T10:00:00Z", files=tree)
    commit(tmp_path, subject, "2026-02-03T10:00:00Z")
    return {kind: (score_memory(tmp_path, kind, text), text) for kind, text in kinds(good, wrong).items()}


def score_memory(folder, kind, text):
    memory = folder / "MEMORY.md"
    memory.write_text(text)
    if "committed" in kind:
        week = time.strftime("%Y-%m-%dT10:00:00Z", time.gmtime(time.time() - 7 * 86400))
        commit(folder, "memory", week)
    project = projects.find(str(folder), os.environ)
    known = facts.read_facts(page.parse(text))
    return score.score_memory(known, gather_evidence(project, known))


def test_each_kind_of_memory_keeps_its_bound(table):
    scores = {kind: health["score"] for kind, (health, _) in table.items()}
    print(*(f"{kind:34} {points:2}" for kind, points in scores.items()), sep="\n")

    assert {kind: points for kind, points in scores.items() if points > MOST.get(kind, 10)} == {}
    assert {kind: points for kind, points in scores.items() if points < LEAST.get(kind, 1)} == {}
    assert scores["five wrong facts"] <= scores["good and current"] - 2


def test_a_good_memory_has_nothing_false(table):
    health, _ = table["good and current"]

    assert health["relevance"]["reasons"] == []
    assert health["limits"] == []


def test_a_finding_names_its_line_and_a_correction(table):
    health, text = table["five wrong facts"]
    lines = text.split("\n")
    found = health["relevance"]["reasons"]
    named = [(NAMED.search(row["what"]), lines[row["line"] - 1]) for row in found]

    assert len(found) >= 5
    assert [line for name, line in named if not name or name[name.lastindex] not in line] == []
    assert [row for row in found if not (0 < row["line"] <= len(lines) and row["mend"])] == []


def test_recovery_is_offered_before_rounding(table):
    offered = {kind: points.needs_recovery(health) for kind, (health, _) in table.items()}

    assert offered["another project"]
    assert offered["template with placeholders"]
    assert not offered["good and current"]
    assert [kind for kind, (health, _) in table.items() if offered[kind] != (health["points"] < 5)] == []


def test_four_points_and_a_half_are_shown_as_five_and_recovered():
    known = {"form": "003", "lines": 40, "header": {"line": 2, "updated": "2026-01-01", "session": 3}, "unverified": 4}
    missing = [{"line": 9, "path": "a.py", "renamed": ""}]
    health = score.score_memory(known, {"repo": True, "today": "2026-11-21", "checked": 3, "missing": missing})
    shown = {**health, "points": 4.6, "score": score.round_half_up(4.6)}

    assert (shown["score"], points.needs_recovery(shown)) == (5, True)
