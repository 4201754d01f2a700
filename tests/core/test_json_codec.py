"""JSON without the json package: what it reads and writes is what json reads and writes."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core import json_codec, paths

TEXTS = st.text(st.characters(), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
BAD = [
    "",
    " ",
    "{",
    "}",
    "[1,]",
    "{'a':1}",
    '{"a":1}x',
    "nul",
    "NaN",
    "[Infinity]",
    "-Infinity",
    '"\\ud800',
    "\ufeff{}",
    "[" * 100_000,
    "1 2",
    "\0",
]


def without_native(monkeypatch):
    monkeypatch.setattr(json_codec, "_NATIVE", None)


@given(VALUES)
def test_what_it_writes_json_reads(value):
    text = json_codec.dumps(value)
    assert json.loads(text) == value
    assert "\n" not in text
    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_what_json_writes_it_reads(value, ascii_only, indent):
    assert json_codec.loads(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) == value


@given(st.text(max_size=60))
def test_any_text_is_a_value_or_a_value_error(text):
    try:
        found = json_codec.loads(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            json.loads(text, strict=False, parse_constant=lambda name: int(name))
    else:
        assert found == json.loads(text, strict=False)


@pytest.mark.parametrize("text", BAD)
@pytest.mark.parametrize("native", [True, False])
def test_bad_text_is_a_value_error(text, native, monkeypatch):
    if not native:
        without_native(monkeypatch)
    with pytest.raises(ValueError, match=r"."):
        json_codec.loads(text)


@pytest.mark.parametrize("native", [True, False])
def test_what_json_cannot_hold_is_refused_not_written(native, monkeypatch):
    if not native:
        without_native(monkeypatch)
    with pytest.raises(ValueError, match=r"."):
        json_codec.dumps({"size": float("inf")})
    with pytest.raises(ValueError, match=r"."):
        json_codec.dumps([float("nan")])
    with pytest.raises(TypeError):
        json_codec.dumps({"set": {1}})


@given(VALUES)
def test_the_json_package_serves_where_the_c_halves_are_missing(value):
    native, json_codec._NATIVE = json_codec._NATIVE, None
    try:
        text = json_codec.dumps(value)
    finally:
        json_codec._NATIVE = native
    assert text == json_codec.dumps(value)


def test_lone_surrogates_become_question_marks_on_disk():
    assert json_codec.encode({"text": "a\ud800b \udcff"}) == b'{"text":"a?b ?"}'


def test_control_characters_inside_strings_are_read():
    assert json_codec.loads('"a\tb\nc"') == "a\tb\nc"


def test_reading_and_writing_does_not_load_the_json_package():
    lines = [
        "import sys",
        f"sys.path[0:0] = [{paths.resource('lib')!r}]",
        "from belay.core import json_codec as codec",
    ]
    lines += ["codec.loads(codec.dumps({'a': [1, 2.5, None, 'é']}))", "print('json' in sys.modules)"]
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_bad_text_is_a_value_error_where_the_json_package_was_never_loaded():
    lines = [
        "import sys",
        f"sys.path[0:0] = [{paths.resource('lib')!r}]",
        "from belay.core import json_codec as codec",
        f"for text in {BAD!r}:",
    ]
    lines += [
        "    try:",
        "        print('read', codec.loads(text))",
        "    except ValueError:",
        "        pass",
        "print('done')",
    ]
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "done\n"


def test_what_commands_print_has_blanks_as_the_json_package_sets_them():
    value = {"a": [1, "ü"], "b": {"c": None}}
    assert json_codec.dumps(value, spaced=True) == json.dumps(value, ensure_ascii=False)
