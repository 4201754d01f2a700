"""The working buffer: Belay changes its own lines, everybody else's stay byte for byte."""

import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.core import files, paths, plain_text
from belay.session import state as session_state
from belay.session import working_buffer

TIME = "2026-03-05T10:00:00.000000Z"
S, T = "11111111-aaaa", "22222222-bbbb"


def own_lines(captures, task="mend the parser", status="in progress"):
    lines = ["## Session 11111111 (main)", f"- **Current task:** {task}", f"- **Status:** {status}"]
    return (
        lines
        + (["### Decisions"] if captures else [])
        + [f"- 10:00 `{name}` [main] {text}" for name, text in captures.items()]
    )


IDS = st.sampled_from(["C-AAAAAA", "C-BBBBBB", "C-CCCCCC", "C-DDDDDD"])
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12).map(plain_text.one_line)
OWN = st.builds(own_lines, st.dictionaries(IDS, WORDS, max_size=4), WORDS.map(lambda text: text or "x"), WORDS)
BREAKS = st.sampled_from(["\n", "\r\n"])
# what people write: any text, other separators inside, but no marker line of ours
FOREIGN_LINE = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=15).filter(
    lambda line: (
        "belay" not in line
        and not working_buffer._is_entry(line)
        and not line.startswith("## Session")
        and line != "### Decisions"
        and not line.endswith("\r")
    )
)


def rows(text):
    return plain_text.split_rows(text)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(FOREIGN_LINE, max_size=5),
    BREAKS,
    st.booleans(),
    st.lists(OWN, min_size=1, max_size=4),
    st.data(),
)
def test_foreign_lines_stay_byte_for_byte_and_own_ones_are_replaced(lines, newline, ended, versions, data):
    text = newline.join(lines) + (newline if ended and lines else "")
    foreign = rows(text)
    own = set()
    for version in versions:
        text, own = working_buffer.merge(text, S, version, own)
        again = working_buffer.merge(text, S, version, own)
        assert again == (text, own)
        found = rows(text)
        for line in version:
            assert [row.rstrip("\r\n") for row in found].count(line) == 1
        kept = [row.rstrip("\r\n") for row in found if row.rstrip("\r\n") not in version]
        mine = [row.rstrip("\r\n") for row in foreign]
        assert sorted(row for row in kept if row in mine and row) == sorted(row for row in mine if row)
        # a person adds a line somewhere
        added = data.draw(FOREIGN_LINE.filter(lambda line: line.strip()))
        at = data.draw(st.integers(0, len(found)))
        if at == len(found) and found and not found[-1].endswith("\n"):
            continue
        text = "".join([*found[:at], added + "\n", *found[at:]])
        foreign = [row for row in rows(text) if row.rstrip("\r\n") not in version and "belay" not in row]
    cleared, own = working_buffer.merge(text, S, [], own)
    assert own == set()
    assert "belay session" not in cleared
    assert not set(versions[-1]) & {row.rstrip("\r\n") for row in rows(cleared)}
    left = sorted(row.rstrip("\r\n") for row in rows(cleared) if row.strip())
    assert left == sorted(row.rstrip("\r\n") for row in foreign if row.strip())


def test_a_note_stays_behind_its_line_and_moves_up_when_that_goes():
    first = own_lines({"C-AAAAAA": "one", "C-BBBBBB": "two", "C-CCCCCC": "three"})
    text, own = working_buffer.merge("", S, first, set())
    text = text.replace("] one\n", "] one\nabout one\n").replace("] two\n", "] two\nabout two\n")
    text, own = working_buffer.merge(text, S, own_lines({"C-AAAAAA": "one", "C-CCCCCC": "three"}, "other"), own)
    assert "] one\nabout one\nabout two\n- 10:00 `C-CCCCCC`" in text


@given(FOREIGN_LINE.filter(bool), st.sampled_from(["", "\n", "\r\n"]))
def test_a_file_without_a_block_is_only_added_to(line, end):
    text = "\ufeff" + line + end
    merged, own = working_buffer.merge(text, S, own_lines({}), set())
    assert merged.startswith(text)
    assert working_buffer.merge(merged, S, [], own)[0].startswith(text)


