"""What the next session is told after a wrap-up."""

from sessions import DOCUMENT, again, parsed, start

from belay.memory.wrapup import saving
from belay.session import working_buffer
from belay.session.continuation_text import Facts, build


def test_the_agreed_next_step_leads_the_continuation_until_it_is_done(project):
    session = start(project)
    session.log("todos", items=[{"id": "1", "text": "something else", "status": "pending"}])
    saving.save_wrapup(session, parsed(DOCUMENT))
    wrapped = again(session)
    wrapped.log("said", text="Saved.")

    assert "## Immediate Next Action\nadd the TTL in file.txt:1\n" in build(wrapped.state, Facts("main"))
    assert "- **Next step:** add the TTL in file.txt:1" in working_buffer.render(wrapped.state)
    assert "- **Status:** in progress" in working_buffer.render(wrapped.state)

    wrapped.log("edit", files=[{"path": "file.txt", "line": 2}])
    assert "## Immediate Next Action\nadd the TTL in file.txt:1\n" in build(wrapped.state, Facts("main"))

    wrapped.log("commit", sha="1234567", subject="Add the TTL in file.txt")
    assert not any("add the TTL" in line for line in working_buffer.render(wrapped.state))
