"""How often prompts bring entries: ordinary ones (false), and ones made of entries by rule (hits).

    python3 bench/recall.py [--half tune|held] [--show N]
    python3 bench/recall.py PROMPTS.jsonl [ENTRIES] [--kept 0.4] [--show N]

Without files: the written projects (`projects.py`), each with an index of its own entries. Natural prompts of daily
work should bring their entry among the first three; ordinary ones of the same project, and those that were written for
the trigger model, nothing. "Used": after the project's prompts were counted (`prompt_words`).
"By meaning too": with the table of word pieces, where set-up made it.

PROMPTS: one JSON object a line with `text`, optionally `labels` and `part` (only unlabelled ones of part "random", or
without a part, are ordinary). They are of other projects, so whatever they bring is false. ENTRIES: a file of one fact
a line, or Markdown files and folders whose bullets and first sentences of paragraphs are taken; without it, all written
entries. A hit: a prompt made by rule from a fact of ENTRIES (a share of its informative words in their order, within a
question) brings that very fact among the first three.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import re
import sys
from collections.abc import Iterable

import projects

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.client import prompt_text
from belay.context.recall import choices, lookup, prompt_words, selection, term_index
from belay.context.recall.selection import LINES
from belay.core import terms
from belay.knowledge.vectors import encoding
from belay.repository.manifests import alternatives

FRAMES = (
    "how do we handle {} here?",
    "why did we choose {}?",
    "I want to change {} now",
    "look at {} for me",
)
SEED = 3


def prompts(path: str) -> list[str]:
    """Return the prose of the ordinary prompts of a file."""
    found = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = row.get("part", "random") == "random" and not row.get("labels") and not row.get("disputed")
        if kind and not prompt_text.explain_machine_turn(row["text"]):
            found.append(prompt_text.extract_prose(row["text"]))
    return found


def entries(path: str) -> list[str]:
    """Return the facts of a file or folder."""
    here = pathlib.Path(path)
    files = sorted(here.rglob("*.md")) if here.is_dir() else [here]
    if files == [here] and here.suffix != ".md":
        return [line for line in here.read_text(encoding="utf-8").splitlines() if line.strip()]
    found = []
    for file in files:
        text = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8", errors="replace"), flags=re.S)
        rows = (" ".join(part.split()) for part in re.split(r"\n\n|\n[-*] ", text))
        found += [row.split(". ")[0][:260] for row in rows if len(row) > 50 and row[0] not in "#|<"]
    return list(dict.fromkeys(found))


def asked(text: str, kept: float, chance: random.Random) -> str:
    """Return a prompt made of a share of an entry's informative words."""
    words = [word for word in terms.words(text) if word.casefold() not in terms.STOP and len(word) > 2]
    some = sorted(chance.sample(range(len(words)), min(len(words), max(3, round(len(words) * kept)))))
    return chance.choice(FRAMES).format(" ".join(words[at] for at in some))


class Recaller:
    """The index of some entries, with their vectors where this machine has the table of word pieces."""

    def __init__(
        self, written: list[projects.Written], prompts: Iterable[str] = (), *, by_meaning: bool = False
    ) -> None:
        said = [f"{entry.content} {entry.reasoning}".strip() for entry in written]
        rows = [
            term_index.Row(at, " ".join((text, *entry.files)), entry.type)
            for at, (text, entry) in enumerate(zip(said, written, strict=True))
        ]
        known = prompt_words.add_prompts(prompt_words.NONE, prompts)
        self.data = term_index.build_index(rows, [], prompts=known)
        self.encoder = encoding.load_encoder(os.environ) if by_meaning else None
        self.products = {
            at: {terms.stem(word) for word in alternatives.list_rivals(text)}
            for at, (text, entry) in enumerate(zip(said, written, strict=True))
            if entry.type == "decision"
        }
        self.vectors = [self.encoder.encode(text) for text in said] if self.encoder else []

    def find(self, text: str) -> list[int]:
        """Return the entries that a prompt brings, as the hook chooses them."""
        matches, nearly = lookup.find_matches(self.data, text)
        near = [*selection.choose_near(self._compare(text, list(nearly))), *self._find_choices(text, nearly)]
        return list(dict.fromkeys([*matches, *near]))[:LINES]

    def _find_choices(self, text: str, nearly: dict[int, set[str]]) -> list[int]:
        chosen = choices.find_chosen(text)
        asked = {number: stems & chosen for number, stems in nearly.items() if stems & chosen}
        return [number for number in asked if asked[number] & self.products.get(number, set())]

    def _compare(self, text: str, numbers: list[int]) -> dict[int, float]:
        asked = self.encoder.encode(text) if self.encoder and numbers else b""
        if not asked:
            return {}
        cosines = encoding.multiply_all(encoding.unpack(asked), [self.vectors[number] for number in numbers])
        return dict(zip(numbers, cosines, strict=True))


