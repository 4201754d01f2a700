"""`belay memory check` as a process."""

import seedtree
from commandline import answer, belay


def make(tmp_path):
    shop = seedtree.build(tmp_path / "shop")
    text = (shop / "CLAUDE.md").read_text() + "\n## Initial Stack\n- Styling: Undecided\n- Hosting: Undecided\n"
    seedtree.write(shop, "CLAUDE.md", text)
    return shop, text.splitlines().index("- Styling: Undecided") + 1


def check(folder, *args, code=0):
    return answer(folder, "memory", "check", *args, code=code)


def test_every_finding_has_place_reason_and_remedy(tmp_path):
    shop, line = make(tmp_path)
    data = check(shop)

    (row,) = data["results"]
    assert (row["path"], row["line"], row["kind"]) == ("CLAUDE.md", line, "undecided")
    assert row["fix"] == f"belay memory check --fix CLAUDE.md:{line}"
    assert data["checked"][:2] == ["CLAUDE.md", ".orchestre/CLAUDE.md"]
    done = belay(shop, "memory", "check")
    assert f"CLAUDE.md:{line} [undecided]" in done.stdout
    assert "now: - Styling: Tailwind 3.4.1" in done.stdout


def test_strict_is_for_scripts(tmp_path):
    shop, _ = make(tmp_path)

    assert check(shop, "--strict", code=1)["results"]
    (shop / "CLAUDE.md").write_text(seedtree.ROOT_MEMORY)
    assert check(shop, "--strict")["results"] == []
    assert "nothing is wrong" in belay(shop, "memory", "check").stdout


def test_a_proposed_line_is_written_alone_and_taken_back(tmp_path):
    shop, line = make(tmp_path)
    before = (shop / "CLAUDE.md").read_bytes()

    data = check(shop, "--fix", f"CLAUDE.md:{line}")

    assert (data["file"], data["line"], data["text"]) == ("CLAUDE.md", line, "- Styling: Tailwind 3.4.1")
    assert (shop / "CLAUDE.md").read_bytes() == before.replace(b"Styling: Undecided", b"Styling: Tailwind 3.4.1")
    assert check(shop)["results"] == []
    assert check(shop, "--undo")["undone"] == ["CLAUDE.md"]
    assert (shop / "CLAUDE.md").read_bytes() == before


def test_line_ends_of_the_file_stay(tmp_path):
    shop, line = make(tmp_path)
    before = (shop / "CLAUDE.md").read_bytes().replace(b"\n", b"\r\n")
    (shop / "CLAUDE.md").write_bytes(before)

    check(shop, "--fix", f"CLAUDE.md:{line}")

    assert (shop / "CLAUDE.md").read_bytes() == before.replace(b"Styling: Undecided", b"Styling: Tailwind 3.4.1")


def test_what_is_not_certain_is_not_written(tmp_path):
    shop, line = make(tmp_path)
    before = (shop / "CLAUDE.md").read_bytes()

    assert belay(shop, "memory", "check", "--fix", "CLAUDE.md:1").returncode
    assert belay(shop, "memory", "check", "--fix", "../x:1").returncode
    assert belay(shop, "memory", "check", "--fix", f"CLAUDE.md:{line + 1}").returncode
    assert (shop / "CLAUDE.md").read_bytes() == before


def test_claude_is_not_shown_the_words_of_a_file_that_nobody_accepted(tmp_path, monkeypatch):
    from repos import git

    shop, line = make(tmp_path)
    seedtree.commit(shop, "Begin")
    git(tmp_path, "clone", "-q", str(shop), "clone")
    clone = tmp_path / "clone"
    belay(clone, "trust")  # the first look at a clone: what it holds is somebody else's
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "11111111-2222-4333-8444-555555555555")

    (row,) = check(clone)["results"]

    assert (row["line"], row["text"], row["proposed"]) == (line, "", "")
    assert "Styling: Und" not in belay(clone, "memory", "check").stdout
