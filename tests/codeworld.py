"""Small projects made of texts, and what is found in them."""

import textwrap

from belay.repository.code import survey
from belay.repository.code.tree import CodeTree


def write_files(folder, files):
    """Write texts by path below a folder, Go with its tabs; return the folder as a text."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = textwrap.dedent(text).lstrip("\n")
        target.write_text(text.replace("    ", "\t") if path.endswith(".go") else text)
    return str(folder)


def find(folder, files, kind, below=""):
    """Return {"name path:line"} of the facts of a kind that are found in a project made of these files."""
    facts = survey.survey_folder(CodeTree(write_files(folder, files)), below)
    return {f"{fact.name} {fact.path}:{fact.line}" for fact in facts if fact.kind == kind}
