"""What a history names, asked of real repositories."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.repository.git import owners, process
from belay.repository.git.owners import Change


def commit(root, subject, *paths, body="", who="Ada", date=""):
    for path in paths:
        os.makedirs(os.path.dirname(root / path), exist_ok=True)
        with open(root / path, "a") as stream:
            stream.write(subject + "\n")
    git(root, "add", ".")
    message = f"{subject}\n\n{body}" if body else subject
    extra = ("--date", date) if date else ()
    git(root, "commit", "-qm", message, f"--author={who} <{who.lower()}@example.org>", "--allow-empty", *extra)


def test_commits_come_newest_first_with_their_bodies(repo):
    commit(repo, "second", body="Because of this.\nAnd that.")
    newest, oldest = owners.read_commits(str(repo))

    assert (newest.subject, newest.body, newest.author) == ("second", "Because of this.\nAnd that.", "Ada")
    assert (oldest.subject, oldest.parents, oldest.body) == ("first", 0, "")
    assert newest.date == newest.time[:10]
    assert [one.subject for one in owners.read_commits(str(repo), 1)] == ["second"]


def test_a_repository_without_commits_says_nothing(tmp_path):
    git(tmp_path, "init", "-q")
    root = str(tmp_path)

    assert (owners.read_commits(root), owners.read_changed_paths(root), owners.list_files(root)) == (
        [],
        {},
        [],
    )
    assert (owners.list_branches(root, "2000-01-01"), owners.list_people(root, "2000-01-01")) == ([], [])
    assert (owners.find_last_tag(root), owners.find_remote(root)) == (("", ""), "")


def test_a_giant_message_is_read_in_part(repo):
    (repo / "message").write_text("subject\n\n" + "x" * (6 * 1024 * 1024))
    git(repo, "commit", "-q", "--allow-empty", "-F", "message")

    (newest, *_) = owners.read_commits(str(repo))

    assert newest.subject == "subject"
    assert len(newest.body) <= 4000


def test_the_beginning_of_an_answer_is_bounded_in_bytes_and_seconds(repo):
    assert len(process.read_start(str(repo), "log", "-p", most=10)) == 10
    os.mkfifo(repo / "pipe")  # git would wait for a writer for ever
    assert process.read_start(str(repo), "hash-object", "pipe", seconds=0.2) == ""
    assert process.read_start(str(repo), "no-such-verb") == ""
    assert process.run(str(repo), "rev-list", "--count", "HEAD").strip() == "1"


def test_changed_paths_are_counted_most_changed_first(repo):
    commit(repo, "a", "src/a.py", "src/b.py")
    commit(repo, "b", "src/a.py", "ünï.txt")

    assert owners.count_paths(owners.read_changed_paths(str(repo))) == {
        "src/a.py": 2,
        "ünï.txt": 1,
        "src/b.py": 1,
        "file.txt": 1,
    }
    assert [sorted(names) for names in owners.read_changed_paths(str(repo), 1).values()] == [["src/a.py", "ünï.txt"]]
    assert owners.list_files(str(repo)) == ["file.txt", "src/a.py", "src/b.py", "ünï.txt"]


def test_recent_branches_are_named_once_however_many_places_have_them(repo, tmp_path):
    git(repo, "branch", "feature/a")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repo), str(clone))
    git(clone, "branch", "feature/a", "origin/feature/a")

    assert sorted(one.name for one in owners.list_branches(str(clone), "2000-01-01")) == ["feature/a", "main"]
    assert owners.list_branches(str(clone), "2999-01-01") == []


def test_people_are_counted_after_mailmap_and_without_bots(repo):
    commit(repo, "one", who="Grace")
    commit(repo, "two", who="Hopper")
    commit(repo, "three", who="renovate[bot]")
    (repo / ".mailmap").write_text("Grace <grace@example.org> Hopper <hopper@example.org>\n")

    assert [(one.name, one.commits) for one in owners.list_people(str(repo), "2000-01-01")] == [
        ("Grace", 2),
        ("Ada", 1),
    ]


def test_the_newest_tag_and_the_user(repo):
    git(repo, "tag", "v1.0")

    assert owners.find_last_tag(str(repo))[0] == "v1.0"
    assert owners.find_user(str(repo)) == "Ada"


def change(subject, body="", parents=1):
    return Change("a" * 40, "2026-01-02T00:00:00Z", "Ada", parents, subject, body)


@pytest.mark.parametrize(
    ("commit", "found"),
    [
        (change("Merge pull request #12 from ada/topic", "Add the door", 2), (12, "Add the door")),
        (change("Add the door (#12)"), (12, "Add the door")),
        (change("Merged in topic (pull request #7)", "Mend the roof", 2), (7, "Mend the roof")),
        (
            change("Merge branch 'roof' into 'main'", "Mend the roof\n\nSee merge request town/house!7", 2),
            (7, "Mend the roof"),
        ),
    ],
)
def test_pull_requests_are_read_from_merge_and_squash_commits(commit, found):
    assert [(one.number, one.title) for one in owners.find_pulls([commit, commit])] == [found]


def test_ordinary_commits_name_no_pull_request():
    rows = [change("Fix #12"), change("See (#12) for more"), change("x (#99999999999)"), change("(#1)")]

    assert owners.find_pulls(rows) == []


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ada:s3cret@example.org/a/b.git?token=x#y", "https://example.org/a/b.git"),
        ("https://tok@en@example.org/a", "https://example.org/a"),
        ("ssh://git@example.org:22/a/b.git", "ssh://git@example.org:22/a/b.git"),
        ("ssh://ada:pw@example.org/a", "ssh://example.org/a"),
        ("git@example.org:a/b.git", "git@example.org:a/b.git"),
        ("ada:pw@example.org:a/b.git", "git@example.org:a/b.git"),
        ("example.org:a/b.git", "git@example.org:a/b.git"),
        ("/srv/git/a.git", ""),
        ("../a", ""),
        ("C:\\a", ""),
        ("file:///srv/a", ""),
        ("ext::sh -c evil", ""),
    ],
)
def test_an_address_loses_its_credentials_and_a_local_one_is_none(url, shown):
    assert owners.strip_address(url) == shown


def test_the_remote_is_origin_or_the_only_one(repo):
    git(repo, "remote", "add", "up", "https://ada:pw@example.org/up.git")
    assert owners.find_remote(str(repo)) == "https://example.org/up.git"

    git(repo, "remote", "add", "origin", "https://example.org/own.git")
    assert owners.find_remote(str(repo)) == "https://example.org/own.git"


def test_codeowners_rules():
    text = "# all\n*  @ada @org/team # them\n/docs/ docs@example.org\nsrc/ nobody\n[Roof][2] @grace\nroof/\n"

    assert owners.parse_codeowners(text) == [
        ("*", ["@ada", "@org/team"]),
        ("/docs/", ["docs@example.org"]),
        ("roof/", ["@grace"]),
    ]


@given(st.text())
def test_any_text_is_a_codeowners_file(text):
    assert all(pattern and who for pattern, who in owners.parse_codeowners(text))


def test_a_codeowners_bomb_is_cut():
    text = "".join(f"path{n} " + " ".join(f"@user{m}" for m in range(500)) + "\n" for n in range(5000))

    rules = owners.parse_codeowners(text)

    assert len(rules) == owners.RULES
    assert all(len(who) == owners.OWNERS for _, who in rules)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://git.example.org/Team/api.git", "git.example.org/team/api"),
        ("ssh://git@git.example.org:22/team/api", "git.example.org/team/api"),
        ("git@git.example.org:team/api.git", "git.example.org/team/api"),
        ("", ""),
    ],
)
def test_a_repository_has_one_name_however_it_is_reached(address, name):
    assert owners.name_repository(address) == name
