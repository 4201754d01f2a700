"""What the next session is told after a wrap-up."""

from sessions import DOCUMENT, again, parsed, start

from belay.memory.wrapup import saving
from belay.session import working_buffer
from belay.session.continuation_text import Facts, build


def test_the_agreed_next_step_leads_the_continuation_until_work_goes_on(project):
    session = start(project)
    session.log("todos", items=[{"id": "1", "text": "something else", "status": "pending"}])
    saving.save_wrapup(session, parsed(DOCUMENT))
    wrapped = again(session)
    wrapped.log("said", text="Saved.", intent="")

    assert "Go on with: add the TTL in file.txt:1\n" in build(wrapped.state, Facts("main"))
    assert "- **Next step:** add the TTL in file.txt:1" in working_buffer.render(wrapped.state)
    assert "- **Status:** in progress" in working_buffer.render(wrapped.state)

    wrapped.log("edit", files=[{"path": "file.txt", "line": 2}])
    assert "Go on with: something else\n" in build(wrapped.state, Facts("main"))
    assert not any("add the TTL" in line for line in working_buffer.render(wrapped.state))
