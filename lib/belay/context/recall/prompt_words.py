"""How often the project's own prompts say a word: a word of every prompt is no name, whatever it is elsewhere.

One file, `state/prompt-words`, derived from the journals by the consolidator: a line with the key of what follows from
it; then, as JSON, the number of prompts, in how many of them each word is, and up to where each session was counted.
No prompt or tool call reads it: the indexes have what follows from it.
"""

from __future__ import annotations

import zlib

from belay.context.recall import lookup
from belay.core import files, json_codec
from belay.core.constants import FILE_BYTES
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypedDict, TypeGuard

    from belay.core.paths import Project
    from belay.session.session import Session

    class Stored(TypedDict):
        """The file: what was counted, and for each session its last record and how many of its prompts were counted."""

        prompts: int
        words: dict[str, int]
        sessions: dict[str, tuple[str, int]]


NAME = "prompt-words"
KEPT = 2000
"""Prompts that count about: at twice as many all counts are halved, so that old habits fade."""
LEAST = 20
"""With fewer prompts their words say nothing yet."""
ALWAYS, OFTEN, SOMETIMES = 0.15, 0.05, 0.02
"""Shares of the prompts with a word from which it recalls nothing; adds little; does not recall an entry alone."""
FEW = 3
"""In so many prompts a word is, at least, before its share counts."""


_KEY_BYTES = 9


class PromptWords(NamedTuple):
    """The number of prompts, and in how many of them each stem is."""

    prompts: int = 0
    counts: Mapping[str, int] = {}

    def says_always(self, stem: str) -> bool:
        """Whether so many prompts have a word that it tells nothing."""
        return self._is_over(stem, ALWAYS)

    def says_often(self, stem: str) -> bool:
        """Whether a word counts no more than a common one here."""
        return self._is_over(stem, OFTEN)

    def says_sometimes(self, stem: str) -> bool:
        """Whether a word is too frequent here to recall an entry alone."""
        return self._is_over(stem, SOMETIMES)

    def _is_over(self, stem: str, share: float) -> bool:
        count = self.counts.get(stem, 0)
        return self.prompts >= LEAST and count >= FEW and count > share * self.prompts

    @property
    def key(self) -> str:
        """A text that changes with the words that weigh less for being said often."""
        words = sorted(f"{word}{self.says_often(word)}" for word in self.counts if self.says_sometimes(word))
        return f"{zlib.crc32(' '.join(words).encode('utf-8', 'replace')):08x}"


NONE = PromptWords()
"""What is known before any prompt was counted."""


def load_words(project: Project) -> PromptWords:
    """Return what was counted, nothing where there is no count."""
    stored = _read(project)
    return PromptWords(stored["prompts"], stored["words"])


def read_key(project: Project) -> str:
    """Return the key of the count, "" where there is none: an index that was written with another one is old."""
    return files.read(project.derived(NAME), _KEY_BYTES).partition(b"\n")[0].decode("ascii", "replace")


def count_as_step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> int:
    """Count the prompts that came since, as a step of the consolidator; return how many."""
    stored = _read(project)
    fresh: list[str] = []
    places: dict[str, tuple[str, int]] = {}
    for session in sessions:
        last, counted = stored["sessions"].get(session.name, ("", 0))
        if last != session.state["last"]:
            said = _list_prompts(session)
            fresh += said[counted:]
            last, counted = session.state["last"], len(said)
        places[session.name] = (last, counted)
    if fresh or places.keys() != stored["sessions"].keys():
        words = add_prompts(PromptWords(stored["prompts"], stored["words"]), fresh)
        new: Stored = {"prompts": words.prompts, "words": dict(words.counts), "sessions": places}
        files.write(project.derived(NAME), f"{words.key}\n".encode() + json_codec.encode(new), sync=False)
    return len(fresh)


def _list_prompts(session: Session) -> list[str]:
    """Return the texts of what a person typed in a session."""
    return [
        record.get("text", "")
        for record in session.own_records()
        if record["kind"] == "prompt" and not record.get("skipped")
    ]


def add_prompts(words: PromptWords, texts: Iterable[str]) -> PromptWords:
    """Return the counts with more prompts; what one prompt alone said is dropped when they are halved."""
    prompts, counts = words.prompts, dict(words.counts)
    for text in texts:
        prompts += 1
        for stem in {stem for _, stem in lookup.list_stems(text)}:
            counts[stem] = counts.get(stem, 0) + 1
        if prompts >= 2 * KEPT:
            prompts //= 2
            counts = {stem: count // 2 for stem, count in counts.items() if count > 1}
    return PromptWords(prompts, counts)


def _read(project: Project) -> Stored:
    """Return what is stored; nothing where the file is missing or not as it should be."""
    empty: Stored = {"prompts": 0, "words": {}, "sessions": {}}
    try:
        data = files.read(project.derived(NAME), FILE_BYTES).partition(b"\n")[2]
        stored = json_codec.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return empty
    return stored if _fits(stored) else empty


def _fits(stored: Any) -> TypeGuard[Stored]:
    """Whether a file's value is as this module writes it."""
    if not isinstance(stored, dict) or not isinstance(stored.get("prompts"), int):
        return False
    words, places = stored.get("words"), stored.get("sessions")
    return (
        isinstance(words, dict)
        and isinstance(places, dict)
        and all(isinstance(count, int) for count in words.values())
        and all(isinstance(place, list) and len(place) == 2 and isinstance(place[1], int) for place in places.values())
    )
