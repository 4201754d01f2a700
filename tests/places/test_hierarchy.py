"""Which memory files a project has, in which order, and whose they are."""

import os

import pytest
from repos import git

from belay.places import foreign_folders, hierarchy


def write(root, *paths, text="# Memory\n"):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


TREE = (
    "CLAUDE.md", ".orchestre/CLAUDE.md", "src/features/auth/CLAUDE.md", "src/features/billing/CLAUDE.md",
    "src/components/CLAUDE.md", ".claude/rules/api.md", "src/features/auth/login.ts", "src/features/search/index.ts",
)  # fmt: skip


def test_the_seeds_tree_is_read_from_the_root_down(repo):
    write(repo, *TREE)

    found = hierarchy.read(str(repo))

    assert [(place.path, place.level, place.folder) for place in found.places] == [
        ("CLAUDE.md", "root", ""),
        (".orchestre/CLAUDE.md", "orchestration", ""),
        (".claude/rules/api.md", "rule", ""),
        ("src/features/auth/CLAUDE.md", "feature", "src/features/auth"),
        ("src/features/billing/CLAUDE.md", "feature", "src/features/billing"),
        ("src/components/CLAUDE.md", "component", "src/components"),
    ]
    assert found.foreign == []


def test_only_the_memory_on_the_way_holds_for_a_path(repo):
    write(repo, *TREE)

    way = hierarchy.read(str(repo)).list_above("src/features/auth/login.ts")

    assert [place.path for place in way] == ["CLAUDE.md", ".orchestre/CLAUDE.md", "src/features/auth/CLAUDE.md"]


def test_a_folder_with_a_like_name_is_not_on_the_way(repo):
    write(repo, "src/auth/CLAUDE.md", "src/auth-admin/a.ts")

    assert hierarchy.read(str(repo)).list_above("src/auth-admin/a.ts") == []


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        ("node_modules/left-pad/CLAUDE.md", "of a dependency"),
        ("vendor/github.com/x/y/CLAUDE.md", "of a dependency"),
        ("dist/CLAUDE.md", "build output"),
        ("tests/fixtures/app/CLAUDE.md", "data of tests"),
        ("internal/x/testdata/CLAUDE.md", "data of tests"),
        ("templates/nextjs/CLAUDE.md", "a template"),
        (".orchestre/memory-templates/CLAUDE.md", "a template"),
    ],
)
def test_what_is_not_the_projects_own_is_kept_apart(repo, path, owner):
    write(repo, "CLAUDE.md", path)
    git(repo, "add", "-f", ".")

    found = hierarchy.read(str(repo))

    assert [place.path for place in found.places] == ["CLAUDE.md"]
    assert [(place.path, place.owner) for place in found.foreign] == [(path, owner)]


@pytest.mark.parametrize("path", ["src/features/vendor/CLAUDE.md", "packages/build/CLAUDE.md", "src/build/CLAUDE.md"])
def test_a_feature_may_be_called_like_a_folder_of_others(repo, path):
    write(repo, path, "packages/build/package.json")

    assert [place.path for place in hierarchy.read(str(repo)).places] == [path]


def test_a_submodule_is_another_repository(repo, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    write(other, "CLAUDE.md")
    git(other, "add", ".")
    git(other, "commit", "-qm", "first")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "libs/other")

    found = hierarchy.read(str(repo))

    assert found.places == []
    assert foreign_folders.find_owner(str(repo), "libs/other/CLAUDE.md", found.names) == "of another repository"


def test_a_memory_that_git_ignores_counts_beside_tracked_code(repo):
    write(repo, "CLAUDE.md", "src/pay/CLAUDE.md", "src/pay/pay.py", "node_modules/x/CLAUDE.md")
    (repo / ".gitignore").write_text("CLAUDE.md\nnode_modules/\n")

    assert [place.path for place in hierarchy.read(str(repo)).places] == ["CLAUDE.md", "src/pay/CLAUDE.md"]


def test_a_folder_without_git_is_walked(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write(tmp_path / "plain", "CLAUDE.md", "apps/web/CLAUDE.md", "node_modules/x/CLAUDE.md", ".claude/rules/a.md")

    found = hierarchy.read(str(tmp_path / "plain"))

    assert [place.path for place in found.places] == ["CLAUDE.md", ".claude/rules/a.md", "apps/web/CLAUDE.md"]


def test_two_names_of_one_file_are_one_memory(repo):
    write(repo, "CLAUDE.md")
    (repo / ".claude").mkdir()
    os.symlink("../CLAUDE.md", repo / ".claude" / "CLAUDE.md")

    assert [place.path for place in hierarchy.read(str(repo)).places] == ["CLAUDE.md"]


def test_a_link_out_of_the_project_is_not_its_memory(repo, tmp_path):
    (tmp_path / "mine.md").write_text("secret plans\n")
    write(repo, "src/pay/pay.py")
    os.symlink(tmp_path / "mine.md", repo / "src" / "pay" / "CLAUDE.md")

    found = hierarchy.read(str(repo))

    assert found.places == []
    assert [place.owner for place in found.foreign] == ["of another project"]


def test_features_are_the_folders_that_hold_code_where_projects_keep_features(repo):
    write(
        repo, "src/features/auth/login.ts", "src/features/auth/parts/form.tsx", "src/app/(shop)/cart/page.tsx",
        "services/billing/main.go", "internal/ledger/ledger.go", "packages/ui/index.ts", "docs/features/x.md",
        "src/utils.ts", "node_modules/packages/x/index.js", "api/routers/users.py",
    )  # fmt: skip
    git(repo, "add", "-f", ".")

    assert hierarchy.list_features(hierarchy.read(str(repo))) == [
        "internal/ledger", "packages/ui", "services/billing", "src/app/(shop)/cart", "src/features/auth",
    ]  # fmt: skip
