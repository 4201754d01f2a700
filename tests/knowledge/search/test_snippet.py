"""The few words around a hit, where words are compared plainly."""

import pytest

from belay.knowledge.search import snippet


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("Use Supabase for auth", ["supabas"], "Use >>Supabase<< for auth"),
        ("RateLimiterFactory makes them", ["limit"], "Rate>>Limiter<<Factory makes them"),
        ("max_retries and retry_limit", ["retry"], "max_retries and >>retry<<_limit"),
        ("Supabaseを使う", ["supabas"], ">>Supabase<<を使う"),
        ("支付系统很慢", ["系统"], "支付>>系统<<很慢"),
    ],
)
def test_a_stems_mark_covers_its_whole_word(text, words, told):
    assert snippet.cut_snippet(text, words) == told
