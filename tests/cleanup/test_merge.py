"""Two databases become one: every row once, nothing lost, the text index true."""

import sqlite3
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st
from legacy import found, pending, rows, tree, workshop

from belay.cleanup import databases
from belay.cleanup.merge import merge


def merged(tmp_path):
    outcome = merge(str(tmp_path / "a.db"), str(tmp_path / "b.db"), "workshop", str(tmp_path / "made.db"))
    assert outcome.problem == ""
    return outcome, tmp_path / "made.db"


def test_rows_of_both_once_and_the_index_finds_them(tmp_path):
    workshop(tmp_path / "a.db", {"1": "red apple", "2": "green pear"})
    workshop(
        tmp_path / "b.db",
        {"3": "blue plum", "2": "green pear"},
        ["UPDATE entries SET timestamp = '2025-01-02 10:00:00' WHERE id = '2'"],
    )

    outcome, made = merged(tmp_path)

    assert rows(made) == [("1", "red apple"), ("2", "green pear"), ("3", "blue plum")]
    assert (found(made, "plum"), found(made, "pear")) == (["3"], ["2"])
    assert (outcome.renamed, outcome.lost) == (0, [])


def test_inputs_stay_as_they_are(tmp_path):
    workshop(tmp_path / "a.db", {"1": "x"}, wal=True)
    workshop(tmp_path / "b.db", {"1": "y"}, wal=True)
    before = tree(tmp_path)

    merged(tmp_path)

    after = tree(tmp_path)
    assert after.pop("made.db")
    assert after == before


def test_same_id_other_content_keeps_both_and_tags_follow(tmp_path):
    tag = "INSERT INTO tags VALUES ('1', '{0}')", "INSERT INTO files VALUES ('1', '{0}.py')"
    workshop(tmp_path / "a.db", {"1": "use tabs"}, [text.format("left") for text in tag])
    workshop(tmp_path / "b.db", {"1": "use spaces", "2": "x"}, [text.format("right") for text in tag])

    outcome, made = merged(tmp_path)

    assert rows(made) == [("1", "use tabs"), ("1~workshop", "use spaces"), ("2", "x")]
    assert rows(made, "SELECT * FROM tags ORDER BY 1") == [("1", "left"), ("1~workshop", "right")]
    assert rows(made, "SELECT * FROM files ORDER BY 1") == [("1", "left.py"), ("1~workshop", "right.py")]
    assert outcome.renamed == 1


def test_merging_again_adds_nothing(tmp_path):
    workshop(
        tmp_path / "a.db",
        {"1": "use tabs"},
        ["INSERT INTO preferences (category, content) VALUES ('c', 'p')"],
    )
    workshop(tmp_path / "b.db", {"1": "use spaces"}, ["INSERT INTO tags VALUES ('1', 't')"])
    _, made = merged(tmp_path)
    made.rename(tmp_path / "a.db")

    outcome, made = merged(tmp_path)

    assert (outcome.added, outcome.lost) == (0, [])
    assert rows(made) == [("1", "use tabs"), ("1~workshop", "use spaces")]


def test_a_third_content_of_one_id_gets_a_third_name(tmp_path):
    workshop(tmp_path / "a.db", {"1": "a", "1~workshop": "b"})
    workshop(tmp_path / "b.db", {"1": "c"})

    _, made = merged(tmp_path)

    assert rows(made) == [("1", "a"), ("1~workshop", "b"), ("1~workshop-2", "c")]


