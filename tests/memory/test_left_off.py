"""What a hook writes by line is what the parser would have written, or nothing."""

import os
from pathlib import Path

import branchworld
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from repos import git

from belay.memory import left_off
from belay.memory.branches import overlay
from belay.memory.document import edits, page
from belay.repository import projects
from belay.session.session import Session

SAMPLES = sorted((Path(__file__).parents[1] / "data" / "memory" / "samples").iterdir())
FOUND = {"task": "mend it", "status": "blocked", "next": "go on at `a.py:3`"}
LINES = st.sampled_from(
    [
        "# Memory", "## Where We Left Off", "### Deep", "## Next", "Where We Left Off", "Status", "---", "===", "***",
        "- **Current task:** t", "- **Status:** s", "* **Status:** s", "Status: s", "  - **Status:** n", "- **Status:**",
        "- **Next immediate step:** n", "- **Other:** o", "  more", "lazy", "```", "~~~", "    code", "<!--", "-->", "<b>", "<!-- belay: project memory -->",
        "> - **Status:** q", "| a |", "|---|", "1. one", "", "[ref]: x", "\ufeff", "title: x",
    ]
)  # fmt: skip
TEXTS = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\n", "\r\n", "\r", ""])), max_size=14).map(
    lambda rows: "".join(line + end for line, end in rows)
)


def lines(text):
    return [page.strip_line_end(line) for line in page.split_lines(text)]


def check(text):
    """A line keeps its own end, where the parser gives it the file's."""
    for key, value in FOUND.items():
        new = left_off.replace_fields(text, {key: value})
        assert new == text or lines(new) == lines(edits.set_left_off(page.parse(text), {key: value}).text)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_lines_and_page_agree_on_samples(path):
    check(path.read_bytes().decode("utf-8", "surrogateescape"))


@given(TEXTS)
@example("\ufeff- **Status:**\n")
@example("- **Current task:** t\n\n    code\n")
@settings(max_examples=400, deadline=None)
def test_lines_and_page_agree_on_made_up_files(text):
    check(text)
    check("## Where We Left Off\n" + text)


@pytest.mark.parametrize("name", ["template.md", "crlf.md", "no-final-newline.md"])
def test_plain_sections_are_written(name):
    text = next(path for path in SAMPLES if path.name == name).read_bytes().decode()
    known = {key for key, value in edits.find_fields(page.parse(text), page.parse(text).section("left")).items()}
    found = {key: value for key, value in FOUND.items() if key in known}

    assert found
    assert left_off.replace_fields(text, found) == edits.set_left_off(page.parse(text), found).text != text


def test_an_overlay_under_its_older_name_gets_its_own(project, repo):
    git(repo, "checkout", "-qb", "feature/tax")
    old = branchworld.remember(repo, path=os.path.join(project.overlays, "feature-tax.md"))
    here = projects.find(str(repo), os.environ)
    session = Session(here, "11111111-aaaa", os.environ)
    session.log("prompt", task="rates by country", **session.place())

    assert left_off.update_left_off(session)
    assert not os.path.exists(old)
    assert "in progress" in Path(overlay.overlay_path(here, "feature/tax")).read_text()
