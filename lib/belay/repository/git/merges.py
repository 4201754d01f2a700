"""Whether a branch's work has arrived on a commit: by merge, fast-forward, squash or rebase, and was not taken back.

Bounded: the newest 2,000 commits, 300 of them compared; what lies further back counts as not merged.
"""

from __future__ import annotations

from typing import NamedTuple

from belay.repository.git import commit_graph
from belay.repository.git.commit_graph import Changes, History
from belay.repository.git.process import read_start

COMPARED = 300
"""Commits of the trunk whose changes are compared with a branch's."""
PATCHED = 60
"""Commits of the trunk whose patch ids are compared with one that was noted down: its own commits are gone."""


class Known(NamedTuple):
    """What is known of a branch: where it may stand (any of them), where it began, the patch id of its work.

    Each "" or empty where it is not known; `patch` serves where git has none of the tips any more.
    """

    tips: tuple[str, ...]
    start: str = ""
    patch: str = ""


class Arrival(NamedTuple):
    """How a branch arrived (merge fast-forward squash rebase, "" not), by which commit; or that it was reverted."""

    how: str = ""
    by: str = ""
    reverted: bool = False


def find_arrivals(root: str, head: str, branches: dict[str, Known]) -> dict[str, Arrival]:
    """Return how each branch arrived on a commit; one process where nothing was rewritten, at most six."""
    if not head or not branches:
        return dict.fromkeys(branches, Arrival())
    tips = [tip for known in branches.values() for tip in known.tips if tip]
    seen = _Look(root, head, History(root, [head, *tips]))
    seen.fetch([pair for known in branches.values() for pair in _asked(seen, known)])
    return {name: _arrived(seen, known) for name, known in branches.items()}


class _Look:
    """The trunk from one commit down, and what its commits changed, asked once for all branches."""

    def __init__(self, root: str, head: str, found: History) -> None:
        self.root, self.head, self.history = root, head, found
        self.mine = found.reach(head)
        self.chain = found.chain(head)
        self.reverts: dict[str, list[str]] = {}
        for sha in self.mine:
            for target in found.commits[sha].reverts:
                self.reverts.setdefault(target, []).append(sha)
        single = [sha for sha in found.commits if sha in self.mine and len(found.commits[sha].parents) < 2]
        self.single = [(sha, found.parent(sha)) for sha in single[:COMPARED]]
        self._changes: dict[tuple[str, str], Changes] = {}

    def fetch(self, pairs: list[tuple[str, str]]) -> None:
        """Ask what pairs of commits changed, all that is not known yet in one process."""
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in self._changes]
        self._changes.update(zip(missing, commit_graph.read_changes(self.root, missing), strict=True))

    def changes(self, pairs: list[tuple[str, str]]) -> list[Changes]:
        """Return what each (commit, commit before) changed."""
        self.fetch(pairs)
        return [self._changes[pair] for pair in pairs]

    def compared(self, without: set[str]) -> dict[str, Changes]:
        """Return commit → changes of the trunk's own commits that a branch does not have, the newest first."""
        wanted = [pair for pair in self.single if pair[0] not in without]
        found = zip(wanted, self.changes(wanted), strict=True)
        return {sha: changed for (sha, _), changed in found if changed}

    def reverted(self, sha: str) -> bool:
        """Whether a later commit says that it reverts this one, and none reverts that."""
        return any(not self.reverted(one) for one in self.reverts.get(sha, []) if one != sha)

    def newer(self, sha: str) -> set[str]:
        """Return what is not newer than a commit: the commits a later revert cannot be among."""
        return self.history.reach(sha)


def _arrived(seen: _Look, known: Known) -> Arrival:
    tip = seen.history.newest(known.tips)
    if not tip:
        return _by_note(seen, known)
    if tip not in seen.mine:
        return _rewritten(seen, tip)
    return _fast_forward(seen, tip, known.start) if tip in seen.chain else _merge(seen, tip)


