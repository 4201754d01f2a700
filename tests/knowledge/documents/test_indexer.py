"""An index run reads what changed, takes out what is gone, and leaves alone what is no document."""

import os
from pathlib import Path

import pytest
from repos import git
from secretsamples import made

from belay.core.errors import BadInput
from belay.knowledge.documents import documents, indexer, reading
from belay.knowledge.exchange import export
from belay.knowledge.search import search
from belay.knowledge.store.store import Store
from belay.safety import trust
from belay.safety.labels import make_label

SECRET = "ghp_" + made(36)


@pytest.fixture
def folder(tmp_path):
    """A folder of documents without git."""
    place = tmp_path / "docs"
    place.mkdir()
    return place


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "x.db"), os.environ, create=True) as store:
        yield store


def write(folder, name, text="# Head\n\nSome text.\n", age=100.0):
    """Write a file that is some seconds old."""
    path = Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    when = path.stat().st_mtime - age
    os.utime(path, (when, when))
    return path


def paths(store):
    return [row.path for row in documents.list_files(store.connection) if row.sections]


def indexed(store):
    return dict(store.connection.execute("SELECT path, group_concat(text, char(10)) FROM memory_fts GROUP BY path"))


def test_only_what_changed_is_read_again(folder, store):
    for at in range(3):
        write(folder, f"{at}.md", f"# {at}\n\nText number {at}.\n")
    assert indexer.run_index(str(folder), store)[:3] == (3, 3, 3)
    assert indexer.run_index(str(folder), store)[:3] == (3, 0, 0)

    write(folder, "1.md", "# 1\n\nAnother text.\n", age=50)
    assert indexer.run_index(str(folder), store)[:3] == (3, 1, 1)
    assert "Another text." in indexed(store)["1.md"]
    assert "number 1" not in indexed(store)["1.md"]


def test_a_touched_file_is_not_written_again(folder, store):
    path = write(folder, "a.md")
    indexer.run_index(str(folder), store)
    os.utime(path, (path.stat().st_mtime + 20,) * 2)

    assert indexer.run_index(str(folder), store).indexed == 0
    assert documents.load_stamps(store.connection)["a.md"].mtime == path.stat().st_mtime_ns


def test_a_file_written_twice_within_one_tick_is_read_again(folder, store):
    path = write(folder, "a.md", "# Head\n\nfirst.\n", age=0)
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    indexer.run_index(str(folder), store)
    path.write_text("# Head\n\nother.\n")
    os.utime(path, ns=times)

    assert indexer.run_index(str(folder), store).indexed == 1
    assert "other." in indexed(store)["a.md"]


def test_what_is_gone_is_taken_out(folder, store):
    write(folder, "a.md")
    write(folder, "sub/b.md")
    indexer.run_index(str(folder), store)
    (folder / "a.md").unlink()

    assert indexer.run_index(str(folder), store).removed == 1
    assert list(indexed(store)) == paths(store) == ["sub/b.md"]
    assert store.connection.execute("SELECT count(*) FROM sections").fetchone()[0] == 1


def test_lines_are_those_of_the_file(folder, store):
    body = "\n".join(f"line {at} " + "word " * 30 for at in range(1, 101))
    write(folder, "a.md", body)
    indexer.run_index(str(folder), store)
    rows = store.connection.execute("SELECT start_line, end_line, text FROM memory_fts ORDER BY rowid").fetchall()

    assert len(rows) > 5
    lines = body.split("\n")
    assert [text for _, _, text in rows] == ["\n".join(lines[start - 1 : end]) for start, end, _ in rows]


def test_what_is_no_document_is_left_out_with_the_reason(folder, store):
    write(folder, "good.md")
    write(folder, "conflict.md", "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n")
    write(folder, "latin.md", "Gr\xfc\xdfe\n".encode("latin-1"))
    write(folder, "null.md", b"a\0b")
    write(folder, "large.md", b"x" * (1024 * 1024 + 1))
    os.mkfifo(folder / "pipe.md")
    outside = write(folder.parent, "outside.md")
    (folder / "link.md").symlink_to(outside)
    (folder / "linked").symlink_to(folder.parent)
    write(folder, "image.png", b"\x89PNG")
    counts = indexer.run_index(str(folder), store)

    assert counts.skipped == {"conflict": 1, "encoding": 2, "over 1 MB": 1, "not a file": 1, "link": 1}
    assert paths(store) == ["good.md"]
    assert indexer.run_index(str(folder), store).skipped == counts.skipped  # not read again, still told