def test_every_table_is_merged(tmp_path):
    common = [
        "INSERT INTO preferences (category, content, timestamp) VALUES ('style', 'short', '2025')",
        "INSERT INTO current_state (type, content, timestamp) VALUES ('goal', 'ship', '2025')",
        "INSERT INTO sessions (id, summary) VALUES ('s', 'same')",
        "INSERT INTO session_commands (session_id, command) VALUES ('s', 'make'), ('s', 'make')",
        "INSERT INTO session_files VALUES ('s', 'x.py')",
    ]
    only = [
        "INSERT INTO preferences (category, content, timestamp) VALUES ('style', 'long', '2025')",
        "INSERT INTO sessions (id, summary) VALUES ('t', 'new')",
        "INSERT INTO session_commands (session_id, command) VALUES ('s', 'make'), ('t', 'ls')",
        "INSERT INTO session_workshop_entries VALUES ('t', 'note', 3)",
        "INSERT INTO session_user_requests (session_id, request) VALUES ('t', 'please')",
        "INSERT INTO import_history (jsonl_path, jsonl_hash) VALUES ('p', 'h')",
        "INSERT INTO config VALUES ('editor', 'vi')",
    ]
    workshop(tmp_path / "a.db", {}, common)
    workshop(tmp_path / "b.db", {}, common + only)

    outcome, made = merged(tmp_path)

    assert rows(made, "SELECT content FROM preferences ORDER BY 1") == [("long",), ("short",)]
    assert rows(made, "SELECT count(*) FROM current_state") == [(1,)]
    assert rows(made, "SELECT id FROM sessions ORDER BY 1") == [("s",), ("t",)]
    assert rows(made, "SELECT session_id, count(*) FROM session_commands GROUP BY 1") == [("s", 3), ("t", 1)]
    assert rows(made, "SELECT count FROM session_workshop_entries") == [(3,)]
    assert rows(made, "SELECT request FROM session_user_requests") == [("please",)]
    assert rows(made, "SELECT jsonl_path FROM import_history") == [("p",)]
    assert rows(made, "SELECT value FROM config WHERE key = 'editor'") == [("vi",)]
    assert outcome.lost == []


def test_newer_tool_s_columns_and_tables_are_carried(tmp_path):
    workshop(tmp_path / "a.db", {"1": "old"})
    with closing(sqlite3.connect(tmp_path / "b.db")) as newer:
        newer.execute(
            "CREATE TABLE entries (id CHAR(36) PRIMARY KEY, project_id CHAR(36), content TEXT, entry_metadata TEXT)"
        )
        newer.execute("CREATE TABLE raw_messages (id TEXT PRIMARY KEY, body BLOB)")
        newer.execute("INSERT INTO entries VALUES ('2', 'p', 'new', '{\"a\": 1}')")
        newer.execute("INSERT INTO raw_messages VALUES ('m', x'00ff')")
        newer.commit()

    outcome, made = merged(tmp_path)

    assert rows(made, "SELECT content, metadata, project_id FROM entries WHERE id = '2'") == [
        ("new", '{"a": 1}', "p")
    ]
    assert rows(made, "SELECT * FROM raw_messages") == [("m", b"\x00\xff")]
    assert outcome.lost == []