def _merge(seen: _Look, tip: str) -> Arrival:
    """Return the merge that brought a tip: the oldest commit of the trunk's own line that contains it."""
    above = seen.history.above(tip)
    by = next((sha for sha in reversed(seen.chain) if sha in above), "")
    return _standing(seen, "merge", [by], by, seen.history.parent(by)) if by else Arrival()


def _fast_forward(seen: _Look, tip: str, start: str) -> Arrival:
    """Return that the trunk went on to a branch's tip; a branch without a commit of its own has not arrived."""
    theirs = seen.history.reach(tip)
    if not start or start == tip or start not in theirs:
        return Arrival()
    fresh = theirs - seen.history.reach(start)
    own = [sha for sha in seen.chain if sha in fresh]
    return _standing(seen, "fast-forward", own, tip, start)


def _asked(seen: _Look, known: Known) -> list[tuple[str, str]]:
    """Return the pairs of commits that a branch is judged by, where its tip is not on the trunk as it is."""
    tip = seen.history.newest(known.tips)
    if not tip or tip in seen.mine:
        return []
    fork, own = _work(seen, tip)
    return [*seen.single, (tip, fork), *own] if fork else []


def _work(seen: _Look, tip: str) -> tuple[str, list[tuple[str, str]]]:
    """Return where a branch left the trunk, and its own commits with their parents, the newest first."""
    theirs = seen.history.reach(tip)
    own = [sha for sha in theirs - seen.mine if len(seen.history.commits[sha].parents) == 1]
    own.sort(key=seen.history.order.__getitem__)
    fork = seen.history.newest(theirs & seen.mine)
    return fork, [(sha, seen.history.parent(sha)) for sha in own[:COMPARED]]


def _rewritten(seen: _Look, tip: str) -> Arrival:
    fork, own = _work(seen, tip)
    trunk = seen.compared(seen.history.reach(tip)) if fork and own else {}
    if not trunk:
        return Arrival()
    whole, *told = seen.changes([(tip, fork), *own])
    work = [(sha, found) for (sha, _), found in zip(own, told, strict=True) if found]
    return _rebased(seen, work, trunk, fork) or _squashed(seen, (tip, fork), whole, trunk) or Arrival()


def _rebased(
    seen: _Look, work: list[tuple[str, Changes]], trunk: dict[str, Changes], fork: str
) -> Arrival | None:
    """Return the arrival of commits that each have their like on the trunk; a single one only under its own name."""
    like = _alike(seen, work, trunk)
    if not work or len(like) < len(work):
        return None
    if len(work) == 1 and not _same_author(seen.history, work[0][0], like[work[0][0]]):
        return None
    by = seen.history.newest(like.values())
    return _standing(seen, "rebase", list(like.values()), by, fork)


def _same_author(found: History, one: str, other: str) -> bool:
    return found.commits[one][2:4] == found.commits[other][2:4]


def _alike(seen: _Look, work: list[tuple[str, Changes]], trunk: dict[str, Changes]) -> dict[str, str]:
    """Return commit → the trunk's commit with the same change, by its blobs, else by its patch."""
    like: dict[str, str] = {}
    for sha, found in work:
        same = [one for one, theirs in trunk.items() if theirs == found]
        if same:
            like[sha] = same[0]
    rest = [(sha, found) for sha, found in work if sha not in like]
    near = [one for one, theirs in trunk.items() if any(theirs.keys() == found.keys() for _, found in rest)]
    if near:
        pairs = [(sha, seen.history.parent(sha)) for sha in [*(sha for sha, _ in rest), *near]]
        ids = dict(zip([sha for sha, _ in pairs], commit_graph.read_patch_ids(seen.root, pairs), strict=True))
        by_id = {ids[sha]: sha for sha in reversed(near) if ids[sha]}
        like |= {sha: by_id[ids[sha]] for sha, _ in rest if ids[sha] in by_id}
    return like


