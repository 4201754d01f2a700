"""The words beside an entry: how sure it is, and which other person recorded it."""

from belay.knowledge.entries import recallable, states
from belay.knowledge.entries.entries import Entry


def test_an_entry_of_another_person_says_whose_it_is_wherever_claude_reads_it():
    entry = Entry("D-ABCDEF", "decision", "use Postgres", source="by Ada")

    assert entry.sure == "by Ada"
    assert recallable.format_line(entry) == "Decision D-ABCDEF (by Ada): use Postgres"
    assert Entry("D-ABCDEF", "decision", "use Postgres").sure == ""
    assert entry._replace(status=states.SUPERSEDED).sure == ""