def test_a_new_file_begins_with_its_title_and_one_block():
    text, own = working_buffer.merge("", S, ["## Session 11111111 (main)"], set())
    assert text == f"# Working buffer\n\n<!-- belay session {S} -->\n## Session 11111111 (main)\n<!-- /belay -->\n"
    assert working_buffer.merge(text, S, [], own) == ("# Working buffer\n\n", set())


def test_two_sessions_do_not_touch_each_other():
    text, own = working_buffer.merge("", S, own_lines({"C-AAAAAA": "one"}), set())
    text, other = working_buffer.merge(text, T, own_lines({"C-BBBBBB": "two"}), set())
    before = text
    text, own = working_buffer.merge(text, S, own_lines({"C-AAAAAA": "one", "C-CCCCCC": "three"}), own)
    assert working_buffer.merge(text, S, own_lines({"C-AAAAAA": "one"}), own)[0] == before
    text, own = working_buffer.merge(text, S, [], own)
    assert own == set()
    assert working_buffer.merge(text, T, own_lines({"C-BBBBBB": "two"}), other)[0] == text
    assert "one" not in text


EDITED = [
    ("- 10:00 `C-AAAAAA` [main] use tabs", "- 10:00 `C-AAAAAA` [main] use tabs, but not in YAML"),
    ("- 10:00 `C-AAAAAA` [main] use tabs", "- [x] 10:00 `C-AAAAAA` use tabs"),
    ("- 10:00 `C-AAAAAA` [main] use tabs", "  * ~~10:00 `C-AAAAAA`~~ not any more"),
    ("- **Current task:** mend the parser", "- **Current task:** rewrite the parser"),
    ("- **Status:** in progress", "- **Status:** waiting for Ada"),
]


@pytest.mark.parametrize(("line", "edit"), EDITED)
def test_an_own_line_that_a_person_edited_is_theirs_and_not_doubled(line, edit):
    first = own_lines({"C-AAAAAA": "use tabs"})
    text, own = working_buffer.merge("", S, first, set())
    text = text.replace(line, edit)
    merged, own = working_buffer.merge(text, S, own_lines({"C-AAAAAA": "use tabs"}), own)
    assert merged == text
    later, own = working_buffer.merge(
        merged, S, own_lines({"C-AAAAAA": "use tabs", "C-BBBBBB": "SQLite"}, "another task", "done"), own
    )
    assert edit in later
    assert later.count("C-AAAAAA") == 1
    assert later.count("**Current task:**") == 1
    assert later.count("**Status:**") == 1
    assert edit in working_buffer.merge(later, S, [], own)[0]


def test_a_line_that_only_mentions_a_capture_hides_nothing():
    text, own = working_buffer.merge("", S, own_lines({"C-AAAAAA": "use tabs"}), set())
    text = text.replace("<!-- /belay -->", "see `C-AAAAAA` for the reason\n<!-- /belay -->")
    merged, _ = working_buffer.merge(text, S, own_lines({"C-AAAAAA": "use tabs"}), own)
    assert merged == text


def test_a_marker_that_somebody_removed_costs_no_line():
    text, own = working_buffer.merge("", S, own_lines({"C-AAAAAA": "use tabs"}), set())
    broken = text.replace("<!-- /belay -->\n", "") + "my own end\n"
    merged, own = working_buffer.merge(broken, S, own_lines({"C-AAAAAA": "use tabs"}), own)
    assert merged.count("my own end\n") == 1
    assert merged.count("C-AAAAAA") == 1
    assert merged.rstrip().endswith("<!-- /belay -->")


def state(count, **fields):
    captures = {}
    for n in range(count):
        name = f"C-{n:06d}"
        captures[name] = {
            "id": name,
            "classes": {"decision": 0.9},
            "text": f"number {n}",
            "time": f"2026-03-05T10:{n // 60:02d}:{n % 60:02d}Z",
            "branch": "main",
        }
    return {**session_state.empty_state(S), "branch": "main", "task": "mend", "captures": captures, **fields}


@pytest.mark.parametrize("count", [0, 1, 100, 115, 116, 120, 121, 500])
def test_at_most_120_own_lines_the_newest_kept(count):
    lines = working_buffer.render(state(count))
    assert len(lines) <= 120
    if count:
        assert any(f"C-{count - 1:06d}" in line for line in lines)
    if count <= 100:
        assert sum("`C-" in line for line in lines) == count


