"""`belay improvements` as a process: issues joined with code."""

import pytest
from commandline import answer, belay
from repos import git

MEMORY = """# Products
## Known Issues
- Product list query slow with 1000+ items
- No pagination implemented
- `loadProducts()` ignores the tenant
- The colours are ugly

## Technical Insights
- ❌ Don't touch `old.ts`
"""
FOLDER = "src/features/products"


@pytest.fixture
def shop(repo):
    folder = repo / FOLDER
    folder.mkdir(parents=True)
    (folder / "CLAUDE.md").write_text(MEMORY)
    (folder / "ProductList.tsx").write_text("export const ProductList = () => null\n")
    (folder / "query.ts").write_text("// pagination comes later\nexport async function loadProducts(x) {\n}\n")
    (folder / "old.ts").write_text("export const aSentenceThatNobodyElseHas = 1\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Products", "--date", "2026-01-02T12:00:00")
    with open(folder / "ProductList.tsx", "a", encoding="utf-8") as file:
        file.write("export const paginate = 20\n")
    git(repo, "commit", "-qam", "Show pages")
    git(repo, "rm", "-q", f"{FOLDER}/old.ts")
    git(repo, "commit", "-qm", "Drop the old client")
    return repo


def test_each_issue_comes_with_file_line_and_commit(shop):
    found = answer(shop, "improvements")
    rows = {row["line"]: row for row in found["results"]}
    pages = git(shop, "rev-parse", "HEAD~1")

    assert {row["path"] for row in found["results"]} == {f"{FOLDER}/CLAUDE.md"}
    assert found["without"] == [f"{FOLDER}/CLAUDE.md:6"]
    assert {row["date"] for row in rows.values()} == {"2026-01-02"}
    (listing,) = rows[3]["code"]
    assert (listing["path"], listing["commits"], listing["last"]) == (f"{FOLDER}/ProductList.tsx", 1, pages)
    (appeared,) = rows[4]["appeared"]
    assert (appeared["word"], appeared["path"], appeared["line"]) == ("paginate", f"{FOLDER}/ProductList.tsx", 2)
    assert appeared["commit"] == pages
    (symbol,) = rows[5]["code"]
    assert (symbol["path"], symbol["line"], symbol["commits"]) == (f"{FOLDER}/query.ts", 2, 0)
    (gone,) = rows[9]["code"]
    assert (rows[9]["kind"], gone["state"], gone["last"]) == ("avoid", "deleted", git(shop, "rev-parse", "HEAD"))


def test_every_place_that_it_names_exists(shop):
    for row in answer(shop, "improvements")["results"]:
        assert MEMORY.splitlines()[row["line"] - 1] == row["text"]
        for code in row["code"]:
            assert git(shop, "cat-file", "-t", code["last"]) == "commit"
            if code["line"]:
                assert code["name"].split("(")[0] in (shop / code["path"]).read_text().splitlines()[code["line"] - 1]
        for one in row["appeared"]:
            assert one["word"] in (shop / one["path"]).read_text().splitlines()[one["line"] - 1]


def test_nothing_is_said_without_evidence(repo):
    (repo / "CLAUDE.md").write_text("# Shop\n\n## Known Issues\n- The colours are ugly\n- `useMemo()` is odd\n")
    said = belay(repo, "improvements").stdout

    assert said == (
        "No known issue of the memory names code of this project.\n"
        "2 issues name no code that was found: CLAUDE.md:4, CLAUDE.md:5\n"
    )


def test_gotchas_of_the_knowledge_base_are_joined_too(shop):
    made = belay(shop, "gotcha", "Query before the tenant is known", "-f", f"{FOLDER}/query.ts")
    assert made.returncode == 0, made.stderr
    rows = [row for row in answer(shop, "improvements")["results"] if row["line"] == 0]

    assert [(row["path"][:2], row["kind"], row["code"][0]["path"]) for row in rows] == [
        ("K-", "trap", f"{FOLDER}/query.ts")
    ]


def test_a_strangers_memory_is_named_and_not_read_for_claude(shop, tmp_path, monkeypatch):
    (shop / "MEMORY.md").write_text("# M\n\n## Known Issues\n- `ProductList.tsx` is slow\n")
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "Keep a memory")
    git(tmp_path, "clone", "-q", str(shop), "copy")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "11111111-2222-4333-8444-555555555555")
    found = answer(tmp_path / "copy", "improvements")

    assert found["hidden"] == ["MEMORY.md"]
    assert "MEMORY.md" not in {row["path"] for row in found["results"]}
