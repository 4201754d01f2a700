import pytest
from dated import commit
from repos import git

from belay.core.errors import BelayError
from belay.repository.git import content, process


@pytest.fixture
def tree(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    files = {"src/a.py": "import Flask\nflask = 1\n", "b.md": "flask\n", ".gitignore": "out/\n"}
    commit(tmp_path, "begin", "2026-03-01T10:00:00Z", files=files)
    (tmp_path / "new.py").write_text("FLASK_APP=1\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "c.py").write_text("flask_out\n")
    (tmp_path / "raw.bin").write_bytes(b"\0flask\0")
    return str(tmp_path)


def test_text_of_tracked_and_new_files_is_found_once(tree):
    assert sorted(content.find_matches(tree, "flask[a-z_]*", (".",))) == ["FLASK_APP", "Flask", "flask"]
    assert content.find_lines(tree, "flask_", (":(glob)**/*.py",)) == ["FLASK_APP=1"]
    assert content.find_matches(tree, "django", (".",)) == []


def test_files_by_pathspec(tree):
    assert sorted(content.list_files(tree, (":(glob)**/*.py",))) == ["new.py", "src/a.py"]
    assert content.list_untracked(tree, ("*.py",)) == ["new.py"]


def test_a_git_without_perl_expressions_answers_too(tree, monkeypatch):
    asked = []

    def read_all(root, *args, **rest):
        asked.append(args)
        if "-P" in args:
            raise process.GitFailed(root, "cannot use Perl-compatible regexes", "")
        return process.read_all(root, *args, **rest)

    monkeypatch.setattr(content, "read_all", read_all)

    assert content.find_matches(tree, "(^|[^a-z])flask_[a-z]*", (".",)) == ["FLASK_APP"]
    assert len(asked) == 2


def test_an_answer_that_is_not_complete_is_none(tree, tmp_path_factory):
    with pytest.raises(BelayError):
        content.find_matches(tree, "(", (".",))
    with pytest.raises(BelayError):
        content.find_matches(str(tmp_path_factory.mktemp("plain")), "x", (".",))
    with pytest.raises(BelayError):
        process.read_all(tree, "ls-files", most=3)


def test_words_that_stand_somewhere(tree):
    assert content.find_words(tree, ["Flask", "flask_out", "FLASK_APP"], (".",)) == {"Flask", "FLASK_APP"}
    assert content.find_words(tree, [], (".",)) == set()


def test_files_that_hold_a_whole_word(tree):
    assert sorted(content.find_files(tree, ["FLASK", "gunicorn"], (".",))) == ["b.md", "src/a.py"]
    assert content.find_files(tree, ["django"], (".",)) == []