def test_a_folder_that_became_a_link_is_not_followed(folder, store):
    write(folder.parent, "outside/secret.md", "# Not ours\n\nText.\n")
    write(folder, "sub/a.md")
    look = reading.look_at_file(str(folder), "sub/a.md")
    os.rename(folder / "sub", folder / "old")
    (folder / "sub").symlink_to(folder.parent / "outside")
    (folder.parent / "outside" / "a.md").write_text("# Not ours\n")

    assert reading.read_document(str(folder), look, None).stamp.why == "link"


def test_neither_secrets_nor_what_belay_injected_reach_the_base(folder, store):
    write(folder, "a.md", f"# Notes\n\ntoken {SECRET}\n\n<belay>\ntold\nbefore\n</belay>\n\nAfter it.\n")
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7bqD\n" * 30 + "-----END RSA PRIVATE KEY-----\n"
    write(folder, "b.md", f"# Key\n\n{key}\nLine 37 here.\n")
    indexer.run_index(str(folder), store)
    found = indexed(store)

    assert SECRET not in str(found)
    assert "told" not in found["a.md"]
    assert "After it." in found["a.md"].split("\n")[9]
    assert "MIIE" not in found["b.md"]
    assert found["b.md"].split("\n")[35] == "Line 37 here."
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert SECRET.encode() not in Path(store.path).read_bytes()


def test_git_tells_which_files_count(repo, store):
    write(repo, ".gitignore", "private/\n*.tmp.md\n")
    write(repo, "private/a.md")
    write(repo, "x.tmp.md")
    write(repo, "tracked.md")
    write(repo, "new.md")
    git(repo, "add", "tracked.md")
    write(repo, "node_modules/lib/README.md")
    write(repo, "dist/out.md")  # not ignored here, so it is no output
    indexer.run_index(str(repo), store)
    assert paths(store) == ["dist/out.md", "file.txt", "new.md", "tracked.md"]

    indexer.run_index(str(repo), store, ignored=True)
    assert "private/a.md" in paths(store)
    assert "node_modules/lib/README.md" not in paths(store)
    indexer.run_index(str(repo), store)  # as last time
    assert "private/a.md" in paths(store)
    indexer.run_index(str(repo), store, ignored=False)
    assert "private/a.md" not in paths(store)


def test_a_folder_that_git_ignores_can_be_indexed_by_name(repo, store):
    write(repo, ".gitignore", "notes/\n")
    write(repo, "notes/a.md")
    indexer.run_index(str(repo / "notes"), store)

    assert paths(store) == ["a.md"]


def test_without_git_caches_and_output_are_left_out(folder, store):
    for name in (
        "a.md",
        "node_modules/x/README.md",
        ".venv/b.md",
        "dist/c.md",
        "deep/er/d.rst",
        "LICENSE.txt",
    ):
        write(folder, name)
    write(folder, "README")
    indexer.run_index(str(folder), store)
    assert paths(store) == ["README", "a.md", "deep/er/d.rst"]

    indexer.run_index(str(folder), store, ignored=True)
    assert paths(store) == ["README", "a.md", "deep/er/d.rst", "dist/c.md"]


def test_belays_own_files_are_left_out_and_logs_are_not(project, store):
    for name in (
        "CONTINUATION.md", "memory/working-buffer.md", ".claude/memory/continuations/x.md", ".claude/memory/state/y.md",
        ".claude/orchestration/session-context.md",
    ):  # fmt: skip
        write(project.root, name)
    for name in ("MEMORY.md", "memory/2026-11-20.md", ".claude/memory/playbooks/retry.md", "CLAUDE.md"):
        text = write(project.root, name).read_bytes()
        trust.record(os.environ, project.root, name, text)
    write(project.root, ".gitignore", "memory/\nMEMORY.md\n")
    indexer.run_index(project.root, store)

    wanted = {
        "MEMORY.md",
        "memory/2026-11-20.md",
        ".claude/memory/playbooks/retry.md",
        "CLAUDE.md",
        "file.txt",
    }
    assert set(paths(store)) == wanted


def test_a_limited_run_is_taken_up_by_the_next(folder, store):
    for at in range(10):
        write(folder, f"{at}.md", f"# {at}\n\nText.\n", age=100 + at)
    first = indexer.run_index(str(folder), store, limit=4)
    assert (first.indexed, first.left) == (4, 6)
    assert paths(store) == ["0.md", "1.md", "2.md", "3.md"]  # the newest first
    second = indexer.run_index(str(folder), store, limit=4)
    assert (second.indexed, second.left) == (4, 2)
    assert indexer.run_index(str(folder), store, limit=4).left == 0
    assert indexer.run_index(str(folder), store, seconds=1e-9, anew=True).left == 9


def test_progress_is_told(folder, store, monkeypatch):
    monkeypatch.setattr(indexer, "BATCH_FILES", 2)
    for at in range(5):
        write(folder, f"{at}.md")
    told = []
    indexer.run_index(str(folder), store, told=lambda done, todo: told.append((done, todo)))

    assert told == [(2, 5), (4, 5), (5, 5)]