def test_a_newer_target_gets_the_known_schema(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a.db")) as newer:
        newer.execute(
            "CREATE TABLE entries (id CHAR(36) PRIMARY KEY, content TEXT NOT NULL, entry_metadata TEXT)"
        )
        newer.execute("INSERT INTO entries VALUES ('1', 'new words', 'm')")
        newer.commit()
    workshop(tmp_path / "b.db", {"2": "old words"}, ["UPDATE entries SET metadata = 'n'"])

    _, made = merged(tmp_path)

    assert rows(made, "SELECT id, metadata, entry_metadata FROM entries ORDER BY 1") == [
        ("1", "m", "m"),
        ("2", "n", "n"),
    ]
    assert found(made, "words") == ["1", "2"]


def test_the_target_s_own_triggers_and_index_survive(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a.db")) as own:
        own.executescript(
            "CREATE TABLE entries (id TEXT PRIMARY KEY, content TEXT, reasoning TEXT);"
            "CREATE VIRTUAL TABLE entries_fts USING fts5(id UNINDEXED, content, reasoning, content=entries, content_rowid=rowid);"
            "CREATE TRIGGER entries_ai AFTER INSERT ON entries BEGIN INSERT INTO entries_fts(rowid, id, content, reasoning)"
            " VALUES (new.rowid, new.id, new.content, new.reasoning); END;"
            "CREATE VIRTUAL TABLE memory_fts USING fts5(path UNINDEXED, text);"
            "INSERT INTO memory_fts VALUES ('a.md', 'kept');"
        )
    workshop(tmp_path / "b.db", {"1": "one"})

    outcome, made = merged(tmp_path)
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("INSERT INTO entries (id, content) VALUES ('2', 'later')")
        connection.execute("INSERT INTO entries_fts (entries_fts) VALUES ('integrity-check')")
        connection.commit()

    assert (found(made, "one"), found(made, "later")) == (["1"], ["2"])
    assert rows(made, "SELECT path FROM memory_fts") == [("a.md",)]
    assert outcome.lost == []


def test_what_finds_no_place_is_named(tmp_path):
    workshop(
        tmp_path / "a.db",
        {},
        ["CREATE TABLE odd (k INTEGER PRIMARY KEY, v)", "INSERT INTO odd VALUES (1, 'a')"],
    )
    workshop(
        tmp_path / "b.db",
        {"1": "one"},
        [
            "CREATE TABLE odd (k INTEGER PRIMARY KEY, v)",
            "INSERT INTO odd VALUES (1, 'b'), (2, 'c')",
            "CREATE VIRTUAL TABLE memory_fts USING fts5(path UNINDEXED, text)",
        ],
    )

    outcome, made = merged(tmp_path)

    assert sorted(outcome.lost) == ["1 rows of odd", "table memory_fts"]
    assert rows(made, "SELECT * FROM odd") == [(1, "a"), (2, "c")]
    assert rows(made) == [("1", "one")]


def test_hostile_names_and_bytes_pass_as_data(tmp_path):
    workshop(tmp_path / "a.db", {})
    workshop(
        tmp_path / "b.db",
        {},
        [
            'CREATE TABLE "x""; DROP TABLE entries; --" ("a""b" "INT); --", v)',
            'INSERT INTO "x""; DROP TABLE entries; --" VALUES (1, CAST(x\'ff00fe\' AS TEXT))',
            "INSERT INTO entries (id, content) VALUES ('1', CAST(x'ff' AS TEXT))",
            "CREATE TRIGGER evil AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
        ],
    )

    outcome, made = merged(tmp_path)

    assert rows(made, "SELECT id, hex(content), typeof(content) FROM entries") == [("1", "FF", "text")]
    assert rows(made, 'SELECT hex(v) FROM "x""; DROP TABLE entries; --"') == [("FF00FE",)]
    assert outcome.lost == []


def test_rows_without_an_id_are_counted_not_dropped_silently(tmp_path):
    workshop(tmp_path / "a.db", {})
    workshop(tmp_path / "b.db", {}, ["INSERT INTO entries (id, content) VALUES (NULL, 'x')"])

    outcome, _ = merged(tmp_path)

    assert outcome.lost == ["1 rows of entries"]


def test_a_log_beside_is_folded_in_by_the_copy(tmp_path):
    pending(tmp_path / "a.db", ["late"], checkpointed=["early"])
    before = tree(tmp_path)

    assert databases.snapshot(str(tmp_path / "a.db"), str(tmp_path / "copy.db")) == ""

    assert [row[0] for row in rows(tmp_path / "copy.db")] == ["early", "late"]
    after = tree(tmp_path)
    assert after.pop("copy.db")
    assert after == before


def test_damage_is_told(tmp_path):
    workshop(tmp_path / "a.db", {str(number): "x" * 3000 for number in range(9)})
    data = bytearray((tmp_path / "a.db").read_bytes())
    data[4096:] = b"\x55" * (len(data) - 4096)
    (tmp_path / "a.db").write_bytes(data)
    (tmp_path / "b.db").write_text("not a database")
    (tmp_path / "c.db").write_bytes(b"")

    assert "damaged" in databases.trouble(str(tmp_path / "a.db"))
    assert databases.trouble(str(tmp_path / "b.db")) == "is not an SQLite database"
    assert databases.trouble(str(tmp_path / "c.db")) == ""


IDS = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["x", "y", "z", ""]), max_size=4)


@settings(max_examples=25, deadline=None)
@given(one=IDS, two=IDS)
def test_no_content_is_lost_and_none_doubled(tmp_path_factory, one, two):
    folder = tmp_path_factory.mktemp("merge")
    for name, entries in (("a.db", one), ("b.db", two)):
        workshop(folder / name, entries, ["UPDATE entries SET timestamp = '2025'"])

    outcome, made = merged(folder)

    expected = [
        *one.items(),
        *((k if k not in one else k + "~workshop", v) for k, v in two.items() if one.get(k) != v),
    ]
    assert rows(made) == sorted(expected)
    assert outcome.lost == []