HOSTILE = [
    "a\nb",
    "<!-- /belay -->",
    "<!-- belay session x -->",
    "a\u2028b\x0bc\x85d",
    "<<!--!-- --->>",
    "```",
    "\r\n## Session",
    "x" * 5000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_breaks_out_of_its_line(text):
    hostile = state(1, task=text, intent=text, branch=text)
    hostile["captures"]["C-000000"].update(text=text, branch=text)
    lines = working_buffer.render(hostile)
    for line in lines:
        assert len(line.splitlines()) == 1
        assert "<!--" not in line
        assert "-->" not in line
        assert len(line) < 1000
    merged, own = working_buffer.merge("", S, lines, set())
    assert working_buffer.merge(merged, S, [], own)[0] == working_buffer.TITLE


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", "has git conflict markers (line 2)"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"a\0b", "is not UTF-8"),
        (b"x" * (1024 * 1024 + 1), "is over 1 MB"),
        (b"", ""),
        (b"fine <<<<<<< \r\n", ""),
    ],
)
def test_files_that_are_not_ours_to_touch(tmp_path, content, why):
    path = tmp_path / "working-buffer.md"
    path.write_bytes(content)
    assert files.explain_refusal(str(path)) == why
    assert working_buffer.update(str(path), str(tmp_path / "own"), [(S, own_lines({}))]) is not bool(why)
    assert not why or path.read_bytes() == content


def test_links_folders_and_pipes_are_not_touched(tmp_path):
    (tmp_path / "target").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "folder", "pipe"):
        assert files.explain_refusal(str(tmp_path / name))
        assert not working_buffer.update(str(tmp_path / name), str(tmp_path / "own"), [(S, own_lines({}))])
    assert (tmp_path / "target").read_text() == "mine"


@pytest.mark.parametrize("forged", [b'{"%s":[[1],{},null,"x"]}' % S.encode(), b"[]", b"{", b"\xff", b'{"a":5}'])
def test_a_forged_list_of_own_lines_breaks_nothing(tmp_path, forged):
    (tmp_path / "own").write_bytes(forged)
    path = tmp_path / "buffer.md"
    path.write_text("theirs\n")
    assert working_buffer.update(str(path), str(tmp_path / "own"), [(S, own_lines({}))])
    assert path.read_text().startswith("theirs\n")


KILLED = """
import os, signal, sys
sys.path[0:0] = [sys.argv[1]]
from belay.session import working_buffer as buffer
left = int(sys.argv[2])
def step(event, args):
    global left
    if event in ("open", "os.rename", "os.remove", "os.mkdir"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(step)
buffer.update(sys.argv[3], sys.argv[4], [("s", ["## Session s (main)", "- **Status:** done", "- 10:00 `C-BBBBBB` [main] new"])])
"""


def test_killed_at_any_step_the_buffer_is_whole_and_the_next_update_mends_it(tmp_path):
    path, own = tmp_path / "buffer.md", tmp_path / "own"
    new = ["## Session s (main)", "- **Status:** done", "- 10:00 `C-BBBBBB` [main] new"]
    steps = 0
    while True:
        steps += 1
        for file in (path, own):
            file.unlink(missing_ok=True)
        path.write_text("theirs\n")
        working_buffer.update(
            str(path),
            str(own),
            [("s", ["## Session s (main)", "- **Status:** at work", "- 10:00 `C-AAAAAA` [main] old"])],
        )
        before = path.read_bytes()
        done = subprocess.run(
            [
                sys.executable,
                "-S",
                "-E",
                "-c",
                KILLED,
                paths.resource("lib"),
                str(steps),
                str(path),
                str(own),
            ],
            check=False,
        )
        found = path.read_bytes()
        working_buffer.update(str(path), str(own), [("s", new)])
        after = path.read_bytes()
        assert found in (before, after)
        assert after.decode().count("- **Status:**") == after.decode().count("## Session") == 1
        assert b"old" not in after
        assert after.startswith(b"theirs\n")
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    assert steps > 6