def test_all_reads_everything_anew_and_changes_nothing(folder, store):
    for at in range(3):
        write(folder, f"{at}.md", f"# {at}\n\nText number {at}.\n")
    indexer.run_index(str(folder), store)
    before = indexed(store)

    assert indexer.run_index(str(folder), store, anew=True)[:3] == (3, 3, 3)
    assert indexed(store) == before


def test_other_rules_of_cutting_read_everything_anew(folder, store, monkeypatch):
    write(folder, "a.md")
    indexer.run_index(str(folder), store)
    monkeypatch.setattr(indexer, "FORM", "next")

    assert indexer.run_index(str(folder), store).indexed == 1
    assert indexer.run_index(str(folder), store).indexed == 0


def test_another_folder_takes_the_place_of_the_one_before(folder, store):
    write(folder, "a.md")
    write(folder.parent, "other/b.md")
    indexer.run_index(str(folder), store)
    indexer.run_index(str(folder.parent / "other"), store)

    assert paths(store) == ["b.md"]
    assert documents.load_folder(store.connection) == str(folder.parent / "other")


def test_a_folder_that_is_none_is_bad_input(tmp_path, store):
    with pytest.raises(BadInput, match="is no folder"):
        indexer.run_index(str(tmp_path / "missing"), store)


def test_a_part_leaves_the_rest_as_it_is(folder, store):
    write(folder, "docs/a.md")
    write(folder, "b.md")
    indexer.run_index(str(folder), store)
    (folder / "b.md").unlink()
    write(folder, "docs/c.md")

    assert indexer.run_index(str(folder), store, below="docs/")[:4] == (2, 1, 1, 0)
    assert paths(store) == ["b.md", "docs/a.md", "docs/c.md"]


def test_names_that_are_no_text_are_left_out(folder, store):
    path = os.path.join(os.fsencode(folder), b"\xff.md")
    with open(path, "wb") as file:
        file.write(b"# Text\n")

    assert indexer.run_index(str(folder), store).skipped == {"name": 1}


def test_a_walk_of_too_many_names_takes_nothing_out(folder, store, monkeypatch):
    for at in range(6):
        write(folder, f"{at}.md")
    indexer.run_index(str(folder), store)
    (folder / "0.md").unlink()
    monkeypatch.setattr(indexer.walk, "ENTRIES", 3)
    counts = indexer.run_index(str(folder), store)

    assert (counts.files, counts.removed, counts.skipped) == (3, 0, {indexer.UNREACHED: 1})
    assert len(paths(store)) == 6


def test_what_was_indexed_is_found(folder, store):
    write(folder, "guide/pay.md", "# Payments\n\nRefunds go through the ledger.\n")
    indexer.run_index(str(folder), store)

    (hit,) = search.search(store, "refund ledger").results
    assert (hit.path, hit.start, hit.end) == ("guide/pay.md", 1, 3)


RULES = """# Cart

## Technical Insights
- ❌ Don't round prices before the tax
- ✅ Use the money type for sums

## Done
- ✅ Cart page
"""


def rules(store):
    rows = store.connection.execute(
        "SELECT e.type, e.content, f.file_path, e.metadata FROM entries AS e JOIN files AS f ON f.entry_id = e.id "
        "WHERE e.id LIKE 'I-%' ORDER BY e.metadata"
    )
    return [tuple(row) for row in rows]


def test_rules_of_a_claude_md_are_tied_to_its_folder_and_told_once_trusted(project, store):
    write(project.root, "shop/cart/CLAUDE.md", RULES)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "as if cloned")
    indexer.run_index(project.root, store)
    about = '{{"from": "shop/cart/CLAUDE.md", "line": {}, "trusted": {}}}'
    assert rules(store) == [
        ("antipattern", "Don't round prices before the tax", "shop/cart/", about.format(4, "false")),
        ("preference", "Use the money type for sums", "shop/cart/", about.format(5, "false")),
    ]

    trust.accept(os.environ, project.root, "shop/cart/CLAUDE.md", RULES.encode())
    indexer.run_index(project.root, store)
    assert [row[3] for row in rules(store)] == [about.format(4, "true"), about.format(5, "true")]


