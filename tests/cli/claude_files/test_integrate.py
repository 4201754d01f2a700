"""`belay integrate` as a process: shown first, written on consent, taken out again."""

import os
from pathlib import Path

import pytest
from commandline import answer, belay

from belay.core.text.tokens import count
from belay.memory.claude_files import integration

OWN = "# Shop\r\n\r\nMy rules.  \r\n\r\n## Memory\r\nI keep notes."


def test_it_shows_the_diff_and_writes_nothing(repo):
    (repo / "CLAUDE.md").write_bytes(OWN.encode())
    found = answer(repo, "integrate")

    assert (found["file"], found["written"]) == ("CLAUDE.md", False)
    assert "+<!-- belay:memory begin 2 -->" in found["diff"].replace("\r", "")
    assert found["notes"] == ["Line 5 has a section Memory of your own; it stays as it is."]
    assert (repo / "CLAUDE.md").read_bytes() == OWN.encode()


def test_with_a_yes_it_is_appended_once_and_an_undo_restores_every_byte(repo):
    (repo / "CLAUDE.md").write_bytes(OWN.encode())
    done = answer(repo, "integrate", "--yes")
    written = (repo / "CLAUDE.md").read_bytes()

    assert (done["written"], written.startswith(OWN.encode())) == (True, True)
    assert belay(repo, "integrate", "--yes").stdout == "CLAUDE.md has the section already; nothing was changed.\n"
    assert (repo / "CLAUDE.md").read_bytes() == written
    assert answer(repo, "integrate", "--undo")["removed"]
    assert (repo / "CLAUDE.md").read_bytes() == OWN.encode()
    assert answer(repo, "integrate", "--undo", code=1)["removed"] is False


def test_a_file_that_it_made_goes_again(repo):
    belay(repo, "integrate", "--yes")
    assert (repo / "CLAUDE.md").exists()
    belay(repo, "integrate", "--undo")
    assert sorted(os.listdir(repo)) == [".git", "file.txt"]


def test_the_file_in_the_clients_folder_is_taken_where_it_is_alone(repo):
    (repo / ".claude").mkdir()
    (repo / ".claude" / "CLAUDE.md").write_text("# Shop\n")

    assert answer(repo, "integrate", "--yes")["file"] == ".claude/CLAUDE.md"
    assert not (repo / "CLAUDE.md").exists()


def test_the_users_own_file(repo, home):
    own = Path(home, ".claude", "CLAUDE.md")
    found = answer(repo, "integrate", "--user")
    assert (found["file"], own.exists()) == ("~/.claude/CLAUDE.md", False)

    answer(repo, "integrate", "--user", "--yes")
    assert "In projects with a memory of Belay" in own.read_text()
    own.write_text("Mine first.\n" + own.read_text())
    answer(repo, "integrate", "--user", "--undo")
    assert own.read_text() == "Mine first.\n"
    assert not (repo / "CLAUDE.md").exists()


def test_words_of_mine_in_the_section_are_not_lost_without_a_yes(repo):
    belay(repo, "integrate", "--yes")
    path = repo / "CLAUDE.md"
    edited = path.read_text().replace("## Memory\n", "## Memory\n\nMy own line.\n")
    path.write_text(edited)

    said = belay(repo, "integrate", "--undo").stdout
    assert "-My own line." in said
    assert "The section was edited" in said
    assert belay(repo, "integrate").stdout.count("-My own line.") == 1
    assert path.read_text() == edited
    assert answer(repo, "integrate", "--undo", "--yes")["removed"]


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.symlink_to("file.txt"), "symbolic link"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "UTF-8"),
        (lambda path: path.write_text("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"), "conflict"),
        (lambda path: path.write_text("# T\n\n```sh\nls\n"), "code block"),
        (lambda path: path.write_text("<!-- belay:memory begin -->\n"), "do not match"),
    ],
)
def test_a_file_that_cannot_be_changed_safely_stays(repo, make, why):
    make(repo / "CLAUDE.md")
    before = (repo / "CLAUDE.md").read_bytes()
    done = belay(repo, "integrate", "--yes")

    assert (done.returncode, why in done.stderr) == (1, True)
    assert (repo / "CLAUDE.md").read_bytes() == before


def test_the_section_is_short_and_names_what_exists():
    for is_user in (False, True):
        assert count("\n".join(integration.read_section(is_user=is_user))) <= 200
