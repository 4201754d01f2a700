"""GitPython and plain git give the same answers; under GitPython a hostile repository starts no program either."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import dated
import git as git_library
import pytest
from repos import git, repository

from belay.core.errors import BelayError
from belay.repository.git import (
    blame,
    branches,
    commit_graph,
    functions,
    gitpython,
    history,
    merges,
    owners,
    process,
    reader,
    status,
)

LIB = str(Path(process.__file__).resolve().parents[3])


def day(number):
    """Return a date of the last weeks: a blame looks back 180 days."""
    return time.strftime("%Y-%m-%d", time.localtime(time.time() - (40 - number) * 86400))


def noon(number):
    return f"{day(number)}T12:00:00+00:00"


@pytest.fixture(autouse=True)
def _nothing_known():
    process._guards.clear()
    process._slow.clear()
    yield
    process._guards.clear()
    process._slow.clear()


def ordinary(root):
    repository(root)
    dated.commit(root, "second", noon(2), files={"a/b.py": "x = 1\n" * 30, "MEMORY.md": "one\ntwo\n"})
    git(root, "tag", "v1")
    dated.commit(root, "third", noon(3), "Bob", {"MEMORY.md": "one\ntwo changed\n\nfour\n"})
    git(root, "tag", "-a", "v2/deep", "-m", "an annotated tag")
    (root / "MEMORY.md").write_text("one\ntwo changed\n\nfour\nnot committed\n")
    (root / "new file.txt").write_text("x")


def renamed(root):
    ordinary(root)
    git(root, "checkout", "-q", "--", ".")
    git(root, "mv", "a/b.py", "a/c d.py")
    git(root, "mv", "MEMORY.md", "NOTES.md")
    dated.commit(root, "moved", noon(4))


def merged(root):
    repository(root)
    git(root, "checkout", "-qb", "feature/one")
    dated.commit(root, "work", noon(2), files={"work.py": "1\n"})
    git(root, "checkout", "-q", "main")
    dated.commit(root, "other (#12)", noon(3), files={"other.py": "1\n"})
    git(root, "merge", "-q", "--no-ff", "-m", "Merge pull request #7 from x\n\nA title", "feature/one")
    git(root, "checkout", "-qb", "open")
    dated.commit(root, "not merged", noon(4), files={"open.py": "1\n"})
    git(root, "checkout", "-q", "main")


def oddly_named(root):
    repository(root)
    for name in (b"\xff\xfe.txt", "ü ö.md".encode(), b"tab\there", b"line\nbreak", b'quote"', b"-n"):
        with open(os.path.join(os.fsencode(root), name), "wb") as file:
            file.write(b"\xff\n")
    git(root, "add", "-A")
    git(root, "-c", "i18n.commitEncoding=latin1", "commit", "-qm", "odd: \x1f é \x1b[31m")


def huge(root):
    repository(root)
    (root / "message").write_text("x" * 3_000_000 + "\n\nbody\n")
    git(root, "commit", "-q", "--allow-empty", "-F", "message")
    dated.commit(root, "after", noon(2), files={"message": "one\n"})


def shallow(root):
    ordinary(root.parent / "source")
    git(root.parent, "clone", "-q", "--depth=1", f"file://{root.parent}/source", root.name)


def worktree(root):
    ordinary(root.parent / "source")
    git(root.parent / "source", "worktree", "add", "-q", "-b", "beside", str(root))
    dated.commit(root, "in the tree", noon(5), files={"tree.txt": "1\n"})


def submodule(root):
    ordinary(root.parent / "source")
    merged(root.parent / "outer")
    command = ("-c", "protocol.file.allow=always", "submodule", "add", "-q", f"{root.parent}/source")
    git(root.parent / "outer", *command, root.name)
    git(root.parent / "outer", "commit", "-qm", "with a submodule")
    (root.parent / "outer" / root.name).rename(root)
    (root / ".git").write_text(f"gitdir: {root.parent}/outer/.git/modules/{root.name}\n")
    git(
        root.parent / "outer",
        "config",
        "--file",
        f".git/modules/{root.name}/config",
        "core.worktree",
        str(root),
    )


def without_commits(root):
    root.mkdir()
    git(root, "init", "-q")
    (root / "MEMORY.md").write_text("x")


def detached(root):
    ordinary(root)
    git(root, "checkout", "-qf", "--detach", "HEAD~1")


def sha256(root):
    root.mkdir()
    git(root, "init", "-q", "--object-format=sha256")
    ordinary(root)


def mailmap(root):
    ordinary(root)
    files = {".mailmap": "Ada Lovelace <ada@example.org>\nRobert <bob@example.org>\n"}
    dated.commit(root, "people", noon(6), files=files)


def no_repository(root):
    root.mkdir()


def below_the_top(root):
    ordinary(root.parent / "source")
    root.symlink_to(root.parent / "source" / "a")


KINDS = (
    ordinary,
    renamed,
    merged,
    oddly_named,
    huge,
    shallow,
    worktree,
    submodule,
    without_commits,
    detached,
)
KINDS += (sha256, mailmap, no_repository, below_the_top)


def asked(question, *args):
    """Return an answer, or the class and the text of the error."""
    try:
        return question(*args)
    except BelayError as error:
        return type(error).__name__, str(error)


def answers(root):
    """Return what every question about a repository's history, lines, changes and tags gives."""
    process._guards.clear()
    graph = asked(commit_graph.History, root, ["HEAD", "main", "nowhere", "-n1"])
    known = list(graph.commits) if isinstance(graph, commit_graph.History) else []
    pairs = [(sha, graph.parent(sha)) for sha in known[:50]]
    files = asked(owners.list_files, root)
    names = [name for name in files if isinstance(files, list)][:20]
    shas = known[:1] + known[-1:]
    tips = {"open": merges.Known((asked(branches.list_tips, root)[-1].commit,))} if known else {}
    return {
        "window": asked(history.read_window, root),
        "since": asked(history.read_window, root, f"{day(3)}T00:00:00Z"),
        "after": [asked(history.read_window, root, sha) for sha in shas],
        "few": asked(history.read_window, root, "", 1),
        "texts": [asked(history.read_texts, root, sha, [*names, "missing"]) for sha in shas],
        "commits": asked(owners.read_commits, root),
        "touched": asked(owners.read_changed_paths, root),
        "files": files,
        "branches": asked(owners.list_branches, root, "2001-01-01"),
        "last tag": asked(owners.find_last_tag, root),
        "people": asked(owners.list_people, root, "2001-01-01"),
        "remote": asked(owners.find_remote, root),
        "tags": asked(blame.list_tags, root),
        "lines": {name: asked(blame.read_line_dates, root, name) for name in [*names, "missing", "new file.txt"]},
        "listing": asked(branches.list_branches, root),
        "tips": asked(branches.list_tips, root),
        "graph": (known, getattr(graph, "commits", None)),
        "changes": asked(commit_graph.read_changes, root, pairs),
        "patches": asked(commit_graph.read_patch_ids, root, pairs),
        "merged": asked(merges.find_arrivals, root, known[0], tips) if known else None,
        "status": asked(status.list_uncommitted, root),
        "recent": asked(status.list_commits, root, "2001-01-01"),
        "tracked": asked(status.list_tracked, root, names),
        "sizes": asked(status.find_sized_blobs, root, [f"HEAD:{name}" for name in names]),
        "ignored": asked(status.find_ignored, root, names),
        "function": asked(functions.find_function, root, "a/b.py", 3),
    }


