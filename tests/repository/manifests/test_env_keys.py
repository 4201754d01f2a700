from hypothesis import given
from hypothesis import strategies as st

from belay.repository.manifests import env_keys

TEXT = """# settings
export STRIPE_KEY=sk-of-a-test
EMPTY=
QUOTED=""
COMMENT= # to be filled
PLAIN = value # with a word
PEM="-----BEGIN
abcd==
FALSE=inside
-----END"
LAST='x'
no key here
"""


def test_names_in_their_order():
    assert env_keys.keys(TEXT) == ["STRIPE_KEY", "EMPTY", "QUOTED", "COMMENT", "PLAIN", "PEM", "LAST"]


def test_an_empty_value_is_not_there_yet():
    assert env_keys.keys(TEXT, filled=True) == ["STRIPE_KEY", "PLAIN", "PEM", "LAST"]


@given(st.text(alphabet="AB=\"'\n \r#\\"))
def test_names_only(text):
    assert all(name.replace("_", "").isalnum() for name in env_keys.keys(text))
