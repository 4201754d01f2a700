"""The estimate is never below tiktoken's count, and on realistic text never above twice it."""

import os
import subprocess
import sys
import zlib
from importlib import util
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.core.errors import BelayError
from belay.core.text import tokens

ROOT = Path(__file__).resolve().parents[3]
FEW = settings(max_examples=150, deadline=None)

REALISTIC = {
    "prose": "We keep the parser small on purpose. When a line is damaged it is skipped and counted, so a torn "
    "write at the end of the file costs one record, not the whole journal. Nobody has to remember that.",
    "terse prose": "No, the staging port is 5433. Don't touch the API; only the settings page changes.",
    "python": "def total(items: list[Item]) -> float:\n    return sum(i.price * i.count for i in items if i.active)\n",
    "typescript": "export const useSession = (id: string) => {\n  const [state, setState] = useState<State>();\n};\n",
    "shell": "git log --oneline -n 5 && npm run build -- --watch | tee /tmp/build.log 2>&1\n",
    "json": '{"name": "belay", "version": "0.1.0", "keywords": ["memory", "hooks"], "private": true}',
    "table": "| Name | Value | Notes |\n|------|-------|-------|\n| port | 5433 | staging |\n| branch | feature/login | |\n",
    "rulers": "# " + "-" * 76 + "\n# Section\n# " + "=" * 76 + "\n",
    "traceback": '  File "/srv/app/models/user.py", line 214, in save\n    raise IntegrityError("duplicate key")\n',
    "chinese": "我们决定使用数据库作为存储引擎，因为它简单可靠。请不要修改接口，只改界面。",
    "japanese": "今日は天気がいいので、散歩に行きましょう。データベースの設計を変更してください。",
    "korean": "오늘은 데이터베이스를 설계합니다. 인터페이스를 변경하지 마세요.",
    "russian": "Давайте использовать новую базу, потому что старая слишком медленная.",
    "german": "Bitte ändere nur die Oberfläche, die Schnittstelle bleibt unverändert.",
    "emoji": "done ✅ shipped 🚀 tests ❌ 👩🏽‍💻 🇩🇪 ⚠️ 🎉🎉",
    "hashes": "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b, id 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "mixed": "- [x] `parse()` 修复完成 ✅ (was: naïve café lookup)\n\n\n\t- [ ] Ⅷ ½ ²",
}

words = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=14)
sentences = st.permutations(sorted({word for text in REALISTIC.values() for word in text.split()}))
signs = st.text(" \t\n\r'\"-_=|:;.,(){}[]<>/\\0123456789sStTllve", max_size=60)
wide = st.text(st.characters(min_codepoint=0x80, max_codepoint=0x1FAFF), max_size=40)
mixed = st.lists(st.one_of(words, signs, wide, st.sampled_from(list(REALISTIC.values()))), max_size=12).map("".join)


@pytest.mark.parametrize("kind", REALISTIC)
def test_realistic_text_is_between_once_and_twice(kind):
    text = REALISTIC[kind]

    assert tokens.count(text) <= tokens.estimate(text) <= 2 * tokens.count(text)


@pytest.mark.parametrize("path", sorted((ROOT / "lib" / "belay").glob("*.py")), ids=lambda path: path.name)
def test_own_sources_are_between_once_and_twice(path):
    text = path.read_text("utf-8")

    assert tokens.count(text) <= tokens.estimate(text) <= 2 * tokens.count(text)


@FEW
@given(sentences)
def test_sentences_are_between_once_and_twice(parts):
    text = " ".join(parts[:40])

    assert tokens.count(text) <= tokens.estimate(text) <= 2 * tokens.count(text)


@FEW
@given(st.one_of(st.text(), words, signs, wide, mixed, st.lists(words).map(" ".join)))
def test_any_text_is_never_below(text):
    assert tokens.estimate(text) >= tokens.count(text)


@FEW
@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFFFF, exclude_categories=()), max_size=30))
def test_lone_surrogates_are_never_below(text):
    assert tokens.estimate(text) >= tokens.count(text)


@FEW
@given(mixed)
def test_pieces_join_to_the_text(text):
    assert "".join(tokens.pieces(text)) == text


@pytest.mark.parametrize("text", ["<|endoftext|>", "\x00" * 40, " " * 3000, "=" * 3000, "ab" * 3000, "\ud83d\ude00"])
def test_odd_texts_are_never_below(text):
    assert tokens.estimate(text) >= tokens.count(text)


def test_nothing_costs_nothing():
    assert (tokens.estimate(""), tokens.count("")) == (0, 0)


def test_known_words_count_one_each():
    assert (tokens.estimate("use the port"), tokens.count("use the port")) == (3, 3)


def test_table_is_the_published_vocabulary():
    spec = util.spec_from_file_location("token_table", ROOT / "bench" / "token_table.py")
    maker = util.module_from_spec(spec)
    spec.loader.exec_module(maker)

    assert zlib.decompress((ROOT / "lib" / "belay" / "core" / "text" / "tokens.z").read_bytes()) == maker.table(
        tokens.vocabulary()
    )


def test_changed_vocabulary_is_refused(monkeypatch):
    monkeypatch.setattr(tokens, "SHA256", "0" * 64)
    monkeypatch.setattr(tokens, "_checked", set())

    with pytest.raises(BelayError, match="published"):
        tokens.count("x")


def test_counting_leaves_the_environment_as_it_was(monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "elsewhere")

    tokens.count("x")

    assert os.environ["TIKTOKEN_CACHE_DIR"] == "elsewhere"


def test_estimating_loads_no_slow_module():
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'lib')!r}); from belay.core.text import tokens; tokens.estimate('Hi, é');"
        "print([m for m in ('re', 'json', 'typing', 'tiktoken', 'hashlib') if m in sys.modules])"
    )

    out = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True).stdout

    assert out.strip() == "[]"