def text_of(found):
    return {key: repr(value) for key, value in found.items()}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_both_readers_give_the_same_answers(tmp_path, kind, monkeypatch):
    root = tmp_path / "r"
    kind(root)
    plain = text_of(answers(str(root)))
    calls = []
    execute = git_library.Git.execute
    monkeypatch.setattr(git_library.Git, "execute", lambda *a, **k: calls.append(a) or execute(*a, **k))

    with reader.gitpython_reader() as chosen:
        assert chosen
        assert text_of(answers(str(root))) == plain
    assert len(calls) > 10
    assert (process.starter, blame.line_times) == (process.start, blame.read_line_times)


def test_lines_are_read_by_the_library_itself(tmp_path, monkeypatch):
    root = tmp_path / "r"
    ordinary(root)
    monkeypatch.setattr(gitpython.blame, "read_line_times", None)

    with reader.gitpython_reader():
        found = blame.read_line_dates(str(root), "MEMORY.md")
    assert found == {1: day(2), 2: day(3), 3: day(3), 4: day(3), 5: time.strftime("%Y-%m-%d")}


def trap(folder):
    """Return a program that leaves a trace, and then does what a filter does."""
    program = folder / "trap.sh"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{folder}/sprung'\ncat\n")
    program.chmod(0o755)
    return program


