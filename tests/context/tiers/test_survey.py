"""What each tier holds, as the client loads it."""

import os
import time

import pytest
import repos
import sessions
from commandline import answer, belay

from belay.client.instructions import loaded_files
from belay.consolidate import session as consolidator
from belay.context.tiers import survey
from belay.core import paths
from belay.core.text import tokens


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def loaded(project, cwd=""):
    return loaded_files.list_loaded(cwd or project.root, project.root, os.environ)


def names(project, cwd=""):
    return [os.path.relpath(file.path, project.root) for file in loaded(project, cwd) if not file.problem]


def look(project, cwd=""):
    return survey.survey(project, cwd or project.root, os.environ)


def items(found, number):
    return {item.path: item for item in found.tiers[number - 1].items}


def test_nothing_is_loaded_of_an_empty_project(project):
    found = look(project)
    assert [item.what for item in found.tiers[0].items] == [survey.INJECTED]
    assert [tier.bytes for tier in found.tiers] == [0, 0, 0, 0]
    assert [tier.over for tier in found.tiers] == [[], [], [], []]
    assert [tier.tokens for tier in found.tiers] == [700, 0, None, None]


def test_the_chain_is_loaded_from_the_top_down(project, repo):
    write(repo / "CLAUDE.md", "root")
    write(repo / ".claude" / "CLAUDE.md", "second")
    write(repo / ".claude" / "rules" / "style.md", "rule")
    write(repo / "CLAUDE.local.md", "local")
    write(repo / "api" / "CLAUDE.md", "nested")
    mine = ["CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/style.md", "CLAUDE.local.md"]
    assert names(project) == mine
    assert names(project, str(repo / "api")) == [*mine, "api/CLAUDE.md"]


def test_the_users_own_file_comes_first_and_once(project, repo):
    own = os.path.join(paths.client_dir(os.environ), "CLAUDE.md")
    os.makedirs(os.path.dirname(own), exist_ok=True)
    with open(own, "w") as file:
        file.write("mine")
    write(repo / "CLAUDE.md", "root")
    assert [file.text for file in loaded(project)] == ["mine", "root"]


def test_imports_are_followed_four_deep_and_no_circle(project, repo):
    write(repo / "CLAUDE.md", "See @docs/a.md and `@docs/code.md`, mail me@example.org, @missing.md")
    write(repo / "docs" / "code.md", "not loaded")
    for number, name in enumerate("abcdef"):
        write(repo / "docs" / f"{name}.md", f"@{'abcdef'[(number + 1) % 6]}.md")
    assert names(project) == ["CLAUDE.md", *(f"docs/{name}.md" for name in "abcd")]
    assert loaded(project)[1].what == "imported by CLAUDE.md"


def test_code_blocks_and_comments_import_nothing(project, repo):
    write(repo / "a.md", "a")
    write(repo / "CLAUDE.md", "```\n@a.md\n```\n<!-- @a.md and much text -->\nDone\n")
    (only,) = loaded(project)
    assert "much text" not in only.text


def test_a_rule_of_paths_waits_for_its_files(project, repo):
    write(repo / ".claude" / "rules" / "api.md", "---\npaths:\n  - api/**\n---\nUse POST\n")
    write(repo / ".claude" / "rules" / "all.md", "---\ndescription: x\n---\nAlways\n")
    assert names(project) == [".claude/rules/all.md"]
    assert [item.what for item in look(project).tiers[1].items] == ["rule of some paths"]


def test_what_the_client_leaves_out_says_so(project, repo):
    path = write(repo / "CLAUDE.md", "root\n" * 10)
    write(repo / ".claude" / "settings.json", '{"claudeMdExcludes": ["**/CLAUDE.md"]}')
    item = items(look(project), 1)[path]
    assert item.tokens == 0
    assert item.note.startswith("is left out by ")


def test_of_claudes_own_memory_only_the_beginning_counts(project):
    path = paths.native_memory(os.environ, project.root)
    os.makedirs(os.path.dirname(path))
    lines = [f"- fact number {number}\n" for number in range(300)]
    with open(path, "w") as file:
        file.writelines(lines)
    found = look(project)
    item = items(found, 1)[path]
    assert item.tokens == tokens.count("".join(lines[:200]))
    assert item.note == "only its beginning is loaded"
    assert found.tiers[0].over == [f"{path}: 300 lines, more than 200"]
    with open(os.path.join(paths.client_dir(os.environ), "settings.json"), "w") as file:
        file.write('{"autoMemoryEnabled": false}')
    assert items(look(project), 1)[path].note.startswith("is switched off by ")


