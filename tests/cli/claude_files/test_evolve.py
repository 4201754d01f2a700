"""`belay evolve` as a process."""

from commandline import answer, belay
from repos import git

TEXT = "# Shop\n\n## Rules\n- `file.txt` holds the stock\n- nothing else\n"


def grow(repo):
    (repo / "CLAUDE.md").write_text(TEXT)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Describe the shop", "--date", "2026-01-02T12:00:00")
    (repo / "file.txt").write_text("two\n")
    git(repo, "commit", "-qam", "Change the stock")
    (repo / "CLAUDE.md").write_text(TEXT + "\n## Known Issues\n- slow\n")
    git(repo, "commit", "-qam", "Name an issue")


def test_it_tells_what_changed_and_what_did_not(repo):
    grow(repo)
    found = answer(repo, "evolve")

    assert (found["file"], found["more"], found["cut"]) == ("CLAUDE.md", False, False)
    assert [row["subject"] for row in found["commits"]] == ["Name an issue", "Describe the shop"]
    assert found["commits"][0]["changes"] == [
        {"change": "added", "section": "Known Issues", "more": 1, "fewer": 0, "old": ""}
    ]
    first = found["untouched"][0]
    assert (first["line"], first["code"][0]["commits"]) == (4, 1)

    said = belay(repo, "evolve", "CLAUDE.md").stdout
    written, changed = git(repo, "rev-parse", "HEAD~2")[:9], git(repo, "rev-parse", "HEAD~1")[:9]
    assert "    + Known Issues: added, 1 line\n" in said
    assert f"CLAUDE.md:4 written 2026-01-02 in {written}: - `file.txt` holds the stock\n" in said
    assert f"    file.txt: 1 commit since, the last in {changed} on " in said
    assert "2 other statements never touched since written; the oldest is line 5, of 2026-01-02" in said


def test_what_has_no_history_is_said_in_one_line(repo, tmp_path):
    (repo / "CLAUDE.md").write_text(TEXT)
    (tmp_path / "bare").mkdir()

    assert belay(repo, "evolve").stderr == (
        "belay: CLAUDE.md: has no commit yet, so nothing is known of its past; commit it\n"
    )
    assert belay(repo, "evolve", "gone.md").returncode == 1
    assert "is not in a git repository" in belay(tmp_path / "bare", "evolve").stderr
    answer(repo, "evolve", "gone.md", code=1)


def test_what_a_stranger_wrote_is_not_put_before_claude(repo, tmp_path, monkeypatch):
    grow(repo)
    git(repo, "mv", "CLAUDE.md", "MEMORY.md")
    git(repo, "commit", "-qm", "Keep it as a memory")
    git(tmp_path, "clone", "-q", str(repo), "copy")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "11111111-2222-4333-8444-555555555555")

    said = belay(tmp_path / "copy", "evolve", "MEMORY.md").stdout

    assert "MEMORY.md:4 written 2026-01-02" in said
    assert "holds the stock" not in said


def test_a_hostile_configuration_starts_nothing(repo):
    grow(repo)
    (repo / ".gitattributes").write_text("*.md diff=evil filter=evil\n")
    for key in ("diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "core.fsmonitor", "diff.external"):
        git(repo, "config", key, f"touch {repo}/ran; cat")

    answer(repo, "evolve")

    assert not (repo / "ran").exists()
