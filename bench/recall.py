"""How often prompts bring entries: ordinary ones (false), and ones made of entries by rule (hits).

    python3 bench/recall.py PROMPTS.jsonl ENTRIES [--kept 0.4] [--show N]

PROMPTS: one JSON object a line with `text`, optionally `labels` and `part` (only unlabelled ones of part "random", or
without a part, are ordinary). ENTRIES: a file of one fact a line, or Markdown files and folders whose bullets and first
sentences of paragraphs are taken. The prompts are of other projects, so whatever they bring is false. A hit: a prompt
made by rule from an entry (a share of its informative words in their order, within a question) brings that very entry
among the first three.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.client import prompt_text
from belay.context.recall import lookup, term_index
from belay.context.recall.selection import LINES
from belay.core import terms

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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("prompts")
    parser.add_argument("entries")
    parser.add_argument("--kept", type=float, default=0.4)
    parser.add_argument("--show", type=int, default=0)
    args = parser.parse_args()
    facts, ordinary = entries(args.entries), prompts(args.prompts)
    data = term_index.build_index([term_index.Row(at, text) for at, text in enumerate(facts, 1)], [])
    false = [found for text in ordinary if (found := lookup.find_entries(data, text))]
    chance = random.Random(SEED)
    hits = 0
    for at, text in enumerate(facts, 1):
        hits += at in list(lookup.find_entries(data, asked(text, args.kept, chance)))[:LINES]
    print(f"{len(facts)} entries, index {len(data):,} bytes")
    print(f"false: {len(false)} of {len(ordinary)} ordinary prompts ({100 * len(false) / len(ordinary):.1f} %)")
    print(f"hits: {hits} of {len(facts)} prompts made of an entry ({100 * hits / len(facts):.0f} %)")
    for found in false[: args.show]:
        print("  ", {facts[number - 1][:60]: sorted(stems) for number, stems in list(found.items())[:1]})


if __name__ == "__main__":
    main()
