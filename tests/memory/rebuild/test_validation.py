"""What a corrected memory must hold."""

import pytest
from secretsamples import made

from belay.core.errors import BadInput
from belay.memory.rebuild import validation

GOOD = "# Project Memory\n\n## Project Overview\nKite keeps the time.\n\n## Where We Left Off\n- **Next immediate step:** ring\n"


def test_a_memory_is_taken_without_its_notes_and_fence():
    text = f"```markdown\n{GOOD.replace('ring', 'ring  <!-- from journal, high -->')}```\n"

    assert validation.read_corrected(text.encode(), "") == (GOOD, False, [])


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "none of the sections"),
        (b"# Hello\n\nworld\n", "none of the sections"),
        (GOOD.replace("ring", "[DATE]").encode(), "placeholder"),
        (GOOD.replace("ring", "{{date}}").encode(), "placeholder"),
        (GOOD.encode() + b"\xff", "not UTF-8"),
        (GOOD.encode() + b"<<<<<<< ours\n", "conflict"),
        (GOOD.encode() + b"```\nopen\n", "closes"),
        (b"## Project Overview\n\n## Where We Left Off\n", "neither"),
        (GOOD.encode() + b"x" * 300_000, "bytes"),
    ],
)
def test_what_is_no_memory_is_refused_with_the_mend(data, what):
    with pytest.raises(BadInput, match=what) as caught:
        validation.read_corrected(data, "")
    assert caught.value.mend


def test_a_secret_is_taken_out():
    token = "ghp_" + made(36)
    found = validation.read_corrected(GOOD.replace("ring", token).encode(), "")

    assert found.redacted
    assert token not in found.text


def test_standing_lines_that_are_left_out_are_named():
    standing = GOOD + "\n## Key Decisions\n- 2020-01-01 bells\n\n## Blockers\n- timber\n\n## User Preferences\n- tabs\n"
    kept = validation.read_corrected((GOOD + "\n## User Preferences\n  - tabs\n").encode(), standing)

    assert kept.missing == ["- 2020-01-01 bells"]


def test_line_ends_and_byte_order_mark_stay_as_they_stood():
    standing = "\ufeff" + GOOD.replace("\n", "\r\n")

    assert validation.read_corrected(GOOD.encode(), standing).text == standing
    assert validation.read_corrected(standing.encode(), standing).text == standing
