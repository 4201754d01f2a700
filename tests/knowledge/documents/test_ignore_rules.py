"""Our reading of .gitignore files agrees with git's own."""

import re
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from belay.knowledge.documents import ignore_rules, walk

NAMES = ["a", "b", "ab", "a.md", "b.md", ".x", "build", "a]b"]
PARTS = "a b * ? ** / .md [ab] [!a] [^a-z] \\* \\a ! # ] . []a]".split()
# "**" beside anything but slashes is one asterisk (gitignore(5)); git itself differs there when "a**/b" meets "a".
PATTERN = (
    st.lists(st.sampled_from([*PARTS, " "]), min_size=1, max_size=6)
    .map("".join)
    .filter(lambda text: not re.search(r"[^/!]\*\*|\*\*[^/]", text))
)
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A repository that tells what a .gitignore in it leaves out; paths need not exist."""
    folder = tmp_path_factory.mktemp("ignored")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def by_git(folder, text, paths, deeper=""):
    (folder / ".gitignore").write_text(text)
    shutil.rmtree(folder / "a", ignore_errors=True)
    if deeper:
        (folder / "a").mkdir()
        (folder / "a" / ".gitignore").write_text(deeper)
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=folder,
        input="\0".join(paths),
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.split("\0")[:-1])


def by_us(text, paths, deeper=""):
    top = ("", ignore_rules.parse_rules(text))
    below = ("a/", ignore_rules.parse_rules(deeper))

    def left_out(path, folder):
        return ignore_rules.is_left_out([top, below] if path.startswith("a/") else [top], path, folder)

    def out(path):
        parts = path.rstrip("/").split("/")
        above = ["/".join(parts[:at]) for at in range(1, len(parts))]
        return any(left_out(name, True) for name in above) or left_out(path.rstrip("/"), path.endswith("/"))

    return {path for path in paths if out(path)}


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(["!*", "a"], ["a/b"])
@given(st.lists(PATTERN, min_size=1, max_size=3), st.lists(PATHS, min_size=1, max_size=12, unique=True))
def test_we_leave_out_what_git_leaves_out(bare, patterns, paths):
    text = "\n".join(patterns) + "\n"

    assert by_us(text, paths) == by_git(bare, text, paths)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(PATTERN, min_size=1, max_size=2),
    st.lists(PATTERN, min_size=1, max_size=2),
    st.lists(PATHS, max_size=9, unique=True),
)
def test_a_deeper_file_is_read_as_by_git(bare, patterns, deeper, paths):
    text, below = ("\n".join(lines) + "\n" for lines in (patterns, deeper))
    paths = [f"a/{path}" for path in paths]

    assert by_us(text, paths, below) == by_git(bare, text, paths, below)


@pytest.mark.parametrize(
    ("text", "out", "stays"),
    [
        ("*.log\n!keep.log\n", ["a.log", "x/b.log"], ["keep.log", "x/keep.log", "a.log.md"]),
        ("/out\n", ["out", "out/a.md"], ["x/out"]),
        ("docs/*.md\n", ["docs/a.md"], ["docs/x/a.md", "y/docs/a.md"]),
        ("**/tmp/\n", ["x/tmp/a", "tmp/a"], ["x/tmp"]),
        ("a/**/b\n", ["a/b", "a/x/b", "a/x/y/b"], ["b"]),
        ("a/**\n", ["a/x", "a/x/y"], ["a"]),
        ("trail \nkept\\ \n", ["trail", "kept "], ["kept", "trail "]),
        ("\\#x\n\\!y\n", ["#x", "!y"], ["x", "y"]),
        ("[unclosed\n", [], ["[unclosed", "u"]),
        ("[z-a]x\n", [], ["zx", "ax"]),
        ("\ufeffbom\n", ["bom"], []),
        ("crlf\r\n", ["crlf"], []),
    ],
)
def test_rules_that_people_write(bare, text, out, stays):
    assert by_us(text, [*out, *stays]) == set(out)


def test_a_deeper_file_has_the_last_word(tmp_path):
    for name in ("a.md", "x/a.md", "x/b.md", "y/a.md", "gone/c.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text")
    (tmp_path / ".gitignore").write_text("a.md\ngone/\n")
    (tmp_path / "x" / ".gitignore").write_text("!a.md\nb.md\n")
    (tmp_path / "gone" / ".gitignore").write_text("!c.md\n")

    assert walk.list_files(str(tmp_path)) == (["x/a.md"], True)
