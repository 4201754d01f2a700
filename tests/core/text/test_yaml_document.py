"""A filled YAML document as its node graph."""

import pytest
import yaml

from belay.core.errors import BadInput
from belay.core.text import yaml_document


def root(data, most=1000, depth=3):
    return yaml_document.root(data, most, depth, "the form")


def test_what_was_typed_is_kept():
    data = b"```yaml\ndate: 2001-99-99\nyes: no\nempty: ~\nlone: Fixed: it\n```\n".replace(
        b"lone: Fixed: it", b"lone: {Fixed: it}"
    )
    rows = root(data).value

    assert [yaml_document.name(key) for key, _ in rows] == ["date", "yes", "empty", "lone"]
    assert [yaml_document.text(value) for _, value in rows] == ["2001-99-99", "no", "", "Fixed: it"]
    assert [yaml_document.line(value) for _, value in rows] == [2, 3, 4, 5]


def test_lists_and_tables_are_no_text():
    (_, listed), (_, table) = root(b"a: [x]\nb: {c: 1, d: 2}\n").value

    assert yaml_document.text(listed) is yaml_document.text(table) is None
    assert yaml_document.name(table) == ""
    assert isinstance(table, yaml.MappingNode)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a: &x [1]\nb: *x\n", "line 2: holds an alias"),
        (b"a: [[[[1]]]]", "line 1: is nested too deep; keep to the form"),
        (b"a: 1\nb: \0", "line 2: holds a control character"),
        (b"a: 1\nb: [", "is not YAML"),
        (b"- a", "the document: is not a table of `key: value` lines; start from the form"),
        (b"a: " + b"x" * 1000, "the document: is 1,003 bytes"),
    ],
)
def test_what_is_no_such_document_is_refused_with_its_line(data, said):
    with pytest.raises(BadInput) as error:
        root(data)

    assert said in str(error.value)