def natural(halves: tuple[str, ...], show: int) -> None:
    """Print how many natural prompts bring their entry, and how many ordinary ones bring any."""
    general = projects.load_ordinary()
    ways = [("new project", False, False), ("used", True, False)]
    if encoding.load_encoder(os.environ):
        ways.append(("used, by meaning too", True, True))
    for half in halves:
        for name, used, by_meaning in ways:
            natural_way(projects.load_projects(half), general, (used, by_meaning), f"{half}, {name}", show)


def natural_way(
    written: list[projects.Project], general: list[str], way: tuple[bool, bool], name: str, show: int
) -> None:
    hits, missed, false, others = 0, [], [], 0
    for project in written:
        said = [asked.text for asked in project.asked if asked.kind in "PO"]
        recaller = Recaller(project.entries, said if way[0] else (), by_meaning=way[1])
        for asked in project.asked:
            brought = {project.entries[at].key for at in recaller.find(asked.text)} if asked.kind in "PO" else set()
            if asked.kind == "P" and asked.keys & brought:
                hits += 1
            elif asked.kind == "P":
                missed.append(f"  missed: {asked.text}")
            elif brought:
                false.append(f"  false: {asked.text}  →  {', '.join(brought)}")
        others += sum(bool(recaller.find(text)) for text in general)
    ordinary = sum(asked.kind == "O" for project in written for asked in project.asked)
    print(
        f"{name}: {share(hits, hits + len(missed))} natural prompts bring their entry; of ordinary ones of the project "
        f"{share(len(false), ordinary)} bring any, of other ones {share(others, len(general) * len(written))}"
    )
    print("".join(f"{line}\n" for line in [*missed, *false][:show]), end="")


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / (whole or 1):.1f} %)"


def made_of_entries(facts: list[str], data: bytes, kept: float) -> None:
    """Print how many prompts made of an entry by rule bring it."""
    chance = random.Random(SEED)
    hits = sum(
        at in list(lookup.find_entries(data, asked(text, kept, chance)))[:LINES] for at, text in enumerate(facts)
    )
    print(f"hits: {share(hits, len(facts))} prompts made of an entry")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("prompts", nargs="?")
    parser.add_argument("entries", nargs="?")
    parser.add_argument("--half", choices=projects.HALVES)
    parser.add_argument("--kept", type=float, default=0.4)
    parser.add_argument("--show", type=int, default=0)
    args = parser.parse_args()
    if not args.prompts:
        natural((args.half,) if args.half else projects.HALVES, args.show)
        return
    ordinary = prompts(args.prompts)
    if args.entries:
        written = [projects.Written(text, "note", text, "", ()) for text in entries(args.entries)]
    else:
        written = [entry for project in projects.load_projects(args.half or "") for entry in project.entries]
    recaller = Recaller(written)
    print(f"{len(written)} entries, index {len(recaller.data):,} bytes")
    for by_meaning in (False, True)[: 1 + bool(encoding.load_encoder(os.environ))]:
        recaller = Recaller(written, by_meaning=by_meaning)
        false = [(text, found) for text in ordinary if (found := recaller.find(text))]
        print(f"false{', by meaning too' * by_meaning}: {share(len(false), len(ordinary))} ordinary prompts")
        for text, found in false[: args.show]:
            print(f"  {text[:80]!r}  →  {written[found[0]].content[:60]}")
    if args.entries:
        made_of_entries([entry.content for entry in written], recaller.data, args.kept)


if __name__ == "__main__":
    main()
