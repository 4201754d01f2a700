"""The pages for people: complete, linked, and short enough to be read."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
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
    wrong = [
        f"{page.relative_to(ROOT)}: {link}" for page in PAGES for link in links(page) if broken(page, link)
    ]

    assert wrong == []


def test_the_index_names_every_page():
    named = {(DOCS / link).resolve() for link in links(DOCS / "README.md")}
    pages = {page.resolve() for page in DOCS.glob("*.md")} - {(DOCS / "README.md").resolve()}

    assert sorted(str(page.relative_to(ROOT)) for page in pages - named) == []


def test_the_changelog_stays_short():
    assert len((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()) <= 80
