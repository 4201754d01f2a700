"""What Claude's answer says about the work: its closing line, a question to the user, next steps, an announced step.

Only the text that a person reads counts: no code, tables or quotations. Plain string code; Stop calls it.
"""

from __future__ import annotations

from belay.core.plain_text import cut, one_line, split_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session import records
    from belay.session.session import Session
    from belay.session.state_types import Answer, Finding

SAID_CHARS = 600
TELLING_CHARS = 120
"""Characters below which an answer is not searched for findings: that takes Stop a millisecond."""
_LABELS = ("2.", "2)", "2:", "B)", "b)", "B:", "b.", "B.", "Option ", "option ")
"""What stands before the second option of a list."""
LINE_CHARS = 300
STEPS = 3
HEADING_WORDS = 6
READ_CHARS = 20_000
_DECLARED = {
    "next": ("next", "next step", "nächster schritt", "als nächstes", "siguiente", "prochaine étape", "suite",
             "próximo passo", "далее", "следующий шаг", "下一步", "次"),
    "waiting": ("waiting", "waiting for you", "waiting on you", "wartet", "esperando", "en attente", "ожидаю", "等待",
    "待ち"),
    "done": ("done", "fertig", "erledigt", "hecho", "terminé", "fait", "готово", "完成", "完了"),
}  # fmt: skip
"""Kind of closing line → the words before its colon."""
_NOTHING = frozenset(
    ("nothing", "none", "n/a", "nothing left", "nothing else", "nothing more", "nothing open", "nothing to do",
     "nothing remains", "nothing pending", "nothing here", "no next step", "no next steps", "no further steps",
     "nichts", "keine", "nada", "nada más", "rien", "aucune", "nenhum", "ничего", "нет", "无", "没有", "なし")
)  # fmt: skip
"""What stands for no next step."""
_HEADINGS = (
    "next step", "next up", "remaining", "what's next", "what’s next", "what's left", "what is left", "still to do",
    "still open", "left to do", "open items", "to do next", "todo", "to-do", "outstanding", "not yet done",
    "what remains",
    "nächste schritte", "próximos pasos", "prochaines étapes", "следующие шаги", "下一步",
)  # fmt: skip
_ASKS_YOU = (
    "want me", "want ", "would you", "do you", "should i", "should we", "shall i", "shall we", "can you",
    "could you", "you want",
    "you prefer", "you like", "which", "may i", "ok to", "okay to", "want to", "how would", "what would", "ready to",
    "sound good", "look right", "looks right", "look good", "is that", "is this", " or ",
    "soll ich", "möchtest du", "willst du", "welche", "quieres", "voulez", "veux-tu", "хотите", "要",
)  # fmt: skip
_BEGUN = (
    "let me ", "now let me ", "now, let me ", "next, let me ", "first, let me ", "then let me ", "now i'll ",
    "now i will ",
    "i'll now ", "i will now ", "let's start", "starting with ", "now checking ", "now running ",
)  # fmt: skip
"""How a sentence begins that comes before a tool call: an answer that ends with it was cut off."""
_COURTESY = ("anything else", "any other", "anything you", "any questions", "any changes", "any adjust", "help with")
_OFFERS = ("would you like", "do you want", "should i", "shall i", "which ", "how would you", "how do you want")
_LET_ME_KNOW = (
    "let me know which",
    "let me know how you",
    "let me know whether",
    "tell me which",
    "your call",
    "up to you",
)
_READY = ("ready for ", "ready to ", "when ready", "when you're ready", "when you are ready", "whenever you")
_NOW = ("now run ", "now rerun ", "now re-run ", "now retry ", "now rebuild ", "now restart ", "now try ", "now test ",
        "now push ", "now open ", "now you can run ")  # fmt: skip
_EMPTY_READY = ("ready for the next", "ready for next", "ready for your", "ready to continue", "ready to help",
                "ready to go", "ready for review", "ready to use", "ready for use", "ready when you")  # fmt: skip
_ORDERS = (*_NOW, "you can now run ", "you should now ", "you'll need to ", "you will need to ", "you need to ",
           "then run ", "next is ", "next up is ", "the next step is ", "next step is ",
           "still need to ", "remaining work",
           "please run ", "please rebuild ", "please restart ", "please test ")  # fmt: skip
_ANNOUNCED = (
    "next i'll ", "next i will ", "next, i'll ", "next, i will ", "i'll now ", "i will now ", "i'm going to ",
    "i am going to ", "i'll start ", "i will start ", "i'll continue ", "i will continue ", "next i am going to ",
    "next i'm going to ", "now i'll ", "now i will ", "then i'll ", "then i will ", "als nächstes ",
)  # fmt: skip


