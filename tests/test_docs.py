"""The pages for people: complete, linked, and short enough to be read."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from commandwords import find_mistake, list_calls

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
FORM = ["Context", "Decision", "Consequence"]
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")


def prose(text):
    """Return a page without its code: what looks like a link there is none."""
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)


def links(page):
    """Return the relative links of a page."""
    found = (first or second for first, second in LINK.findall(prose(page.read_text(encoding="utf-8"))))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(page):
    """Return the names that headings of a page can be linked by, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page, link):
    """Tell whether a link leads to no file, or to no heading of it."""
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    return not target.exists() or (bool(anchor) and anchor not in anchors(target))


def test_every_relative_link_leads_somewhere():
    wrong = [f"{page.relative_to(ROOT)}: {link}" for page in PAGES for link in links(page) if broken(page, link)]

    assert wrong == []


CALLED = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted((ROOT / "commands").glob("*.md"))]


@pytest.mark.parametrize("page", CALLED, ids=lambda page: page.stem)
def test_every_command_that_a_page_names_exists_with_its_options(page):
    calls = list_calls(page.read_text(encoding="utf-8"))

    assert [(call, mistake) for call in calls if (mistake := find_mistake(call))] == []


def unnamed(folder):
    """Return the pages of a folder that its index does not link to."""
    named = {(folder / link).resolve() for link in links(folder / "README.md")}
    return sorted(page.name for page in folder.glob("*.md") if page.resolve() not in named)


def test_each_index_names_every_page():
    assert unnamed(DOCS) == ["README.md"]
    assert unnamed(DOCS / "decisions") == ["README.md"]


def test_decisions_are_few_and_have_one_form():
    notes = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    headings = {note.name: re.findall(r"^## (.*)$", note.read_text(encoding="utf-8"), re.M) for note in notes}

    assert 8 <= len(notes) <= 12
    assert [note.name[:4] for note in notes] == [f"{number:03}-" for number in range(1, len(notes) + 1)]
    assert {name: found for name, found in headings.items() if found != FORM} == {}


def test_the_changelog_stays_short():
    assert len((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()) <= 80


def test_the_drawing_of_the_packages_is_todays():
    done = subprocess.run([sys.executable, ROOT / "tools" / "layout.py"], capture_output=True, text=True, check=True)

    assert done.stdout.strip() in (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_every_module_that_the_page_on_the_architecture_names_exists():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Old names")[0]
    named = {
        name for name in re.findall(r"`([a-z_]+/[a-z_/]+\.(?:py|txt|sql))`", page) if not name.startswith("bench/")
    }
    missing = [name for name in sorted(named) if not any((ROOT / top / name).is_file() for top in ("lib/belay", "."))]

    assert named
    assert missing == []
