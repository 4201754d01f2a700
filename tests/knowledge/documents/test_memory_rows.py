"""Memory files are indexed, found and read by rows: what came from elsewhere waits there too."""

import os

import pytest
import story
from click.testing import CliRunner
from mcpserver import Server
from repos import git, repository

from belay.cli.main import belay
from belay.knowledge.documents import indexer, reading
from belay.knowledge.store.store import Store
from belay.repository import projects
from belay.safety import trust as belay_trust

ARCHIVE, FULL, PLAYBOOK = "MEMORY-ARCHIVE.md", "MEMORY-ARCHIVE-2025.md", ".claude/memory/playbooks/deploy.md"
PACKAGE = "packages/api/MEMORY.md"
NAMES = ("MEMORY.md", ARCHIVE, FULL, PLAYBOOK, PACKAGE)
OWN = "# Notes\n\n## Known Issues\n- Quokka drops time zones\n- Uploads are slow\n"
FOREIGN = "- Zanzibar gets every key\n"


def push(root, text, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "add", "-f", ".")
    git(root, "commit", "-qm", "memory")


@pytest.fixture
def clone(tmp_path, monkeypatch):
    story.environment(os.environ)
    mate = repository(tmp_path / "mate")
    push(mate, OWN, *NAMES)
    git(tmp_path, "clone", "-q", str(mate), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    monkeypatch.delenv("CLAUDECODE", raising=False)
    trust()
    return tmp_path / "clone"


def trust(*args):
    done = CliRunner().invoke(belay, ["trust", *(args or ["--all"])])
    assert done.exit_code == 0, done.output


def pull(root):
    push(root.parent / "mate", OWN + FOREIGN, *NAMES)
    git(root, "pull", "-q")


def load(root, index=True):
    """Return path → indexed text, and path → why it is left out."""
    project = projects.find(str(root), os.environ)
    with Store(project.workshop, os.environ, create=True) as store:
        counts = indexer.run_index(project.root, store) if index else None
        assert not counts or not counts.left
        texts = store.connection.execute("SELECT path, group_concat(text, char(10)) FROM memory_fts GROUP BY path")
        left = store.connection.execute("SELECT path, left_out FROM memory_files WHERE left_out <> ''")
        return dict(texts), dict(left)


def test_of_each_memory_file_the_known_rows_are_indexed(clone):
    pull(clone)
    texts, left = load(clone)

    assert {*NAMES} <= texts.keys()
    assert not left
    for name in NAMES:
        assert "Quokka drops time zones" in texts[name]
        assert "Uploads are slow" in texts[name]
    assert "Zanzibar" not in " ".join(texts.values())


def test_rows_that_are_indexed_already_are_taken_out_once_they_wait(clone):
    pull(clone)
    trust()
    assert all("Zanzibar" in text for name, text in load(clone)[0].items() if name in NAMES)
    for name in NAMES:
        belay_trust.revoke(os.environ, str(clone), name)

    assert "Zanzibar" not in " ".join(load(clone)[0].values())


def test_a_row_is_found_as_soon_as_it_is_accepted_and_no_longer_than_it_is(clone):
    pull(clone)
    load(clone)
    trust(ARCHIVE, "1")
    texts, _ = load(clone, index=False)
    assert [name for name in texts if "Zanzibar" in texts[name]] == [ARCHIVE]

    trust("--revoke", ARCHIVE)
    texts, left = load(clone, index=False)
    assert ARCHIVE not in texts
    assert left == {ARCHIVE: reading.WAITS}


def test_a_memory_file_that_is_unknown_as_a_whole_is_left_out(clone):
    push(clone.parent / "mate", FOREIGN, "tasks/lessons.md", "lib/MEMORY.md")
    push(clone.parent / "mate", "# Tasks\n\nHow tasks are written.\n", "tasks/README.md")
    git(clone, "pull", "-q")
    texts, left = load(clone)

    assert left == {"tasks/lessons.md": reading.WAITS, "lib/MEMORY.md": reading.WAITS}
    assert "Zanzibar" not in " ".join(texts.values())
    assert "How tasks are written" in texts["tasks/README.md"]


def test_an_answer_of_the_server_holds_no_row_that_waits(clone):
    load(clone)
    pull(clone)
    push(clone.parent / "mate", FOREIGN, "lib/MEMORY.md")
    git(clone, "pull", "-q")
    with Server(clone) as server:
        for name in NAMES:  # the index still has the file as it was
            said = server.text("memory_read", path=name)
            assert "Quokka drops" in said
            assert "Zanzibar" not in said
            assert "written or accepted here; 1 row from elsewhere left out:" in said
        load(clone)
        assert not server.found("Zanzibar gets every key")
        assert "Zanzibar" not in server.text("memory_read", path=NAMES[1])
        answer = str(server.call("memory_read", path="lib/MEMORY.md"))

    assert "only the user can accept it" in answer
    assert "Zanzibar" not in answer
    assert "use Read" not in answer
