"""The real client: a session's shell knows its project, its own tools move it, and a failed check leaves its output."""

import os

from doors import records
from host.api import Api, Turn, tool
from repos import git

from belay.core import files, paths
from belay.repository import projects
from belay.session import journal
from belay.session.evidence import gates, output_files

SHOWN = 'echo "[$BELAY_PROJECT|$BELAY_SESSION|$BELAY_HOME]"'


def rows(repo, kind):
    project = projects.find(str(repo), os.environ)
    names = journal.list_sessions(project.journals, 0)
    return [row for name in names for row in records(project, name) if row["kind"] == kind]


def test_the_shell_of_a_session_knows_its_project(client, repo, tmp_path):
    (repo / "src").mkdir()
    with Api([Turn("Looking.", [tool("Bash", command=f"cd src && {SHOWN}")]), Turn("Done.")]) as api:
        run = client(api).run("look at the sources")

    assert run.code == 0, run.stderr
    home = paths.data_home(os.environ)
    assert f"[{repo}|{run.session_id}|{home}]" in api.main[1].texts[-1]


def test_the_client_moves_a_session_to_a_work_tree_and_its_project_stays(client, repo):
    (repo / ".gitignore").write_text(".claude/\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Ignore")
    turns = [
        Turn("Noted."),
        Turn("Moving.", [{"name": "EnterWorktree", "input": {"name": "side"}}]),
        Turn("There."),
        Turn("Done."),
    ]
    with Api(turns) as api:
        run = client(api).run("No, use port 5433 here.", "work in a work tree", "Never mock the clock, please.")

    assert run.code == 0, run.stderr
    side = repo / ".claude" / "worktrees" / "side"
    assert side.is_dir()
    assert [row["root"] for row in rows(repo, "prompt")] == [str(repo), str(repo), str(side)]
    assert not (side / ".claude" / "memory" / "journal").exists()


LONG = 'awk \'BEGIN { for (i = 0; i < 3000; i++) print "line " i " of a long output that goes on and on" }\''


def check(client, repo, body):
    """Run `make test` in the client; return its result and what was kept of its output, "" for nothing."""
    (repo / "Makefile").write_text(f"test:\n\t@{body}\n")
    with Api([Turn("Trying.", [tool("Bash", command="make test")]), Turn("Done.")]) as api:
        run = client(api).run("No, use port 5433 here. Then run the tests.")
    assert run.code == 0, run.stderr
    project = projects.find(str(repo), os.environ)
    (gate,) = gates.load_gates(project, os.environ)
    kept = output_files.list_own(project, "evidence")
    return gate, files.read(kept[0]).decode() if kept else ""


def test_a_failed_check_leaves_its_output(client, repo):
    gate, text = check(client, repo, "echo 'test_refund: 1 is not 2'; echo '2 failed, 3 passed in 0.1s'; exit 1")

    assert (gate["kind"], gate["result"], gate["exit"]) == ("test", "failed", 2)
    assert gate["counts"] == {"failed": 2, "passed": 3}
    assert "\ntest_refund: 1 is not 2\n2 failed, 3 passed in 0.1s\n" in text


def test_of_a_long_output_that_the_client_cuts_the_file_says_so(client, repo):
    gate, text = check(client, repo, f"{LONG}; echo '2 failed, 3 passed in 0.1s'; exit 1")

    assert (gate["result"], gate["counts"]) == ("failed", {})
    assert "\nClaude Code passed on only parts of a long output; its end may be missing\n" in text
    assert "characters truncated] ..." in text


def test_the_numbers_of_a_long_output_that_the_client_saved_are_read_there(client, repo):
    gate, text = check(client, repo, f"{LONG}; echo '45 passed in 0.1s'")

    assert (gate["result"], gate["counts"], text) == ("passed", {"passed": 45}, "")