def test_a_file_over_its_budget_is_named(project, repo):
    path = write(repo / "CLAUDE.md", "x" * 26 * 1024)
    assert look(project).tiers[0].over == [f"{path}: 26.0 KB, more than 25 KB"]


def test_folders_below_are_on_demand(project, repo):
    path = write(repo / "api" / "CLAUDE.md", "word " * 2000)
    write(repo / "CLAUDE.md", "root")
    repos.git(repo, "add", ".")
    found = look(project)
    assert list(items(found, 2)) == [path]
    assert found.tiers[1].over == [f"{path}: {items(found, 2)[path].tokens} tokens, more than 1500"]
    assert list(items(look(project, str(repo / "api")), 2)) == []


def test_what_a_session_keeps_is_in_tiers_three_and_four(project, repo):
    write(repo / "MEMORY.md", "# Memory\n")
    session = sessions.start(project)
    session.log("end", reason="other")
    session.save()
    consolidator.run(project, os.environ, ending=True)
    found = look(project)
    assert {item.what for item in found.tiers[2].items} >= {"project memory", "journal and ledger"}
    assert "state of sessions, caches" in {item.what for item in found.tiers[3].items}
    assert all(item.bytes >= 0 and item.tokens is None for tier in found.tiers[2:] for item in tier.items)


def test_a_budget_of_megabytes_is_kept_an_eye_on(project, repo):
    write(repo / ".claude" / "belay.yaml", "tier4_megabytes: 1\n")
    assert belay(repo, "trust", ".claude/belay.yaml").returncode == 0
    consolidator.compile_settings(project, os.environ)
    write(repo / ".claude" / "memory" / "state" / "big", "x" * 2 * 1024 * 1024)
    assert look(project).tiers[3].over == ["2.0 MB in all, more than 1 MB"]


@pytest.mark.parametrize(
    ("one", "other", "number"),
    [
        ("- Uploads are retried three times with jitter", "- Uploads are retried three times with jitter", 1),
        ("- Uploads are retried three times with jitter", "- Uploads are retried five times with jitter", 0),
        ("- The users table has no index on email", "- The orders table has no index on email", 0),
        ("- Never deploy the worker on a Friday", "- Deploy the worker on a Friday", 0),
    ],
)
def test_the_same_fact_in_two_files_is_named_with_its_lines(project, repo, one, other, number):
    first, second = write(repo / "CLAUDE.md", f"# Rules\n\n{one}\n"), write(repo / "MEMORY.md", f"# M\n\n\n{other}\n")
    expected = [survey.Repeat(f"{first}:3", f"{second}:4")] * number
    assert look(project).repeats == expected


def test_links_and_pipes_are_no_trap(project, repo):
    os.mkfifo(repo / "CLAUDE.md")
    os.symlink("/nowhere", repo / "CLAUDE.local.md")
    os.symlink("/", repo / ".memory")
    found = look(project)
    assert {item.note for item in found.tiers[0].items if item.path} == {"is no file", "is a link that leads nowhere"}


def test_five_thousand_files_take_no_two_seconds(project, repo):
    for number in range(100):
        write(repo / f"d{number}" / "CLAUDE.md", "text " * 50)
        for other in range(49):
            (repo / f"d{number}" / f"{other}.txt").write_text("x")
    repos.git(repo, "add", ".")
    tokens.count("warm")
    begun = time.process_time()
    look(project)
    assert time.process_time() - begun < 2


def test_the_command_prints_every_tier(project, repo):
    write(repo / "CLAUDE.md", "# Rules\n\n- Uploads are retried three times with jitter\n")
    write(repo / "MEMORY.md", "# M\n\n- Uploads are retried three times with jitter\n")
    data = answer(repo, "tiers")
    assert [tier["tier"] for tier in data["tiers"]] == [1, 2, 3, 4]
    assert data["repeats"] == [{"first": f"{repo}/CLAUDE.md:3", "second": f"{repo}/MEMORY.md:3"}]
    shown = belay(repo, "tiers").stdout
    assert [line[:6] for line in shown.splitlines() if line.startswith("Tier ")] == [f"Tier {n}" for n in range(1, 5)]
    assert "  CLAUDE.md:3 and MEMORY.md:3" in shown.splitlines()
    assert str(repo) not in shown
    assert repos.git(repo, "status", "--short", "--ignored") == "?? CLAUDE.md\n?? MEMORY.md"
