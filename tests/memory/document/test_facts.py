"""What memory files say, in both forms and in anybody's own."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core import json_codec
from belay.memory.document import facts, page, path_references

FOLDER = Path(__file__).parents[2] / "data" / "memory" / "samples"


def said(name):
    return facts.read_facts(page.parse((FOLDER / name).read_bytes().decode()))


@pytest.mark.parametrize("name", ["template.md", "crlf.md", "bom.md", "classic-mac.md", "no-final-newline.md"])
def test_the_first_form_is_read_whatever_its_line_ends(name):
    found = said(name)

    assert found["form"] == "003"
    assert found["header"] == {
        "line": 2,
        "updated": "2026-11-16",
        "session": 4,
        "branch": "main",
        "health": 8,
        "reviewed": "",
    }
    assert found["overview"] == "Bakery shop. Next.js 14, Prisma, Stripe."
    assert found["left"] == {
        "task": "Stripe refund in `src/api/stripe.ts:89`",
        "status": "in progress",
        "next": "Finish `handleRefund()`",
        "question": "",
    }
    assert found["active"] == [
        {"line": 18, "text": "Refund handler", "done": False},
        {"line": 19, "text": "Login", "done": True},
    ]
    assert found["decisions"][0]["decision"] == "Prisma | Drizzle"
    assert found["files"] == [{"line": 29, "path": "src/api/stripe.ts", "purpose": "webhooks", "session": 3}]
    assert found["log"][0]["session"] == 4
    assert {"line": 9, "path": "src/api/stripe.ts", "at": 89} in found["refs"]


def test_the_second_form_is_read():
    found = said("workstreams.md")

    assert found["form"] == "004"
    assert [(one["title"], one["done"]) for one in found["workstreams"]] == [
        ("Seat map", True),
        ("Refunds", False),
    ]
    assert found["workstreams"][1]["next"] == "Write `RefundView` in `shop/views.py`"
    assert found["workstreams"][1]["metric"] == "3 % of orders"
    assert [one["resolved"] for one in found["issues"]] == [True, False]
    assert found["decisions"][0]["reason"] == "one worker is enough"
    assert found["references"] == [{"line": 41, "what": "Models", "where": "shop/models.py"}]


def test_a_template_just_made_says_nothing():
    text = (Path(__file__).parents[3] / "templates" / "MEMORY.md").read_text()
    found = facts.read_facts(page.parse(text))

    assert found["form"] == "003"
    assert [one["title"] for one in found["sections"] if one["filled"]] == ["Project Memory"]
    assert not any(found[name] for name in ("decisions", "files", "log", "active", "refs", "overview"))


def test_hints_and_none_are_not_facts():
    found = facts.read_facts(page.parse("## Blockers\n- none\n- [blocker with context]\n- waits for the key\n"))

    assert [one["text"] for one in found["blockers"]] == ["waits for the key"]


@given(st.text(max_size=300))
def test_any_text_has_facts_that_json_holds(text):
    assert json_codec.dumps(facts.read_facts(page.parse(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see `src/app.py:12-20` and `Makefile`", [("src/app.py", 12), ("Makefile", 0)]),
        ("[guide](./docs/guide.md#L7) and docs/other.md.", [("docs/guide.md", 7), ("docs/other.md", 0)]),
        ("`lib/belay/` and `a/b`", [("lib/belay/", 0)]),
        ("Next.js, `Node.js`, and/or, 2026/01/02, origin/main, `npm run a/b.ts x`", []),
        ("https://example.com/a/b.html `/api/users` `~/x.py` `../x.py` `/etc/x.conf`", []),
        ("`src/**/*.ts` `memory/YYYY-MM-DD.md` `{name}.py` `@scope/pkg` github.com/a/b.go", []),
        ("main.go, lib/ and src/main.go:7 of cmd/", [("src/main.go", 7)]),
        ("`main.go`, `lib/` and `cmd/x.y`", [("main.go", 0), ("lib/", 0)]),
        ("`handleRefund()` `foo.bar` `v1.2.3` `a.b.c`", []),
    ],
)
def test_only_paths_are_refs(text, expected):
    assert [(ref.path, ref.at) for ref in path_references.find_paths_in_line(text)] == expected


@pytest.mark.parametrize(
    ("text", "line", "updated"),
    [
        ("# A\n**Last Updated**: 2026-04-05\n", 2, "2026-04-05"),
        ("# A\n_Last updated: 2026-04-01_\n## B\n", 2, "2026-04-01"),
        ("# A\n## B\ntext\n\n*Last updated: 2026-01-30 18:30 UTC*\n", 5, "2026-01-30"),
        ("---\nlast_updated: '2026-02-03'\n---\n# A\n## B\n", 2, "2026-02-03"),
        (
            "## A\n> Last Updated: 2025-01-02\n\n## B\n**Last Updated:** 2025-03-04 (evening)\n",
            5,
            "2025-03-04",
        ),
        ("# A\n## B\n**Last Updated:** March 2026\n", 3, ""),
        ("# A\n## B\n- the site was last updated: 2026-03-01\n", 0, ""),
        ("# A\n## B\n```\nLast updated: 2026-03-01\n```\n", 0, ""),
    ],
)
def test_a_guide_is_dated_where_guides_are(text, line, updated):
    header = facts.read_facts(page.parse(text))["header"]

    assert (header["line"], header["updated"]) == (line, updated)


@pytest.mark.parametrize(
    "path", ["../x.py", "a/../../etc/x.py", "/etc/x.py", "~/x.py", "C:/x.py", "..\\x.py", "a\0.py"]
)
def test_a_path_that_leads_out_is_no_ref(path):
    assert path_references.leads_out(path)
    assert path_references.find_paths_in_line(f"see `{path}` and {path}") == []


@pytest.mark.parametrize(
    "text",
    [
        "…", "...", '"…"', "“...”", " … ", "Placeholder.", "none", "[task]", "[DATE] [one-line summary]",
        "2026-03-01 [one-line summary]", "[N] | 2026-03-01 | [what happened]", "[path] | [what it does] | session 3",
    ],
)  # fmt: skip
def test_what_only_holds_a_place_is_a_hint(text):
    assert facts.is_placeholder(text)


@pytest.mark.parametrize("text", [
    "…and then the oven", ".env", "placeholder images are served by the CDN", "2026-03-01", "12", "session 3", "[x] done",
    "[docs](docs/a.md)", "2026-03-01 [API] is done", "1 | 2026-03-01 | [log](a.md)",
])  # fmt: skip
def test_what_says_something_is_none(text):
    assert not facts.is_placeholder(text)


def test_placeholders_of_the_template_are_no_facts():
    text = (
        "# Project Memory\n\n## Completed\n- 2026-03-01 [one-line summary]\n\n## Active Work\n- [ ] [task]\n- [x] real\n\n"
        "## Key Decisions\n| Date | Decision | Reasoning |\n|---|---|---|\n| 2026-03-01 | [what was decided] | [why] |\n\n"
        "## Key Files\n| File | Purpose |\n|---|---|\n| [path] | [what it does] |\n\n## Known Issues\n- [issue]\n"
    )
    found = facts.read_facts(page.parse(text))

    assert [row["text"] for row in found["active"]] == ["real"]
    assert [found[name] for name in ("completed", "decisions", "files", "issues")] == [[], [], [], []]
    assert [row["title"] for row in found["sections"] if row["filled"]] == ["Project Memory", "Active Work"]


def test_a_short_file_says_its_next_step_in_its_opening():
    text = "# Gusts\nLast updated: 2026-03-01\nLogs the wind, in Go.\n**Next:** round them in `main.go`\n\n## Notes\nNext: no\n"
    found = facts.read_facts(page.parse(text))

    assert (found["overview"], found["overview_line"]) == ("Logs the wind, in Go.", 3)
    assert (found["left"]["next"], found["left_lines"]["next"]) == ("round them in `main.go`", 4)


@given(st.text(st.sampled_from("[]()N0123456789-|. \nabSession"), max_size=200))
def test_any_cell_is_a_placeholder_or_not(text):
    assert facts.is_placeholder(text) in (True, False)
