"""Which names are documents, and which are Belay's own files."""

import pytest

from belay.knowledge.documents import file_kinds


@pytest.mark.parametrize(
    "path", ["a.md", "docs/A.RST", "README", "x/CHANGELOG", "n.txt", "requirements.md", ".github/b.mdx"]
)
def test_documents(path):
    assert file_kinds.is_text(path)


@pytest.mark.parametrize(
    "path", ["a.py", "LICENSE", "LICENSE.md", "requirements-dev.txt", "CMakeLists.txt", "data", "a.md.bak"]
)
def test_no_documents(path):
    assert not file_kinds.is_text(path)


@pytest.mark.parametrize(
    "path",
    [
        "CONTINUATION.md", "memory/working-buffer.md", ".claude/memory/log/working-buffer.md", ".claude/memory/state/a.md",
        "pkg/.claude/memory/continuations/b.md", ".claude/memory/README.md", ".claude/orchestration/session-context.md",
    ],
)  # fmt: skip
def test_machine_files(path):
    assert file_kinds.is_belay_file(path)


@pytest.mark.parametrize(
    "path",
    [
        "docs/CONTINUATION.md", "working-buffer.md", ".claude/memory/playbooks/a.md", ".claude/memory/log/2026-01-01.md",
        ".claude/memory-notes/a.md", ".claude/orchestration/evidence/a.md", "memory/2026-01-01.md", "session-context.md",
    ],
)  # fmt: skip
def test_files_of_people(path):
    assert not file_kinds.is_belay_file(path)


@pytest.mark.parametrize(
    ("name", "is_document", "stem"),
    [
        ("docs/guide.md.erb", True, "guide"),
        ("docs/guide.rst.ERB", True, "guide"),
        ("docs/guide.mdx", True, "guide"),
        ("app/mail/welcome.text.erb", False, "welcome"),
        ("motd.txt.erb", False, "motd"),
        ("app/index.html.erb", False, "index"),
    ],
)
def test_a_document_that_a_program_fills_in_is_one(name, is_document, stem):
    assert file_kinds.is_text(name) is is_document
    assert file_kinds.find_stem(name) == stem
