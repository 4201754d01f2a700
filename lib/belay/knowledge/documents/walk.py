"""Which files of a folder are to be indexed: as git lists them, else by a walk that never leaves the folder."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from belay.core import files as core_files
from belay.core.errors import BelayError
from belay.knowledge.documents import file_kinds, ignore_rules
from belay.repository import projects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from belay.knowledge.documents.ignore_rules import Chain

GIT_SECONDS = 60.0
ENTRIES = 1_000_000
"""Names that a walk looks at."""
DEPTH = 60
IGNORE_BYTES = 256 * 1024


def list_files(folder: str, *, output: bool = False, code: bool = False, most: int = ENTRIES) -> tuple[list[str], bool]:
    """Return (paths from the folder with forward slashes, sorted; whether these are all that there are).

    `output` takes in what is ignored, `code` source files. A walk ends after `most` names. Names only: what they are is
    for whoever opens them.
    """
    listed = None if output else list_git_files(folder)
    wanted = _make_filter(code)
    if listed is not None:
        return sorted({path for path in listed if wanted(path) and not _is_in_never(path)}), True
    paths = list(islice(_walk(folder, output), most))
    return sorted(path for path in paths if path and wanted(path)), len(paths) < most


def list_names(folder: str) -> list[str]:
    """Return every file of a folder, whatever it is: as git lists them, else what a walk finds outside of caches."""
    listed = list_git_files(folder)
    return sorted(filter(None, islice(_walk(folder, False), ENTRIES)) if listed is None else {*listed})


def _make_filter(code: bool) -> Callable[[str], bool]:
    return (
        (lambda path: file_kinds.is_text(path) or bool(file_kinds.comment_style(path))) if code else file_kinds.is_text
    )


def _is_in_never(path: str) -> bool:
    return not file_kinds.NEVER.isdisjoint(path.split("/")[:-1])


def list_git_files(folder: str) -> list[str] | None:
    """Return the files of a folder that git tracks or would; None where no git answers, or it ignores the folder."""
    from belay.repository.git import process

    if projects.work_tree(os.path.realpath(folder), "") is None:
        return None
    try:
        if process.run(folder, "check-ignore", ".", ok=(0, 1, 128), timeout=GIT_SECONDS).strip():
            return None
        listing = ("ls-files", "-co", "--exclude-standard", "-z", "--", ".")
        answer = process.run(folder, *listing, timeout=GIT_SECONDS)
    except BelayError:
        return None
    return [path for path in process.split_fields(answer) if not path.startswith(("/", "../"))]


def find_mentions(folder: str, words: Sequence[str], beside: str, *, only_documents: bool = False) -> set[str]:
    """Return which of some words stand in the files that git tracks or would, those below `beside` left out.

    Raises BelayError where git does not answer.
    """
    from belay.repository.git import process

    asked = [part for word in words for part in ("-e", word)]
    kinds = [f":(icase,glob)**/*{end}" for end in sorted(file_kinds.TEXTS)] if only_documents else ["."]
    options = ("grep", "--untracked", "-I", "-o", "-h", "-F", *asked, "--", *kinds, f":(exclude,literal){beside}")
    return set(process.run(folder, *options, ok=(0, 1), timeout=GIT_SECONDS).splitlines())


def count_commits(folder: str, beside: str) -> int:
    """Return how many commits changed what is below a folder, 0 without any; raises BelayError as `find_mentions`."""
    from belay.repository.git import process

    head = process.run(folder, "rev-parse", "--verify", "-q", "HEAD", ok=(0, 1)).strip()
    listing = ("rev-list", "--count", head, "--", f":(literal){beside}")
    return int(process.run(folder, *listing, timeout=GIT_SECONDS)) if head else 0


def _walk(folder: str, output: bool) -> Iterator[str]:
    """Yield the files below a folder and "" for what is left out: caches, links, output unless asked for."""
    waiting: list[tuple[str, Chain]] = [("", [])]
    while waiting:
        base, chain = waiting.pop()
        entries = _scan_folder(os.path.join(folder, base))
        if not output:
            chain = _add_rules(folder, base, chain, entries)
        for entry in entries:
            path = base + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if not _is_taken(path, entry.name, is_folder, output) or ignore_rules.is_left_out(chain, path, is_folder):
                yield ""
            elif is_folder:
                waiting.append((path + "/", chain))
                yield ""
            else:
                yield path


def _scan_folder(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_taken(path: str, name: str, is_folder: bool, output: bool) -> bool:
    if not is_folder:
        return True
    return name not in file_kinds.NEVER and (output or name not in file_kinds.OUTPUT) and path.count("/") < DEPTH


def _add_rules(folder: str, base: str, chain: Chain, entries: list[os.DirEntry[str]]) -> Chain:
    """Return the chain with the rules of this folder's own ignore file."""
    for entry in entries:
        if entry.name == ".gitignore" and entry.is_file(follow_symlinks=False):
            text = core_files.read(os.path.join(folder, base, ".gitignore"), IGNORE_BYTES)
            return [*chain, (base, ignore_rules.parse_rules(text.decode("utf-8", "surrogateescape")))]
    return chain