def record_answer(session: Session, said: str, *, is_over: bool = True, reason: str = "") -> None:
    """Journal the end of an answer, without secrets, and what it says about the work if the turn ended with it."""
    answer = read_answer(said) if is_over else None
    fields: records.SaidRecord = {"text": said[-SAID_CHARS:], "unfinished": answer is None}
    if answer is not None:
        fields["answer"] = answer
        findings = _find_findings(said)
        if findings:
            fields["findings"] = findings
    if reason:
        fields["reason"] = reason
    session.log("said", **fields)


def _find_findings(said: str) -> list[Finding]:
    if len(said) < TELLING_CHARS:
        return []
    from belay.session.work.findings import find_findings

    return find_findings(read_lines(said[-READ_CHARS:]))


def read_answer(text: str) -> Answer | None:
    """Return what an answer says about the work, "" and [] where it says nothing; None where it breaks off.

    A closing line `Next: …`, `Waiting: …` or `Done: …` outranks the rest; `steps` has at most three.
    """
    lines = read_lines(text[-READ_CHARS:])
    kind, declared = _find_declared(lines)
    if not kind and _is_cut_off(text, lines):
        return None
    answer: Answer = {
        "declared": "", "kind": "", "question": "", "steps": [], "announced": "", "options": _find_options(text),
    }  # fmt: skip
    if kind:
        return {**answer, "kind": kind, "declared": declared}
    tail = _last_paragraph(lines)
    answer["question"] = _find_question(tail, lines)
    answer["steps"] = _find_steps(lines) or _find_orders(tail, lines)
    answer["announced"] = "" if answer["question"] else _find_announced(tail)
    return answer


def _find_options(text: str) -> list[list[str]]:
    if not any(mark in text for mark in _LABELS):
        return []
    from belay.session.work.options import find_options  # few answers list options, and Stop would pay for it

    return find_options(text)


def _is_cut_off(text: str, lines: list[str]) -> bool:
    """Whether an answer breaks off: it ends by saying what runs now, so that the request is not finished."""
    end = text.rstrip().rstrip("`").rstrip()
    if end.endswith(("...", "…", ":")):
        return True
    last = next((row for row in reversed(lines) if row), "")
    sentences = split_line(_plain(last))
    low = sentences[-1].lower() if sentences else ""
    return low.startswith(_BEGUN) and not low.endswith("?") and not low.startswith("let me know")


def read_lines(text: str) -> list[str]:
    """Return the lines of prose, code, tables and quotations left out; "" for a blank line."""
    lines: list[str] = []
    fence = ""
    for line in text.replace("’", "'").split("\n"):
        row = line.strip()
        mark = row[:3]
        if fence or mark in ("```", "~~~"):
            fence = ("" if mark == fence else fence) if fence else mark
            continue
        if row.startswith((">", "|", "│", "★", "─", "━", "<")):
            row = ""
        lines.append(row)
    return lines


def _plain(row: str) -> str:
    """Return a line without list mark, emphasis and heading marks; code keeps its backticks."""
    row = row.lstrip("#*-+• ").strip()
    number, _, rest = row.partition(" ")
    if rest and number[-1:] in ".)" and number[:-1].isdigit():
        row = rest.strip()
    return row.replace("**", "").replace("__", "").strip("* ")


def _find_declared(lines: list[str]) -> tuple[str, str]:
    """Return (kind, text) of a closing line: the last line that says anything. A next step of nothing is done."""
    last = next((row for row in reversed(lines) if row), "")
    head, colon, rest = _plain(last).replace("：", ":", 1).partition(":")
    name, rest = _strip_marks(head).lower(), rest.strip("*_` ")
    kind = next((kind for kind, names in _DECLARED.items() if colon and name in names), "")
    if kind not in ("", "done") and not _strip_marks(rest):
        return "", ""
    return ("done", "") if kind and _is_nothing(rest) else (kind, _shorten(rest) if kind else "")


def _strip_marks(text: str) -> str:
    """Return a text from its first to its last letter or digit."""
    inner = [at for at, char in enumerate(text) if char.isalnum()]
    return text[inner[0] : inner[-1] + 1] if inner else ""


def _is_nothing(text: str) -> bool:
    """Whether a next step says that there is none: "none.", "nothing, all of it is merged"."""
    low = text.lower()
    ends = [at for at in map(low.find, (".", ",", ";", "(", "—", " - ", ":", "!", "。")) if at >= 0]
    return _strip_marks(low[: min(ends, default=len(low))]) in _NOTHING


