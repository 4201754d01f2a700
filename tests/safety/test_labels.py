"""Labels: names without secrets that still tell one name from another."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secretsamples import made, tokens

from belay.core import paths
from belay.safety import labels, redaction

WINDOW = 8
GITHUB = "gh" + "p_" + made(36)
ORDINARY = """
main feature/login fix/password-reset feature/token-refresh release/v1.2.3 dependabot/npm_and_yarn/lodash-4.17.21
user/ada/secret-santa bugfix/JIRA-1234_api-key-rotation docs/password.md src/auth/token.py tests/keys/test_pin.py
wip-2026-11-23 renovate/major-typescript-eslint-monorepo hotfix/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
config/secrets.yaml.example lib/login/password_validator.rb 3f2504e0-4f89-11d3-9a0c-0305e82c3301
""".split()


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_name_is_its_own_label(name):
    assert labels.make_label(name) == name


def test_the_readable_part_stays_and_the_secret_goes():
    label = labels.make_label(f"feature/{GITHUB}-in-ci")

    assert label.startswith("feature/[redacted:github-token~")
    assert label.endswith("]-in-ci")
    assert GITHUB[4:] not in label
    assert " " not in label  # headers of overlays end a name at a blank


def test_names_that_differ_in_their_secrets_only_stay_two():
    names = [f"feature/{kind}{made(36, seed=seed)}" for kind in ("gh" + "p_", "gh" + "o_") for seed in range(20)]

    assert len({labels.make_label(name) for name in names}) == len(names)


def test_the_hash_is_of_this_users_key(tmp_path, monkeypatch):
    first = labels.make_label(GITHUB)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert labels.make_label(GITHUB) != first
    assert labels.make_label(GITHUB) == labels.make_label(GITHUB)


def test_without_a_key_the_mark_has_no_hash(tmp_path, monkeypatch):
    (tmp_path / "belay").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert not os.path.isdir(os.path.dirname(paths.data_home(os.environ) + "/x"))
    assert labels.make_label(f"x/{GITHUB}") == "x/[redacted:github-token]"


@pytest.mark.parametrize(
    "frame", ["feature/%", "docs/%/guide.md", "src/%.py", "a/password=%", "x-%-y", "https://u:%@h/x"]
)
def test_a_label_holds_no_secret_and_is_its_own_label(frame):
    known = 0
    for _, _, secret in tokens():
        name = frame.replace("%", secret)
        label = labels.make_label(name)
        assert labels.make_label(label) == redaction.redact(label) == label
        assert labels.is_label(label) == (label != name) == bool(redaction.find_secrets(name))
        assert label == name or secret[-WINDOW:] not in label
        known += label != name
    assert known > 100


@given(st.text(st.sampled_from("ab/=:-_.~[]@ 'password=token:key" + "ghp_AKIA0123456789"), max_size=80))
def test_labels_are_stable(name):
    label = labels.make_label(name)

    assert labels.make_label(label) == label
    assert redaction.find_secrets(label) == []


def test_a_name_is_found_again_by_its_label():
    names = ["main", f"feature/{GITHUB}", "feature/login"]

    assert labels.find_name(labels.make_label(names[1]), names) == names[1]
    assert labels.find_name("feature/login", []) == "feature/login"
    assert labels.find_name("x/[redacted:github-token~00000000]", names) == ""
