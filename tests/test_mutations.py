"""The mutations that `make mutants` makes: of functions only, one place each, and what they make parses."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from mutations import mutations  # noqa: E402 - the line above says where it is

sys.path.remove(str(ROOT / "tools"))
ROOMS = sorted((ROOT / "lib" / "belay").glob("session/*.py")) or sorted((ROOT / "lib" / "belay").glob("*.py"))


def changed(line):
    return {one.after for one in mutations(f"def f(a, b):\n    {line}\n")}


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("x = a and b or 0", {"x = a or b or 0", "x = a and b and 0", "x = a and b or 1"}),
        ("x = a <= b", {"x = a < b"}),
        ("x = a < b < len(a)", {"x = a <= b < len(a)", "x = a < b <= len(a)"}),
        ("x = a not in b", {"x = a in b"}),
        ("x = a is not None", {"x = a is None"}),
        ("x = not (a or b)", {"x = (a or b)", "x = not (a and b)"}),
        ("x = a + 2", {"x = a - 2", "x = a + 3", "x = a + 1"}),
        ("x = True", {"x = False"}),
        ("return a", {"return None"}),
        ("return None", set()),
        ("x = 1 if a else b", {"x = 1 if not (a) else b", "x = 2 if a else b", "x = 0 if a else b"}),
        ("while a: break", {"while a: continue"}),
        ("x = 'é', a == b", {"x = 'é', a != b"}),
        ("x = f'{a + 1}'", set()),
        ("x: 'list[1 == 2]' = a", set()),
        ("x = 4294967296", set()),
        ("x = (a  # or not\n        or b)", {"and b)"}),
    ],
)
def test_what_may_be_changed_in_a_line(line, after):
    assert changed(line) == after


def test_only_functions_are_changed():
    text = "LIMIT = 3 + 1\nif TYPE_CHECKING:\n    from a import b\nclass A:\n    n = 1\n    def f(self):\n        return 7\n"

    assert {(one.line, one.function) for one in mutations(text)} == {(7, "A.f")}


@pytest.mark.parametrize("path", ROOMS[:6], ids=lambda path: path.name)
def test_a_mutation_changes_one_line_of_a_real_module_and_parses(path):
    text = path.read_text(encoding="utf-8")
    for mutation in mutations(text):
        ast.parse(mutation.text)
        assert mutation.text != text
        assert mutation.before == text.split("\n")[mutation.line - 1].strip()
