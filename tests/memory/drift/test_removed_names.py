import json
import os

import pytest
from dated import commit
from repos import git

from belay.memory.document import facts, page
from belay.memory.drift import session_diff
from belay.repository import projects

HEADER = "# Project Memory\nLast updated: 2026-03-01 | Session 7 | Branch: main\n\n"


@pytest.fixture
def shop(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    code = "".join(f"line {at}\n" for at in range(20))
    files = {f"src/{name}.py": code + name for name in ("loyalty/stamps", "pay/adyen_client", "web/views", "tax/table")}
    tools = {"click": "8", "nodemailer": "6", "@tanstack/react-query": "5", "next": "14"}
    shared = {"left-pad": "1", "nodemailer": "6"}
    files |= {"src/cache/redis_store.py": code + "redis", "src/mail/postmark_client.py": code + "mail"}
    files |= {"package.json": package(tools), "lib/package.json": package(shared), "go.mod": go("zalando/go-keyring")}
    commit(tmp_path, "begin", "2026-02-20T10:00:00Z", files=files)
    gone = dict.fromkeys(
        (
            "src/cache/redis_store.py",
            "src/mail/postmark_client.py",
            "src/loyalty/stamps.py",
            "src/pay/adyen_client.py",
            "src/web/views.py",
        )
    )
    left = {"compose.yaml": "services:\n  cache:\n    image: redis:7\n", "docs/loyal/notes.txt": "x\n"}
    left |= {
        "package.json": package({"remix": "2", "@mails/postmark": "1"}),
        "lib/package.json": package({"nodemailer": "6"}),
        "go.mod": go(),
    }
    commit(tmp_path, "leave", "2026-03-10T10:00:00Z", files={**gone, **left, "docs/adyen.md": "Adyen, loyalty\n"})
    git(tmp_path, "mv", "src/tax", "src/duty")
    commit(tmp_path, "move", "2026-03-11T10:00:00Z")
    return tmp_path


def package(dependencies):
    return json.dumps({"dependencies": dependencies})


def go(*modules):
    return "module example.org/shop\n\ngo 1.22\n" + "".join(f"require github.com/{name} v1.0.0\n" for name in modules)


def told(folder, *notes, decisions=(), active=(), thorough=False):
    rows = "".join(f"| {date} | {text} | why | |\n" for date, text in decisions)
    table = f"## Key Decisions\n| Date | Decision | Reasoning | Affects |\n|---|---|---|---|\n{rows}\n" if rows else ""
    text = HEADER + "## Project Overview\nA shop.\n\n## Architecture Notes\n" + "".join(f"- {note}\n" for note in notes)
    text += f"\n{table}## Active Work\n" + "".join(f"- [ ] {item}\n" for item in active)
    project = projects.find(str(folder), os.environ)
    found = session_diff.gather_diff(project, facts.read_facts(page.parse(text)), os.environ, thorough=thorough)
    return [(row["kind"], row["claim"]) for row in found["conflicts"]]


@pytest.mark.parametrize(
    ("note", "claim"),
    [
        ("`loyalty` counts stamps", "loyalty"),
        ("`src/loyalty` counts stamps", "src/loyalty"),
        ("`src.loyalty.stamps` counts them", "src.loyalty.stamps"),
        ("`mail` is a package", "mail"),
        ("`src/tax` adds what is owed", "src/tax"),
        ("Cards are paid through Adyen", "Adyen"),
        ("Tokens are kept with go-keyring", "go-keyring"),
        ("Tokens: zalando/go-keyring", "zalando/go-keyring"),
        ("The lists use @tanstack/react-query", "TanStack Query"),
        ("Pages are rendered by Next.js", "Next.js"),
        ("Numbers are padded by left-pad", "left-pad"),
        ("The command line is built on `click`", "Click"),
    ],
)
def test_what_is_used_and_left_the_project(shop, note, claim):
    assert [name for _, name in told(shop, note)] == [claim]


@pytest.mark.parametrize(
    "note",
    [
        "`loyalty` was removed in March",
        "Stamps are counted here, no longer in `loyalty`",
        "We moved from Adyen to terminals",
        "Adyen was dropped",
        "Plain files instead of go-keyring",
        "Mails by nodemailer",
        "Sessions are kept in Redis",
        "Mails are sent by Postmark",
        "Users click through the list",
        "What comes next is a queue",
        "`stamp` and `view` are everyday words",
        "Duty is about `table`",
        "Loyalty is what customers show",
        "Adyenova is another company",
    ],
)
def test_what_is_said_to_be_gone_or_is_another_word(shop, note):
    assert told(shop, note) == []


def test_the_newest_decision_is_the_word(shop):
    old, new = ("2026-02-01", "Adyen for cards"), ("2026-03-10", "Leave Adyen, pay at the terminal")

    assert told(shop, decisions=[old]) == [("decision", "Adyen")]
    assert told(shop, decisions=[old, new]) == []


@pytest.mark.parametrize(
    ("item", "is_done"),
    [
        ("Remove `src/loyalty/stamps.py`", True),
        ("Drop left-pad", True),
        ("Move `src/tax/table.py` out of tax", True),
        ("Write `docs/adyen.md`", True),
        ("Add a note to `docs/adyen.md`", False),
        ("Add links in `docs/adyen.md`", False),
        ("Drop nodemailer", False),
        ("Upgrade nodemailer to 7", False),
        ("Fix the total of `src/web/views.py`", False),
    ],
)
def test_steps_that_the_files_show_as_carried_out(shop, item, is_done):
    assert (("done", item) in told(shop, active=[item])) == is_done


def test_a_product_without_a_trace_is_looked_for_only_on_request(shop):
    assert told(shop, "Orders live in Elasticsearch") == []
    assert told(shop, "Orders live in Elasticsearch", thorough=True) == [("absent", "Elasticsearch")]
