"""Compiled memories: found by content, believed only with this user's mark, layered."""

import os
from pathlib import Path

import pytest
import story
from repos import git

from belay.context.recall import signed_files
from belay.context.start import compiled_memory
from belay.repository import projects
from belay.safety import trust

TEXT = "# Project Memory\nLast updated: 2026-11-16 | Session 4 | Branch: main\n\n## Blockers\n- One\n"


@pytest.fixture
def place(project):
    story.environment(os.environ)
    os.makedirs(project.journals)
    return project


def put(project, path, text):
    story.remember(project.root, path, text, 1_700_000_000)


def kept(project):
    return sorted(name for name in os.listdir(project.states) if name.startswith("memory-"))


def test_the_second_time_nothing_is_parsed(place, monkeypatch):
    put(place, "MEMORY.md", TEXT)
    first = compiled_memory.load(place, os.environ)
    monkeypatch.setattr(compiled_memory, "_parse", None)
    assert compiled_memory.load(place, os.environ) == first
    assert first.facts["blockers"][0]["text"] == "One"
    assert first.layers == ["MEMORY.md"]
    assert kept(place) == [f"memory-{first.key}"]


def test_a_change_is_seen_by_content(place):
    put(place, "MEMORY.md", TEXT)
    compiled_memory.load(place, os.environ)
    put(place, "MEMORY.md", TEXT.replace("One", "Two"))
    assert compiled_memory.load(place, os.environ).facts["blockers"][0]["text"] == "Two"


@pytest.mark.parametrize(
    "change", [lambda data: data.replace(b"One", b"Bad"), lambda data: b"", lambda data: b"x\ny\n{"]
)
def test_what_was_not_sealed_here_is_compiled_again(place, change):
    put(place, "MEMORY.md", TEXT)
    key = compiled_memory.load(place, os.environ).key
    path = Path(place.states, f"memory-{key}")
    path.write_bytes(change(path.read_bytes()))
    assert compiled_memory.load(place, os.environ).facts["blockers"][0]["text"] == "One"


def test_another_users_seal_opens_nothing(tmp_path):
    data = signed_files.seal(os.environ, "key", {"a": 1}, [2])
    assert signed_files.open_sealed(os.environ, data) == [{"a": 1}, [2]]
    assert signed_files.open_sealed({**os.environ, "XDG_DATA_HOME": str(tmp_path)}, data) == []
    assert signed_files.read_key(data) == "key"


def test_no_secret_is_copied(place):
    key = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    put(place, "MEMORY.md", TEXT.replace("One", f"The token {key}"))
    found = compiled_memory.load(place, os.environ)
    assert key not in str(found.facts)
    assert key.encode() not in b"".join(Path(place.states, name).read_bytes() for name in os.listdir(place.states))


def test_text_that_nobody_accepted_is_not_compiled(place):
    Path(place.memory_md).write_text(TEXT)
    git(place.root, "add", ".")
    git(place.root, "commit", "-qm", "theirs")
    trust.revoke(os.environ, place.root, "MEMORY.md")
    found = compiled_memory.load(place, os.environ)
    assert (found.layers, found.facts, found.unknown) == ([], {}, ("MEMORY.md",))


def test_a_nearer_memory_lies_over_the_roots(place):
    put(place, "MEMORY.md", TEXT)
    put(place, "packages/web/MEMORY.md", "# Web\n\n## Blockers\n- Two\n")
    os.makedirs(os.path.join(place.root, "packages", "web", "src"))
    found = compiled_memory.load(place, os.environ, os.path.join(place.root, "packages", "web", "src"))
    assert found.layers == ["MEMORY.md", "packages/web/MEMORY.md"]
    assert [row["text"] for row in found.facts["blockers"]] == ["One", "Two"]
    assert compiled_memory.load(place, os.environ).layers == ["MEMORY.md"]


def test_what_claude_md_says_is_not_told_again(place):
    said = "Bakery shop on Next.js with Prisma and Stripe, sold to twelve bakeries in Norway."
    put(
        place,
        "MEMORY.md",
        f"# M\n\n## Project Overview\n{said}\n\n## Blockers\n- The key of Stripe for staging\n",
    )
    assert compiled_memory.load(place, os.environ).facts["told"] == []
    Path(place.root, "CLAUDE.md").write_text(f"# Rules\n\n{said}\n")
    assert compiled_memory.load(place, os.environ).facts["told"] == [4]


def test_a_file_of_any_bytes_is_no_trouble(place):
    for text in ("", "\ufeff# M\r\n", "```\nunclosed", "- " * 500, "| a | b |\n" * 50):
        put(place, "MEMORY.md", text)
        assert compiled_memory.compile_ahead(place, os.environ) == bool(compiled_memory.load(place, os.environ).facts)


def test_without_a_folder_of_belays_nothing_is_written(project):
    story.environment(os.environ)
    put(project, "MEMORY.md", TEXT)
    assert compiled_memory.load(project, os.environ).facts
    assert not os.path.exists(projects.find(project.root, os.environ).store)
