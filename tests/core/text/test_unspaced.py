"""Terms of scripts without blanks: what a prompt and an entry are compared by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core.text import unspaced


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("handleRefund", ["handleRefund"]),
        ("größer", ["größer"]),
        ("订单超时，", ["订单", "单超", "超时"]),
        ("用MyBatis，不要", ["MyBatis", "不要"]),
        ("予約をキャンセルする", ["予約", "キャンセル"]),
        ("결제취소", ["결제", "제취", "취소"]),
        ("พร้อมเพย์", ["พร้อม", "ร้อมเ", "้อมเพ", "อมเพย", "มเพย์"]),
        ("。", ["。"]),
        ("", [""]),
    ],
)
def test_words_are_cut(word, terms):
    assert unspaced.split_word(word) == terms


@given(st.text(max_size=60))
def test_no_term_is_made_up(text):
    for word in text.split():
        terms = unspaced.split_word(word)
        assert all(term in word for term in terms)
        assert len(terms) <= len(word)
