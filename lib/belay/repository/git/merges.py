"""Whether a branch's work has arrived on a commit: by merge, fast-forward, squash or rebase, and was not taken back.

Bounded: the newest 2,000 commits, 300 of them compared; what is further back counts as not merged.
"""

from __future__ import annotations

from typing import NamedTuple

from belay.repository.git import commit_graph
from belay.repository.git.commit_graph import Changes, History
from belay.repository.git.process import read_start

COMPARED = 300
"""Commits of the trunk whose changes are compared with a branch's."""
PATCHED = 60
"""Commits of the trunk whose patch ids are compared with a noted one, for a branch whose commits git has lost."""


class Known(NamedTuple):
    """What is known of a branch: its possible tips, the commit where it began, the patch id of its work.

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
    """Return how each branch arrived on a commit; starts one process if nothing was rewritten, at most six."""
    if not head or not branches:
        return dict.fromkeys(branches, Arrival())
    tips = [tip for known in branches.values() for tip in known.tips if tip]
    view = _TrunkView(root, head, History(root, [head, *tips]))
    view.fetch([pair for known in branches.values() for pair in _list_pairs(view, known)])
    return {name: _find_arrival(view, known) for name, known in branches.items()}


class _TrunkView:
    """The trunk from one commit down and what its commits changed, read once for all branches."""

    def __init__(self, root: str, head: str, history: History) -> None:
        self.root, self.head, self.history = root, head, history
        self.mine = history.reach(head)
        self.chain = history.chain(head)
        self.reverts: dict[str, list[str]] = {}
        for sha in self.mine:
            for target in history.commits[sha].reverts:
                self.reverts.setdefault(target, []).append(sha)
        single = [sha for sha in history.commits if sha in self.mine and len(history.commits[sha].parents) < 2]
        self.single = [(sha, history.parent(sha)) for sha in single[:COMPARED]]
        self._changes: dict[tuple[str, str], Changes] = {}

    def fetch(self, pairs: list[tuple[str, str]]) -> None:
        """Read what pairs of commits changed: all that is not known yet, in one process."""
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in self._changes]
        self._changes.update(zip(missing, commit_graph.read_changes(self.root, missing), strict=True))

    def changes(self, pairs: list[tuple[str, str]]) -> list[Changes]:
        """Return what each (commit, commit before) changed."""
        self.fetch(pairs)
        return [self._changes[pair] for pair in pairs]

    def compared(self, without: set[str]) -> dict[str, Changes]:
        """Return commit → changes of the trunk's own commits that a branch does not have, the newest first."""
        wanted = [pair for pair in self.single if pair[0] not in without]
        pairs = zip(wanted, self.changes(wanted), strict=True)
        return {sha: changed for (sha, _), changed in pairs if changed}

    def reverted(self, sha: str) -> bool:
        """Whether a later commit says that it reverts this one, and none reverts that."""
        return any(not self.reverted(revert) for revert in self.reverts.get(sha, []) if revert != sha)

    def newer(self, sha: str) -> set[str]:
        """Return what is not newer than a commit: the commits a later revert cannot be among."""
        return self.history.reach(sha)


def _find_arrival(view: _TrunkView, known: Known) -> Arrival:
    tip = view.history.newest(known.tips)
    if not tip:
        return _find_noted(view, known)
    if tip not in view.mine:
        return _find_rewritten(view, tip)
    return _find_fast_forward(view, tip, known.start) if tip in view.chain else _find_merge(view, tip)


def _find_merge(view: _TrunkView, tip: str) -> Arrival:
    """Return the merge that brought a tip: the oldest commit of the trunk's own line that contains it."""
    above = view.history.above(tip)
    by = next((sha for sha in reversed(view.chain) if sha in above), "")
    return _unless_reverted(view, "merge", [by], by, view.history.parent(by)) if by else Arrival()


def _find_fast_forward(view: _TrunkView, tip: str, start: str) -> Arrival:
    """Return that the trunk went on to a branch's tip; a branch without a commit of its own has not arrived."""
    theirs = view.history.reach(tip)
    if not start or start == tip or start not in theirs:
        return Arrival()
    fresh = theirs - view.history.reach(start)
    own = [sha for sha in view.chain if sha in fresh]
    return _unless_reverted(view, "fast-forward", own, tip, start)


def _list_pairs(view: _TrunkView, known: Known) -> list[tuple[str, str]]:
    """Return the pairs of commits that a branch is judged by, where its tip is not on the trunk as it is."""
    tip = view.history.newest(known.tips)
    if not tip or tip in view.mine:
        return []
    fork, own = _find_work(view, tip)
    return [*view.single, (tip, fork), *own] if fork else []


def _find_work(view: _TrunkView, tip: str) -> tuple[str, list[tuple[str, str]]]:
    """Return where a branch left the trunk, and its own commits with their parents, the newest first."""
    theirs = view.history.reach(tip)
    own = [sha for sha in theirs - view.mine if len(view.history.commits[sha].parents) == 1]
    own.sort(key=view.history.order.__getitem__)
    fork = view.history.newest(theirs & view.mine)
    return fork, [(sha, view.history.parent(sha)) for sha in own[:COMPARED]]


def _find_rewritten(view: _TrunkView, tip: str) -> Arrival:
    fork, own = _find_work(view, tip)
    trunk = view.compared(view.history.reach(tip)) if fork and own else {}
    if not trunk:
        return Arrival()
    whole, *parts = view.changes([(tip, fork), *own])
    work = [(sha, changed) for (sha, _), changed in zip(own, parts, strict=True) if changed]
    return _find_rebase(view, work, trunk, fork) or _find_squash(view, (tip, fork), whole, trunk) or Arrival()