def _squashed(
    seen: _Look, branch: tuple[str, str], whole: Changes, trunk: dict[str, Changes]
) -> Arrival | None:
    """Return the arrival of all a branch changed in one commit: the same files came to the same, or the same patch."""
    if not whole:
        return None
    same = [sha for sha, found in trunk.items() if _holds(found, whole)]
    near = [sha for sha, found in trunk.items() if found.keys() == whole.keys()] if not same else []
    if near:
        ids = commit_graph.read_patch_ids(
            seen.root, [branch, *((sha, seen.history.parent(sha)) for sha in near)]
        )
        same = [sha for sha, found in zip(near, ids[1:], strict=True) if found and found == ids[0]]
    by = seen.history.newest(same)
    return _standing(seen, "squash", [by], by, seen.history.parent(by)) if by else None


def _holds(found: Changes, whole: Changes) -> bool:
    return all(path in found and found[path][1] == after for path, (_, after) in whole.items())


def _by_note(seen: _Look, known: Known) -> Arrival:
    """Return the arrival of a branch whose commits git does not have, by the patch id that was noted of it."""
    if not known.patch:
        return Arrival()
    single = list(seen.compared(set()))[:PATCHED]
    ids = commit_graph.read_patch_ids(seen.root, [(sha, seen.history.parent(sha)) for sha in single])
    by = next((sha for sha, found in zip(single, ids, strict=True) if found == known.patch), "")
    return _standing(seen, "squash", [by], by, seen.history.parent(by)) if by else Arrival()


def _standing(seen: _Look, how: str, by_all: list[str], by: str, before: str) -> Arrival:
    """Return an arrival, unless the trunk took it back: said by commits, or done by one that undoes every file."""
    if all(seen.reverted(sha) for sha in by_all):
        return Arrival("", by, True)
    later = seen.compared(seen.newer(by))
    whole = seen.changes([(by, before)])[0] if later and before else {}
    undone = {path: (after, before) for path, (before, after) in whole.items()}
    state = True
    for found in reversed(later.values()):  # the oldest first
        if undone and _holds(found, undone):
            state = False
        elif not state and _holds(found, whole):
            state = True
    return Arrival(how, by) if state else Arrival("", by, True)


def find_file_arrival(root: str, head: str, path: str, tips: tuple[str, ...]) -> Arrival:
    """Return how a file that only its branch wrote came to the trunk: with other work, by a merge or in one commit.

    Where the branch has tips, only by a commit that is no older and changed every file that the branch changed: a
    squash whose conflicts were settled. Not where the file was committed by itself.
    """
    options = ("-n1", "--first-parent", "-m", "--no-renames", "--diff-filter=A", "--format=%H %P")
    told = read_start(root, "log", *options, head, "--", f":(top,literal){path}").split()
    found = commit_graph.read_changes(root, [(told[0], told[1])])[0] if len(told) > 1 else {}
    if not found or (tips and not _covers(History(root, [head, *tips]), head, told[0], tips, found)):
        return Arrival()
    return Arrival("merge" if len(told) > 2 else "squash", told[0])


def _covers(seen: History, head: str, by: str, tips: tuple[str, ...], found: Changes) -> bool:
    """Whether a commit is no older than a branch's tip and changed all the files that the branch did."""
    tip = seen.newest(tips)
    fork = seen.newest(seen.reach(tip) & seen.reach(head))
    if not fork or by not in seen.commits or int(seen.commits[tip].time) > int(seen.commits[by].time):
        return False
    whole = commit_graph.read_changes(seen.root, [(tip, fork)])[0]
    return bool(whole) and whole.keys() <= found.keys()


def describe_work(root: str, tip: str, trunk_tip: str) -> tuple[str, str]:
    """Return (where a branch left the trunk, patch id of all its work), to be noted down beside its memory."""
    found = History(root, [tip, trunk_tip])
    fork = found.newest(found.reach(tip) & found.reach(trunk_tip))
    if not fork or fork == tip:
        return fork, ""
    return fork, commit_graph.read_patch_ids(root, [(tip, fork)])[0]