def hostile(root):
    """Make a repository whose every setting that names a program names the trap; return the trap's trace."""
    ordinary(root)
    program = trap(root.parent)
    hooks = root.parent / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"):
        (hooks / name).write_text(program.read_text())
        (hooks / name).chmod(0o755)
    (root / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\nMEMORY.md filter=evil.two\n")
    git(root, "add", ".gitattributes")
    git(root, "commit", "-qm", "attributes")
    signed = git(root, "cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n\n", 1
    )
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=root,
        input=signed + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    git(root, "reset", "-q", "--soft", made.stdout.strip())
    extra = f'[filter "evil.two"]\n\tclean = {program}\n\tprocess = {program}\n\trequired = true\n[alias]\n\tlog = !{program}\n'
    (root / ".git" / "extra").write_text(extra)
    (root / ".git" / "extra-if").write_text(f"[core]\n\tfsmonitor = {program}\n[diff]\n\texternal = {program}\n")
    settings = {
        "include.path": "extra",
        "includeIf.gitdir:**.path": "extra-if",
        "core.hooksPath": hooks,
        "log.showSignature": "true",
        "gpg.program": program,
        "gpg.ssh.program": program,
        "filter.evil.required": "true",
        "interactive.diffFilter": program,
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::{program} %S",
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "core.repositoryFormatVersion": "1",
        "alias.blame": f"!{program}",
    }
    keys = "core.pager core.editor core.sshCommand core.askPass core.alternateRefsCommand core.fsmonitor pager.log "
    keys += "pager.blame sequence.editor diff.external diff.evil.textconv diff.evil.command filter.evil.clean "
    keys += "filter.evil.smudge filter.evil.process merge.evil.driver credential.helper diff.tool uploadpack.packObjectsHook"
    settings |= dict.fromkeys(keys.split(), program)
    (root / "file.txt").write_text("changed\n")
    (root.parent / "sprung").unlink(missing_ok=True)
    for key, value in settings.items():
        git(root, "config", key, str(value))
    return root.parent / "sprung"


def test_a_hostile_configuration_starts_no_program(tmp_path):
    root = tmp_path / "r"
    trace = hostile(root)

    with reader.gitpython_reader():
        found = answers(str(root))
        assert not trace.exists()
        repository = gitpython.open_repository(str(root))
        assert [commit.summary for commit in repository.iter_commits(max_count=1)] == ["attributes"]
        repository.head.commit.diff("HEAD~1", create_patch=True)
        repository.head.commit.diff(None, create_patch=True)
        assert repository.is_dirty()
        assert {tag.name for tag in repository.tags} == {"v1", "v2/deep"}
    assert found["window"][0][0].subject == "attributes"
    assert found["lines"]["MEMORY.md"][1] == day(2)
    assert not trace.exists()


def test_the_trap_would_be_sprung(tmp_path):
    root = tmp_path / "r"
    trace = hostile(root)

    subprocess.run(["git", "status"], cwd=root, capture_output=True)
    subprocess.run(["git", "log", "-p"], cwd=root, capture_output=True)
    assert len(trace.read_text().splitlines()) > 2


def test_a_missing_object_is_not_fetched(tmp_path):
    root = tmp_path / "r"
    trace = hostile(root)
    blob = git(root, "rev-parse", "HEAD~1:MEMORY.md")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()

    with reader.gitpython_reader():
        answers(str(root))
    assert not trace.exists()


ENVIRONMENT = """
import os, sys
sys.path.insert(0, sys.argv[1])
before = dict(os.environ)
from belay.repository.git import blame, history, process, reader
with reader.gitpython_reader() as chosen:
    assert chosen
    commits = history.read_commits(sys.argv[2])
    lines = blame.read_line_dates(sys.argv[2], "MEMORY.md")
print(len(commits), len(lines), dict(os.environ) == before)
"""


def test_the_surrounding_environment_neither_leads_elsewhere_nor_starts_a_program(tmp_path):
    root = tmp_path / "r"
    ordinary(root)
    program = str(trap(tmp_path))
    names = "PAGER EDITOR SSH SSH_COMMAND EXTERNAL_DIFF ASKPASS PROXY_COMMAND SEQUENCE_EDITOR PYTHON_GIT_EXECUTABLE"
    variables = {f"GIT_{name}": program for name in names.split()}
    variables |= {f"GIT_{name}": str(tmp_path / "nowhere") for name in ("DIR", "WORK_TREE", "INDEX_FILE", "COMMON_DIR")}
    variables |= {
        "GIT_OBJECT_DIRECTORY": "/nowhere",
        "GIT_PYTHON_TRACE": "full",
        "GIT_TRACE": str(tmp_path / "trace"),
    }
    variables |= {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": program,
    }
    done = subprocess.run(
        [sys.executable, "-c", ENVIRONMENT, LIB, str(root)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        cwd=root,
    )

    assert (done.stdout, done.stderr) == ("3 5 True\n", "")
    assert not (tmp_path / "sprung").exists()
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("place", ["config", "commondir", "included"])
def test_a_pipe_in_place_of_a_file_stops_nobody(tmp_path, place, monkeypatch):
    monkeypatch.setattr(process, "TIMEOUT", 0.3)
    root = repository(tmp_path / "r")
    if place == "included":
        git(root, "config", "include.path", "included")
    else:
        (root / ".git" / place).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / place)

    begun = time.monotonic()
    with reader.gitpython_reader(), pytest.raises(BelayError):
        history.read_commits(str(root))
    with reader.gitpython_reader(), pytest.raises(BelayError):
        blame.read_line_dates(str(root), "file.txt")
    assert time.monotonic() - begun < 20


def children():
    """Return the processes that this one started and that still run, zombies included."""
    folder = Path(f"/proc/{os.getpid()}/task")
    return {child for task in folder.iterdir() for child in (task / "children").read_text().split()}


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux's /proc")
def test_no_process_and_no_thread_stays(tmp_path):
    root = tmp_path / "r"
    ordinary(root)
    before, threads = children(), threading.active_count()

    with reader.gitpython_reader():
        answers(str(root))
        assert gitpython.open_repository(str(root)).head.commit.summary == "third"  # starts a cat-file that waits
        assert children() != before
    assert children() == before
    assert gitpython._open == {}
    until = time.monotonic() + 10
    while threading.active_count() > threads and time.monotonic() < until:
        time.sleep(0.01)
    assert threading.active_count() == threads


def test_errors_on_stderr_without_end_do_not_stop_an_answer(tmp_path, monkeypatch):
    loud = tmp_path / "git"
    loud.write_text("#!/bin/sh\nhead -c 500000 /dev/zero >&2\necho answer\n")
    loud.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    with reader.gitpython_reader():
        assert process.read_start(str(tmp_path), "log", seconds=20) == "answer\n"


def test_a_missing_git_is_reported_as_without_gitpython(tmp_path, monkeypatch):
    root = str(repository(tmp_path / "r"))
    monkeypatch.setenv("PATH", str(tmp_path))

    with reader.gitpython_reader(), pytest.raises(process.GitMissing, match="install git"):
        history.read_commits(root)


def test_without_gitpython_plain_git_answers(tmp_path, monkeypatch):
    root = str(repository(tmp_path / "r"))
    monkeypatch.delitem(sys.modules, "belay.repository.git.gitpython")
    monkeypatch.delattr("belay.repository.git.gitpython")
    monkeypatch.setitem(sys.modules, "git", None)

    with reader.gitpython_reader() as chosen:
        assert not chosen
        assert len(history.read_commits(root)) == 1
