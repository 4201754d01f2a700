"""A shell command line as a tree of steps: lists, pipes, groups and loops around simple commands."""

from __future__ import annotations

from belay.client.shell import tokens
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.client.shell.tokens import Token

RUN, PIPE, AND, OR, LIST, SUBSHELL, GROUP, BLOCK, NOT, BACKGROUND = (
    "run", "pipe", "and", "or", "list", "subshell", "group", "block", "not", "background"
)  # fmt: skip
_DEEPEST = 40
"""Groups inside each other; deeper parentheses are ignored."""
_OPENERS = frozenset("if while until for case select".split())
_MIDDLES = frozenset("then do else elif".split())
_CLOSERS = frozenset("fi done esac".split())
_SEPARATORS = frozenset((";", "\n", "&"))


class Step(NamedTuple):
    """One node: its kind, the nodes in it, and the words of a simple command (kind `run`).

    A `block` is a loop, a condition or the body of a function: its exit status says little about the steps in it.
    """

    kind: str
    parts: tuple[Step, ...] = ()
    words: tuple[str, ...] = ()


def parse(command: str) -> Step:
    """Return the tree of a command line; what is no valid shell gives some tree, never an error."""
    parser = _Parser(tokens.split(command))
    parts = []
    while parser.at < len(parser.tokens):
        parts.append(parser.read_list(""))
        parser.at += 1  # a closing mark that nothing opened
    return parts[0] if len(parts) == 1 else Step(LIST, tuple(parts))


class _Parser:
    __slots__ = ("at", "depth", "tokens")

    def __init__(self, found: list[Token]) -> None:
        self.tokens, self.at, self.depth = found, 0, 0

    def _sees(self, *texts: str, operator: bool = True) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at] in [(text, operator) for text in texts]

    def _sees_one_of(self, texts: frozenset[str], operator: bool) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][1] == operator and self.tokens[self.at][0] in texts

    def read_list(self, end: str) -> Step:
        """Read steps up to `end`, ")" or "}" ("" for the end of the line), which is left for the caller."""
        parts: list[Step] = []
        while self.at < len(self.tokens):
            if self._sees_one_of(_SEPARATORS, True):
                self.at += 1
            elif self._sees(")") or (end == "}" and self._sees("}", operator=False)):
                break
            else:
                parts.append(self._read_and_or())
        return parts[0] if len(parts) == 1 else Step(LIST, tuple(parts))

    def _read_and_or(self) -> Step:
        step = self._read_pipe()
        while self._sees("&&", "||"):
            kind = AND if self.tokens[self.at][0] == "&&" else OR
            self._pass_operator()
            step = Step(kind, (step, self._read_pipe()))
        return Step(BACKGROUND, (step,)) if self._sees("&") else step

    def _pass_operator(self) -> None:
        self.at += 1
        while self._sees("\n"):
            self.at += 1

    def _read_pipe(self) -> Step:
        is_not = self._sees("!", operator=False)
        self.at += is_not
        parts = [self._read_command()]
        while self._sees("|"):
            self._pass_operator()
            parts.append(self._read_command())
        step = parts[0] if len(parts) == 1 else Step(PIPE, tuple(parts))
        return Step(NOT, (step,)) if is_not else step

    def _read_command(self) -> Step:
        step = self._go_deeper(self._read_compound)
        if step:
            return step
        words = self._read_words()
        if self._sees("(") and len(words) == 1:
            return self._go_deeper(self._read_function) or Step(BLOCK)
        if not words:
            self.at += 1  # an operator where a command should be
        return Step(RUN, (), words)

    def _go_deeper(self, read: Callable[[], Step | None]) -> Step | None:
        """Read what may hold itself; None where it does so too often."""
        if self.depth >= _DEEPEST:
            return None
        self.depth += 1
        step = read()
        self.depth -= 1
        return step

    def _read_compound(self) -> Step | None:
        if self._sees("("):
            return self._read_enclosed(SUBSHELL, ")", operator=True)
        if self._sees("{", operator=False):
            return self._read_enclosed(GROUP, "}", operator=False)
        return self._read_block() if self._sees_one_of(_OPENERS, False) else None

    def _read_enclosed(self, kind: str, end: str, *, operator: bool) -> Step:
        self.at += 1
        inner = self.read_list(end)
        self.at += self._sees(end, operator=operator)
        self._read_words()  # nothing but redirections may follow
        return Step(kind, (inner,))

    def _read_words(self) -> tuple[str, ...]:
        start = self.at
        while self.at < len(self.tokens) and not self.tokens[self.at][1]:
            self.at += 1
        return tuple(text for text, _ in self.tokens[start : self.at])

    def _read_function(self) -> Step:
        self.at += 1
        self.at += self._sees(")")
        while self._sees("\n"):
            self.at += 1
        return Step(BLOCK, (self._read_command(),)) if self.at < len(self.tokens) else Step(BLOCK)

    def _read_block(self) -> Step:
        opener = self.tokens[self.at][0]
        self.at += 1
        if opener in ("for", "select"):
            self._read_words()
        elif opener == "case":
            self.at += 2  # the word, and "in"
        parts: list[Step] = []
        while self.at < len(self.tokens) and not self._sees_one_of(_CLOSERS, False):
            if self._sees_one_of(_SEPARATORS, True) or self._sees_one_of(_MIDDLES, False):
                self.at += 1
            elif self._sees(")"):
                if opener != "case":
                    break
                self.at += 1
                parts = parts[:-1]  # it was a pattern
            else:
                parts.append(self._read_and_or())
        self.at += self._sees_one_of(_CLOSERS, False)
        self._read_words()
        return Step(BLOCK, tuple(parts))
