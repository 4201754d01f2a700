"""A memory file from a template: sections once, lists replaced, everything else as it was."""

from hypothesis import assume, given
from hypothesis import strategies as st

from belay.memory.claude_files import marked_block
from belay.memory.document import page
from belay.places.scaffold import plan, template_files
from belay.places.scaffold.sections import make_key, parse_template

FEATURE = parse_template(template_files.read_shipped("feature"))
FOUND = {"component": ["Found in the code:", "- `AuthForm` (src/AuthForm.tsx:3)"], "route": []}


def complete(text, sections=FEATURE.sections, lists=FOUND):
    return plan.plan_text(text, FEATURE, sections, lists, "Auth")


def test_a_new_file_has_title_sections_and_what_was_found():
    text = complete("")

    assert text.startswith("<!-- belay:sections begin new -->\n# Auth Feature Memory\n\n## Overview\n")
    assert "### Key Components\n" in text
    assert "- `AuthForm` (src/AuthForm.tsx:3)\n<!-- belay:found-component end -->\n\n### Data Flow\n" in text
    assert "found-route" not in text
    assert "stage:" not in text
    assert complete(text) == text


def test_a_second_run_replaces_the_lists_and_keeps_what_a_person_wrote():
    text = complete("").replace("## Overview\n", "## Overview\nSigns users in.\n") + "\nBelow.\n"
    newer = {
        "component": ["Found in the code:", "- `SignIn` (src/SignIn.tsx:1)"],
        "route": ["Found in the code:", "- `GET /me` (a.ts:1)"],
    }
    again = complete(text, lists=newer)

    assert "Signs users in.\n" in again
    assert again.endswith("\nBelow.\n")
    assert ("AuthForm" in again, "SignIn" in again) == (False, True)
    assert "- `GET /me` (a.ts:1)\n<!-- belay:found-route end -->\n\n### Exports\n" in again
    assert "belay:found-component" not in complete(again, lists={"component": [], "route": []})


def test_missing_sections_go_into_a_block_at_the_end():
    text = "# Auth\n\n## overview\nMine.\n\n## Known Issues\n- None.\n"
    after = complete(text)

    assert after.startswith(text)
    assert after.count("verview") == 1
    assert "## Known Issues & Workarounds" not in after
    assert "## Error Handling" in after
    assert marked_block.remove_block(after, plan.NAME) == text


def test_stages_add_up():
    planning = [section for section in FEATURE.sections if section.stage == "planning"]
    first = complete("", planning)
    second = complete(first)

    assert [line for line in first.split("\n") if line.startswith("## ")] == ["## Overview"]
    assert second.count("## Overview") == 1
    assert "## Testing Strategy" in second


def test_identified_patterns_are_discovered_patterns():
    template = parse_template(template_files.read_shipped("orchestration"))
    after = plan.plan_text("## Identified Patterns\n1. A\n", template, template.sections, {}, "x")

    assert make_key("Identified Patterns") == make_key("Discovered Patterns")
    assert "Discovered Patterns" not in after
    assert "Task History" in after


@given(st.text(alphabet="#ab \n-<!>`", max_size=120))
def test_every_byte_around_the_block_stays(text):
    assume(page.find_problem(page.parse(text)) is None)  # such a file is refused
    after = complete(text)

    assert marked_block.remove_block(after, plan.NAME) == text
    assert complete(after) == after


def test_the_plugins_templates_have_the_sections_of_the_seed():
    titles = {
        name: [part.title for part in parse_template(template_files.read_shipped(name)).sections]
        for name in template_files.TEMPLATES
    }

    assert titles["orchestration"] == [
        "Current Development Phase", "Current Sprint Focus", "Task History", "Discovered Patterns", "Technical Insights",
        "Recent Discoveries",
    ]  # fmt: skip
    assert titles["feature"] == [
        "Overview", "Architecture Decisions", "Implementation Details", "State Management", "Error Handling",
        "Testing Strategy", "Known Issues & Workarounds", "Future Improvements", "Integration Points",
    ]  # fmt: skip
    for name in ("component", "api", "integration"):
        own = set(titles[name]) - set(titles["feature"])
        assert len(own) >= 8, name
    assert {"✅", "🔄", "⏳"} <= set(template_files.read_shipped("orchestration"))
