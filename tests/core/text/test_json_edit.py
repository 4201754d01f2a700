"""One member of a JSON text is edited, the rest stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core.text import json_edit

LAYOUTS = [
    "{}",
    "{ }\n",
    '{"a": 1}',
    '{\n  "a": 1,\n  "b": {"k": [1, 2]}\n}\n',
    '{\n\t"k": "old",\n\t"b": "say \\"k\\": {"\n}',
    '\ufeff{"a":1,"k":{"x":2},"b":3}',
    '{\r\n    "k" : "old" ,\r\n    "b" : 2\r\n}\r\n',
    '{"k": 1, "k": 2}',
]


def plain(text):
    return json.loads(text.lstrip("\ufeff"))


@pytest.mark.parametrize("text", LAYOUTS)
def test_put_sets_one_member_and_put_back_restores_the_text(text):
    value = {"type": "command", "command": "x"}
    after = json_edit.put(text, "k", value)

    assert plain(after) == {**plain(text), "k": value}
    back = json_edit.put_back(after, "k", text)
    assert plain(back) == plain(text)
    if plain(text):
        assert back == text


def test_nothing_becomes_an_object():
    assert plain(json_edit.put("", "k", 1)) == {"k": 1}
    assert plain(json_edit.put_back('{"k": 1}', "k", "")) == {}


@pytest.mark.parametrize("text", ["[1]", '"k"', "{", '{"a":1}x', "null"])
def test_what_is_no_object_is_refused(text):
    for act in (lambda: json_edit.get(text, "k"), lambda: json_edit.put(text, "k", 1)):
        with pytest.raises(ValueError, match=r"JSON|Expecting|Extra"):
            act()


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(data=st.dictionaries(st.text(max_size=4), values, max_size=4), key=st.text(max_size=4), value=values,
       indent=st.sampled_from([None, 2, "\t"]))  # fmt: skip
def test_any_object_survives_the_round(data, key, value, indent):
    text = json.dumps(data, indent=indent)
    after = json_edit.put(text, key, value)

    assert json.loads(after) == {**data, key: value}
    assert json_edit.get(after, key) == value
    assert json.loads(json_edit.put_back(after, key, text)) == data
