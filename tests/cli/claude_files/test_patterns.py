"""belay patterns: counted candidates; an accepted one goes into the orchestration memory, and out again."""

import pytest
from codeworld import write_files
from commandline import answer, belay

FILE = ".orchestre/CLAUDE.md"


@pytest.fixture
def shop(repo):
    files = {
        f"src/app/api/r{n}/route.ts": "export async function GET() {\n  return NextResponse.json(1);\n}\n"
        for n in range(5)
    }
    write_files(repo, files)
    return repo


def find_id(repo):
    rows = answer(repo, "patterns")["results"]
    return next(
        row["id"] for row in rows if row["statement"] == "Files with routes answer with `NextResponse.json(…)`."
    )


def test_each_pattern_has_its_numbers_and_lines(shop):
    row = next(row for row in answer(shop, "patterns")["results"] if row["id"] == find_id(shop))

    assert (row["number"], row["total"], row["why"]) == (5, 5, "all 5 files with routes")
    assert (row["path"], row["line"], len(row["evidence"])) == ("src/app/api/r0/route.ts", 2, 5)
    assert f"{row['id']} API answers: Files with routes answer with" in belay(shop, "patterns").stdout
    assert answer(shop, "patterns", "src/app/api/r0")["results"] == []
    assert "No pattern holds" in belay(shop, "patterns", "src/app/api/r0").stdout


def test_accepted_shown_written_and_taken_back(shop):
    name = find_id(shop)
    shown = answer(shop, "patterns", "--accept", name)
    assert (shown["written"], "+## Discovered Patterns" in shown["diff"]) == (False, True)
    assert not (shop / FILE).exists()

    assert answer(shop, "patterns", "--accept", name.lower(), "--name", "API Answers", "--yes")["written"]
    text = (shop / FILE).read_text()
    row = "- **API Answers**: Files with routes answer with `NextResponse.json(…)` (all 5 files with routes). See src/app/api/r0/route.ts:2.\n"
    assert f"## Discovered Patterns\n\n{row}<!-- belay:patterns end -->\n" in text
    assert "has it already" in belay(shop, "patterns", "--accept", name, "--name", "API Answers", "--yes").stdout

    assert answer(shop, "patterns", "--undo")["undone"] == [FILE]
    assert not (shop / FILE).exists()


def test_an_existing_heading_is_used_as_it_is(shop):
    before = "# Orchestration\n\n## Identified Patterns\n1. **Forms**: all alike\n\n## Technical Insights\n- x\n"
    write_files(shop, {FILE: before})
    belay(shop, "patterns", "--accept", find_id(shop), "--yes")
    text = (shop / FILE).read_text()

    assert text.startswith(
        "# Orchestration\n\n## Identified Patterns\n1. **Forms**: all alike\n<!-- belay:patterns begin -->\n- **API answers**"
    )
    assert text.endswith("<!-- belay:patterns end -->\n\n## Technical Insights\n- x\n")
    assert "Discovered Patterns" not in text


def test_a_pattern_that_somebody_wrote_is_not_listed_twice(shop):
    write_files(shop, {FILE: "## Discovered Patterns\n- Files with routes answer with `NextResponse.json(…)`.\n"})

    assert "has it already" in belay(shop, "patterns", "--accept", find_id(shop), "--yes").stdout


def test_the_orchestration_template_gets_its_patterns(shop):
    belay(shop, "memory-init", ".", "--template", "orchestration")
    belay(shop, "patterns", "--accept", find_id(shop), "--yes")
    text = (shop / FILE).read_text()

    assert (
        text.index("## Discovered Patterns") < text.index("belay:patterns begin") < text.index("## Technical Insights")
    )
    assert "up to date" in belay(shop, "memory-init", ".", "--template", "orchestration").stdout
    assert (shop / FILE).read_text() == text


def test_wrong_calls(shop):
    assert "is no pattern" in belay(shop, "patterns", "--accept", "P-AAAAAA").stderr
    assert "nothing to undo" in belay(shop, "patterns", "--undo").stderr
    (shop / ".orchestre").mkdir()
    (shop / FILE).symlink_to("elsewhere")
    assert "symbolic link" in belay(shop, "patterns", "--accept", find_id(shop), "--yes").stderr