def _last_paragraph(lines: list[str]) -> list[str]:
    """Return the sentences of the last paragraph of prose; a list behind it does not hide it."""
    rows = list(lines)
    while rows and (not rows[-1] or _is_item(rows[-1])):
        rows.pop()
    start = len(rows)
    while start and rows[start - 1] and not _is_item(rows[start - 1]) and not rows[start - 1].startswith("#"):
        start -= 1
    return [sentence for row in rows[start:] for sentence in split_line(_plain(row))]


def _is_item(row: str) -> bool:
    number, _, rest = row.partition(" ")
    return bool(rest) and (
        number in ("-", "*", "+", "•") or (number[-1:] in ".)" and number[:-1].isalnum() and len(number) < 4)
    )


def _find_question(tail: list[str], lines: list[str]) -> str:
    """Return the question to the user that an answer ends with: in its last paragraph, or as its last item."""
    last = next((row for row in reversed(lines) if row), "")
    for sentence in [*reversed(tail[-4:]), *reversed(split_line(_plain(last)))]:
        low = f" {sentence.lower()} "
        is_answered = low.startswith(" why ") and tail[-1:] != [sentence]
        if sentence.endswith("?") and not is_answered and any(phrase in low for phrase in _ASKS_YOU):
            return "" if any(phrase in low for phrase in _COURTESY) else _shorten(sentence)
        if any(phrase in low for phrase in _LET_ME_KNOW):
            return _shorten(sentence)
    if tail and tail[-1].endswith(":") and tail[-1].lower().startswith(_OFFERS):
        options = [_plain(row) for row in lines[_index_after(lines, tail[-1]) :] if _is_item(row)]
        return _shorten(f"{tail[-1]} {' '.join(options)}")
    return ""


def _index_after(lines: list[str], sentence: str) -> int:
    return next((at + 1 for at in range(len(lines) - 1, -1, -1) if _plain(lines[at]).endswith(sentence)), len(lines))


def _find_steps(lines: list[str]) -> list[str]:
    """Return the items under the last heading that names what is left; ticked ones are done."""
    begin = next((at for at in range(len(lines) - 1, -1, -1) if _is_heading(lines[at])), -1)
    if begin < 0:
        return []
    head, _, rest = _plain(lines[begin]).partition(":")
    steps = [rest.strip()] if rest.strip() and _names_next(head) else []
    for row in lines[begin + 1 :]:
        if row.startswith("#") or (row.startswith("**") and row.rstrip(":").endswith("**") and not _is_item(row)):
            break
        if _is_item(row) and not row.lower().startswith(("- [x]", "* [x]")):
            steps.append(_plain(row).removeprefix("[ ]").strip())
        elif row and not steps and not _is_item(row):
            steps.append(_plain(row))
            break
    return [_shorten(step) for step in steps if len(step) > 3 and not _is_nothing(step)][:STEPS]


def _is_heading(row: str) -> bool:
    """Whether a line is a heading, a bold line or a line with a colon that names what is left."""
    marked = row.startswith("#") or row.startswith("**") or row.rstrip("* ").endswith(":") or ":" in row[:24]
    return bool(row) and marked and _names_next(_plain(row).partition(":")[0])


def _names_next(head: str) -> bool:
    low = head.lower().strip("*_ ")
    return len(low) < 60 and len(low.split()) <= HEADING_WORDS and low.startswith(_HEADINGS)


def _find_orders(tail: list[str], lines: list[str]) -> list[str]:
    """Return the sentence that says what the user would do now: "Ready to push" at the end, "Now rebuild the image"."""
    for sentence in reversed(tail[-4:]):
        low = sentence.lower()
        ready = any(phrase in low for phrase in _READY) and not any(phrase in low for phrase in _EMPTY_READY)
        if (ready or low.startswith(_ORDERS)) and not sentence.endswith("?"):
            return [_shorten(sentence)]
    begun = [_plain(row) for row in lines if row.lower().startswith(_NOW) and not _is_item(row)]
    return [_shorten(split_line(begun[-1])[0])] if begun else []


def _find_announced(tail: list[str]) -> str:
    """Return the last sentence that begins with what Claude will do next."""
    ahead = [sentence for sentence in tail if sentence.lower().startswith(_ANNOUNCED) and not sentence.endswith("?")]
    return _shorten(ahead[-1]) if ahead else ""


def _shorten(text: str) -> str:
    return cut(one_line(text), LINE_CHARS)