def _find_rebase(
    view: _TrunkView, work: list[tuple[str, Changes]], trunk: dict[str, Changes], fork: str
) -> Arrival | None:
    """Return the arrival of commits that each have an equal on the trunk; a single one only by the same author."""
    like = _match_commits(view, work, trunk)
    if not work or len(like) < len(work):
        return None
    if len(work) == 1 and not _has_same_author(view.history, work[0][0], like[work[0][0]]):
        return None
    by = view.history.newest(like.values())
    return _unless_reverted(view, "rebase", list(like.values()), by, fork)


def _has_same_author(history: History, sha: str, other: str) -> bool:
    return history.commits[sha][2:4] == history.commits[other][2:4]


def _match_commits(view: _TrunkView, work: list[tuple[str, Changes]], trunk: dict[str, Changes]) -> dict[str, str]:
    """Return commit → the trunk's commit with the same change, by its blobs, else by its patch."""
    like: dict[str, str] = {}
    for sha, changed in work:
        same = [other for other, theirs in trunk.items() if theirs == changed]
        if same:
            like[sha] = same[0]
    rest = [(sha, changed) for sha, changed in work if sha not in like]
    near = [other for other, theirs in trunk.items() if any(theirs.keys() == changed.keys() for _, changed in rest)]
    if near:
        pairs = [(sha, view.history.parent(sha)) for sha in [*(sha for sha, _ in rest), *near]]
        ids = dict(zip([sha for sha, _ in pairs], commit_graph.read_patch_ids(view.root, pairs), strict=True))
        by_id = {ids[sha]: sha for sha in reversed(near) if ids[sha]}
        like |= {sha: by_id[ids[sha]] for sha, _ in rest if ids[sha] in by_id}
    return like


def _find_squash(
    view: _TrunkView, branch: tuple[str, str], whole: Changes, trunk: dict[str, Changes]
) -> Arrival | None:
    """Return the arrival of all of a branch's changes in one commit: equal results in its files, or an equal patch."""
    if not whole:
        return None
    same = [sha for sha, changed in trunk.items() if _has_result(changed, whole)]
    near = [sha for sha, changed in trunk.items() if changed.keys() == whole.keys()] if not same else []
    if near:
        ids = commit_graph.read_patch_ids(view.root, [branch, *((sha, view.history.parent(sha)) for sha in near)])
        same = [sha for sha, patch in zip(near, ids[1:], strict=True) if patch and patch == ids[0]]
    by = view.history.newest(same)
    return _unless_reverted(view, "squash", [by], by, view.history.parent(by)) if by else None


def _has_result(changed: Changes, whole: Changes) -> bool:
    return all(path in changed and changed[path][1] == after for path, (_, after) in whole.items())


def _find_noted(view: _TrunkView, known: Known) -> Arrival:
    """Return the arrival of a branch whose commits git does not have, by the patch id that was noted of it."""
    if not known.patch:
        return Arrival()
    single = list(view.compared(set()))[:PATCHED]
    ids = commit_graph.read_patch_ids(view.root, [(sha, view.history.parent(sha)) for sha in single])
    by = next((sha for sha, patch in zip(single, ids, strict=True) if patch == known.patch), "")
    return _unless_reverted(view, "squash", [by], by, view.history.parent(by)) if by else Arrival()


def _unless_reverted(view: _TrunkView, how: str, by_all: list[str], by: str, before: str) -> Arrival:
    """Return an arrival, unless the trunk reverted it: commits say so, or one commit undoes every file."""
    if all(view.reverted(sha) for sha in by_all):
        return Arrival("", by, True)
    later = view.compared(view.newer(by))
    whole = view.changes([(by, before)])[0] if later and before else {}
    undone = {path: (after, before) for path, (before, after) in whole.items()}
    state = True
    for changed in reversed(later.values()):  # the oldest first
        if undone and _has_result(changed, undone):
            state = False
        elif not state and _has_result(changed, whole):
            state = True
    return Arrival(how, by) if state else Arrival("", by, True)


def find_file_arrival(root: str, head: str, path: str, tips: tuple[str, ...]) -> Arrival:
    """Return how a file that only its branch wrote came to the trunk: with other work, by a merge or in one commit.

    Where the branch has tips, only by a commit that is no older and changed every file that the branch changed: a
    squash whose conflicts were settled. Not where the file was committed by itself.
    """
    options = ("-n1", "--first-parent", "-m", "--no-renames", "--diff-filter=A", "--format=%H %P")
    added = read_start(root, "log", *options, head, "--", f":(top,literal){path}").split()
    changed = commit_graph.read_changes(root, [(added[0], added[1])])[0] if len(added) > 1 else {}
    if not changed or (tips and not _is_covered(History(root, [head, *tips]), head, added[0], tips, changed)):
        return Arrival()
    return Arrival("merge" if len(added) > 2 else "squash", added[0])


def _is_covered(history: History, head: str, by: str, tips: tuple[str, ...], changed: Changes) -> bool:
    """Whether a commit is no older than a branch's tip and changed all the files that the branch did."""
    tip = history.newest(tips)
    fork = history.newest(history.reach(tip) & history.reach(head))
    if not fork or by not in history.commits or int(history.commits[tip].time) > int(history.commits[by].time):
        return False
    whole = commit_graph.read_changes(history.root, [(tip, fork)])[0]
    return bool(whole) and whole.keys() <= changed.keys()


def describe_work(root: str, tip: str, trunk_tip: str) -> tuple[str, str]:
    """Return (where a branch left the trunk, patch id of all its work), to be noted down beside its memory."""
    history = History(root, [tip, trunk_tip])
    fork = history.newest(history.reach(tip) & history.reach(trunk_tip))
    if not fork or fork == tip:
        return fork, ""
    return fork, commit_graph.read_patch_ids(root, [(tip, fork)])[0]