def test_rules_move_and_go_with_their_lines_and_keep_their_counts(project, store):
    write(project.root, "shop/CLAUDE.md", RULES)
    indexer.run_index(project.root, store)
    (entry,) = store.connection.execute("SELECT id FROM entries WHERE type = 'preference'").fetchone()
    store.append({"kind": "entry-count", "of": "s-1", "counts": {entry: {"recalled": 1, "used": 1}}})
    write(project.root, "shop/CLAUDE.md", RULES.replace("- ❌", "\n- ❌"), age=50)
    indexer.run_index(project.root, store)
    assert [row[3].split(",")[1] for row in rules(store)] == [' "line": 5', ' "line": 6']
    assert store.get(entry).used == 1

    write(project.root, "shop/CLAUDE.md", "# Cart\n\n## Insights\n- ✅ Use the money type for sums\n", age=40)
    indexer.run_index(project.root, store)
    assert [row[1] for row in rules(store)] == ["Use the money type for sums"]
    os.unlink(project.at("shop/CLAUDE.md"))
    indexer.run_index(project.root, store)
    assert rules(store) == []
    assert store.connection.execute("SELECT count(*) FROM memory_fts WHERE text LIKE '%money%'").fetchone()[0] == 0

    write(project.root, "shop/CLAUDE.md", RULES)
    indexer.run_index(project.root, store)
    assert (store.get(entry).recalled, store.get(entry).used) == (1, 1)


def test_a_rule_of_a_file_never_swallows_what_a_person_says(project, store):
    write(project.root, "CLAUDE.md", RULES)
    indexer.run_index(project.root, store)
    said = store.add("antipattern", "Don't round prices before the tax")
    assert said.id.startswith("K-")
    os.unlink(project.at("CLAUDE.md"))
    indexer.run_index(project.root, store)

    assert store.get(said.id).status == "active"


def test_a_rule_that_was_forgotten_stays_so_in_a_new_base(project, store):
    write(project.root, "shop/CLAUDE.md", RULES)
    indexer.run_index(project.root, store)
    (entry,) = store.connection.execute("SELECT id FROM entries WHERE type = 'antipattern'").fetchone()
    store.change(entry, status="forgotten")
    indexer.run_index(project.root, store, anew=True)
    assert store.get(entry).status == "forgotten"
    assert search.search(store, "round prices tax", types=("antipattern",)).results == []

    store.close()
    for end in ("", "-wal", "-shm"):
        if os.path.exists(store.path + end):
            os.unlink(store.path + end)
    with Store(store.path, os.environ, create=True) as fresh:
        indexer.run_index(project.root, fresh)
        assert fresh.get(entry).status == "forgotten"
        assert len(rules(fresh)) == 2


def test_rules_of_files_are_not_exported(project, store):
    write(project.root, "CLAUDE.md", RULES)
    indexer.run_index(project.root, store)
    store.add("note", "The rate limit is 100 requests a minute")

    assert [row["type"] for row in export.load_rows(store).values()] == ["note"]


def test_a_search_names_the_line_of_a_rule(project, store):
    write(project.root, "shop/CLAUDE.md", RULES)
    indexer.run_index(project.root, store)
    hits = search.search(store, "round prices tax", types=("antipattern",)).results

    assert [(hit.path, hit.start, hit.end, hit.type) for hit in hits] == [("shop/CLAUDE.md", 4, 4, "antipattern")]


def test_comments_of_code_are_indexed_when_asked_for(folder, store):
    write(
        folder,
        "pay.py",
        'import os\n\n\ndef refund():\n    """Goes back through the ledger."""\n    return 1\n',
    )
    write(folder, "a.md")
    indexer.run_index(str(folder), store)
    assert paths(store) == ["a.md"]

    indexer.run_index(str(folder), store, code=True)
    (hit,) = search.search(store, "refund ledger").results
    assert hit.path == "pay.py"
    assert "return 1" not in indexed(store)["pay.py"]
    indexer.run_index(str(folder), store)  # as last time
    assert paths(store) == ["a.md", "pay.py"]
    indexer.run_index(str(folder), store, code=False)
    assert paths(store) == ["a.md"]


NAMED = "ghp_" + made(36, seed=3)


@pytest.mark.parametrize("pattern", ["notes-%.md", "%/guide.md", "password=%/guide.md"])
def test_a_secret_in_a_name_is_not_written_and_its_row_is_found_again(folder, store, pattern):
    names = [pattern.replace("%", value) for value in (SECRET, NAMED)]
    for name in names:
        write(folder, name, f"# Head of {names.index(name)}\n\nThe till rounds up.\n")
    assert indexer.run_index(str(folder), store).indexed == 2
    rows = paths(store)

    assert len(set(rows)) == 2
    assert all(path.count("[redacted:") == 1 for path in rows)
    assert not any(value.encode() in Path(store.path).read_bytes() for value in (SECRET[4:], NAMED[4:]))
    assert indexer.run_index(str(folder), store).indexed == 0
    assert [hit.path for hit in search.search(store, "till rounds", files=[names[0]]).results] == [make_label(names[0])]
    os.unlink(folder / names[0])
    assert indexer.run_index(str(folder), store).removed == 1
    assert paths(store) == [make_label(names[1])]
