"""A playbook's text: every byte stays but for one line an outcome and the numbers; merged by lines it still counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.knowledge.playbooks import page
from belay.knowledge.playbooks.page import Evidence

TEXT = page.render_new("parse-dates", "CLAUDE.md#1a2b3c4d5e6f")
ROW = Evidence("helpful", "2026-11-21", "5e551011", "`pytest` passed")


def test_a_new_one_says_what_it_is_about():
    book = page.parse(TEXT)

    assert (book.pattern, book.status, book.evidence) == (("CLAUDE.md", "1a2b3c4d5e6f"), "candidate", [])
    assert book.fields["helpful"] == "0"


def test_an_outcome_is_one_line_and_two_numbers():
    book = page.add_evidence(
        page.add_evidence(page.parse(TEXT), ROW), ROW._replace(how="harmful", session="", text="broke it")
    )

    assert book.text == TEXT.replace("helpful: 0", "helpful: 1").replace("harmful: 0", "harmful: 1") + (
        "- helpful 2026-11-21 `5e551011`: `pytest` passed\n- harmful 2026-11-21 by hand: broke it\n"
    )


def test_a_session_counts_once_and_as_it_ended():
    once = page.add_evidence(page.parse(TEXT), ROW)

    assert page.add_evidence(once, ROW).text == once.text
    other = page.add_evidence(once, ROW._replace(how="harmful", text="`pytest` failed"))
    assert (other.count("helpful"), other.count("harmful")) == (0, 1)


def test_by_hand_each_counts():
    book = page.parse(TEXT)
    for _ in range(3):
        book = page.add_evidence(book, Evidence("harmful", "2026-11-21", ""))

    assert (book.count("harmful"), book.status) == (3, "harmful")
    assert [one.text for one in book.evidence] == ["", "(2)", "(3)"]


@pytest.mark.parametrize(
    ("helpful", "harmful", "status"),
    [
        (2, 0, "candidate"), (3, 0, "established"), (3, 1, "candidate"), (4, 1, "established"), (10, 2, "proven"),
        (10, 3, "candidate"), (2, 3, "harmful"), (3, 3, "candidate"), (0, 2, "candidate"),
    ],
)  # fmt: skip
def test_what_the_outcomes_make_of_a_pattern(helpful, harmful, status):
    rows = [Evidence("helpful", "2026-11-21", f"h{at}").line for at in range(helpful)]
    rows += [Evidence("harmful", "2026-11-21", f"x{at}").line for at in range(harmful)]

    assert page.parse("\n".join(rows)).status == status


LINES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=("Cs",))),
        st.sampled_from(
            ["---", "helpful: 7", "harmful: x", "status:", "## Evidence", ROW.line, "- helpful nonsense", ""]
        ),
    ),
    max_size=14,
)
ENDS = st.sampled_from(["\n", "\r\n"])
OUTCOME = st.builds(
    Evidence,
    st.sampled_from(["helpful", "harmful"]),
    st.just("2026-11-21"),
    st.sampled_from(["", "5e551011", "abc"]),
    st.sampled_from(["", "it broke", "`x` passed"]),
)


@given(LINES, ENDS, st.booleans())
def test_any_text_is_given_back_as_it_was(lines, end, closed):
    text = end.join(lines) + (end if closed else "")

    assert page.parse(text).text == text


@given(LINES, ENDS, st.booleans(), OUTCOME)
def test_an_outcome_changes_nothing_else(lines, end, closed, one):
    text = end.join(lines) + (end if closed else "")
    before = page.parse(text)
    after = page.add_evidence(before, one)

    def rest(book):
        front = page._find_front_matter_end(book.lines)
        kept = [row for at, row in enumerate(book.lines) if not (at < front and row.partition(":")[0] in FIELDS)]
        return [row.rstrip("\r\n") for row in kept if page._parse_evidence(row) is None and row.strip() != page.HEADING]

    assert [row for row in rest(after) if row] == [row for row in rest(before) if row]
    assert one.session not in ("5e551011", "abc") or one in after.evidence
    assert set(before.evidence) - set(after.evidence) <= {row for row in before.evidence if row.session == one.session}
    assert after.count(one.how) >= 1
    again = page.update_counts(after)
    assert again.text == after.text


FIELDS = ("helpful", "harmful", "status")


def test_two_branches_that_saw_outcomes_merge_without_a_hand(repo):
    path = repo / "book.md"
    (repo / ".gitattributes").write_text("*.md merge=union\n")
    path.write_text(page.add_evidence(page.parse(TEXT), ROW).text)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "book")
    git(repo, "switch", "-qc", "side")
    path.write_text(page.add_evidence(page.parse(path.read_text()), ROW._replace(session="aaaa")).text)
    git(repo, "commit", "-qam", "side")
    git(repo, "switch", "-q", "main")
    path.write_text(page.add_evidence(page.parse(path.read_text()), ROW._replace(session="bbbb", how="harmful")).text)
    git(repo, "commit", "-qam", "main")
    git(repo, "merge", "-q", "--no-edit", "side")

    book = page.update_counts(page.parse(path.read_text()))
    assert {one.session for one in book.evidence} == {"5e551011", "aaaa", "bbbb"}
    assert (book.fields["helpful"], book.fields["harmful"]) == ("2", "1")
    assert book.text.count("helpful: ") == 1
    assert page.parse(book.text).text == book.text
