"""Plans that Claude puts up for approval: what the journal keeps of them."""

from __future__ import annotations

from belay.client.prompt_text import find_plan_title
from belay.safety.redaction import redact_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.session import Session

READ_CHARS = 4000


def record_plan(session: Session, text: str, status: str) -> None:
    """Journal a plan's title and what became of it: proposed, approved or rejected."""
    session.log("plan", title=find_plan_title(redact_head(text, READ_CHARS * 2, READ_CHARS)), status=status)
