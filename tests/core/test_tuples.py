"""Named tuples are what typing's are, for what this house asks of them."""

import copy
import pickle
import subprocess
import sys
import typing

import pytest
from conftest import ROOT

from belay.core import tuples


class Ours(tuples.NamedTuple):
    """A thing."""

    name: str
    size: int = 3
    tags: tuple = ()

    @property
    def line(self):
        return f"{self.name} {self.size}"


class Theirs(typing.NamedTuple):
    """A thing."""

    name: str
    size: int = 3
    tags: tuple = ()

    @property
    def line(self):
        return f"{self.name} {self.size}"


@pytest.mark.parametrize(
    "do",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", 4, ("t",)),
        lambda kind: kind(size=1, name="b").line,
        lambda kind: kind._make(["a", 1, ()]),
        lambda kind: kind("a")._replace(size=9),
        lambda kind: kind("a")._asdict(),
        lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__),
        lambda kind: sorted([kind("b"), kind("a", 5)]),
        lambda kind: hash(kind("a")) == hash(("a", 3, ())),
        lambda kind: repr(kind("a")).replace("Theirs", "Ours"),
        lambda kind: copy.copy(kind("a")),
        lambda kind: pickle.loads(pickle.dumps(kind("a"))),
        lambda kind: [*kind("a")],
    ],
)
def test_they_do_what_those_of_typing_do(do):
    assert do(Ours) == do(Theirs)


@pytest.mark.parametrize(
    ("do", "error"),
    [
        (lambda kind: kind(), TypeError),
        (lambda kind: kind("a", 1, (), 4), TypeError),
        (lambda kind: kind("a", other=1), TypeError),
        (lambda kind: kind._make(["a"]), TypeError),
        (lambda kind: setattr(kind("a"), "name", "b"), AttributeError),
        (lambda kind: setattr(kind("a"), "new", "b"), AttributeError),
    ],
)
def test_they_refuse_what_those_of_typing_refuse(do, error):
    for kind in (Ours, Theirs):
        with pytest.raises(error):
            do(kind)


def test_a_field_that_is_none_cannot_be_replaced():
    with pytest.raises(ValueError, match="other"):
        Ours("a")._replace(other=1)


def test_a_search_loads_nothing_that_takes_longer_than_it():
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'lib')!r}); import belay.cli.knowledge.search_results; "
        "print(sorted({'typing', 're', 'json', 'contextlib', 'click'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
