"""Limits and shares, by table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.budget import usage
from belay.client.settings_files import ClientSettings

OPUS, OLD, SONNET = "claude-opus-5", "claude-opus-4-5-20251101", "claude-sonnet-5"


@pytest.mark.parametrize(
    ("model", "window", "limit"),
    [
        ("claude-fable-5", 1_000_000, 1_000_000),
        (SONNET, 1_000_000, 967_000),
        ("claude-sonnet-5-20260301", 1_000_000, 967_000),
        (OPUS, 1_000_000, 1_000_000),
        ("claude-opus-5-5", 1_000_000, 1_000_000),
        ("claude-opus-4-7", 1_000_000, 1_000_000),
        ("claude-opus-4-6", 200_000, 167_000),
        ("claude-opus-4-6[1m]", 1_000_000, 1_000_000),
        ("claude-sonnet-4-6", 200_000, 167_000),
        (OLD, 200_000, 167_000),
        ("claude-sonnet-4-20250514", 200_000, 167_000),
        ("claude-3-5-sonnet-20241022", 200_000, 167_000),
        ("claude-haiku-4-5", 200_000, 167_000),
        ("claude-haiku-5-5", 1_000_000, 1_000_000),
        ("us.anthropic.claude-opus-4-5-v1:0", 200_000, 167_000),
        ("something-else", 200_000, 167_000),
        ("", 200_000, 167_000),
    ],
)
def test_window_and_limit_of_a_model(model, window, limit):
    found = usage.measure(50_000, model, {})

    assert (found.window, found.limit, found.percent) == (window, limit, round(5_000_000 / limit, 1))


@pytest.mark.parametrize(
    ("model", "environ", "settings", "limit"),
    [
        (OPUS, {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}, {}, 167_000),
        (OPUS, {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "0"}, {}, 1_000_000),
        (OPUS, {"CLAUDE_CODE_USE_BEDROCK": "1"}, {}, 167_000),
        ("claude-opus-4-8", {"CLAUDE_CODE_USE_VERTEX": "true"}, {}, 167_000),
        ("claude-opus-4-7", {"CLAUDE_CODE_USE_VERTEX": "1"}, {}, 1_000_000),
        (OPUS, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500000"}, {}, 500_000),
        (OPUS, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500k"}, {}, 500_000),
        (OPUS, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "20000"}, {}, 100_000),
        (OPUS, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "many"}, {}, 1_000_000),
        (OLD, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}, {}, 100_000),
        (OLD, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500000"}, {}, 167_000),
        (OPUS, {}, {"autoCompactWindow": 300_000}, 300_000),
        (OPUS, {}, {"autoCompactWindow": "auto"}, 1_000_000),
        (
            OPUS,
            {},
            {"modelSettings": {OPUS: {"autoCompactWindow": 250_000}}, "autoCompactWindow": 300_000},
            250_000,
        ),
        (OPUS, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "400000"}, {"autoCompactWindow": 300_000}, 400_000),
        (OLD, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}, {}, 100_000),
        (OLD, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "95"}, {}, 167_000),
        (OLD, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "0"}, {}, 167_000),
        (OLD, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "nan"}, {}, 167_000),
        (OLD, {"DISABLE_AUTO_COMPACT": "1"}, {}, 200_000),
        (OLD, {"DISABLE_COMPACT": "yes"}, {}, 200_000),
        (OLD, {}, {"autoCompactEnabled": False}, 200_000),
        (OLD, {"DISABLE_COMPACT": "1", "CLAUDE_CODE_MAX_CONTEXT_TOKENS": "300000"}, {}, 300_000),
        (OLD, {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "300000"}, {}, 167_000),
        ("local-model", {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "130000"}, {}, 97_000),
        ("claude-opus-4-6", {"ANTHROPIC_MODEL": "claude-opus-4-6[1m]"}, {}, 1_000_000),
        ("claude-opus-4-6", {}, {"model": "opus[1m]"}, 1_000_000),
        ("claude-haiku-4-5", {}, {"model": "opus[1m]"}, 167_000),
    ],
)
def test_what_moves_the_limit(model, environ, settings, limit):
    found = usage.measure(1_000, model, environ, ClientSettings(settings))

    assert found.limit == limit
    assert found.why


def test_a_size_above_the_limit_lifts_it_to_the_window():
    assert usage.measure(170_000, OLD, {}).limit == 200_000
    assert usage.measure(10_000, OLD, {}, seen=170_000).limit == 200_000


def test_a_size_above_the_window_lifts_it_to_the_next():
    found = usage.measure(250_000, OLD, {})

    assert (found.window, found.limit, found.percent) == (1_000_000, 1_000_000, 25.0)
    assert usage.measure(2_000_000, OLD, {}).window == 2_000_000


def test_a_learned_compaction_is_the_limit_until_a_size_disproves_it():
    assert usage.measure(50_000, OLD, {}, learned=155_000).limit == 155_000
    assert usage.measure(160_000, OLD, {}, learned=155_000).limit == 167_000
    assert usage.measure(50_000, OLD, {}, learned=900_000).limit == 167_000


def test_the_window_that_the_client_told_counts_most():
    found = usage.measure(50_000, "claude-opus-4-6", {}, told=1_000_000, source="module")

    assert (found.window, found.source) == (1_000_000, "module")
    assert "the client says so" in found.why[0]


@given(
    used=st.integers(1, 3_000_000),
    seen=st.integers(0, 3_000_000),
    learned=st.integers(0, 3_000_000),
    told=st.sampled_from([0, 200_000, 1_000_000]),
    model=st.sampled_from([OPUS, OLD, SONNET]) | st.text(max_size=30),
    number=st.text(max_size=12) | st.integers().map(str),
)
def test_the_limit_lies_between_what_is_used_and_the_window(used, seen, learned, told, model, number):
    names = (
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
        "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
        "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
    )
    settings = ClientSettings({"autoCompactWindow": number})
    found = usage.measure(used, model, dict.fromkeys(names, number), settings, seen, learned, told)

    assert max(used, seen) <= found.limit <= found.window
    assert 0 <= found.percent <= 100


@pytest.mark.parametrize(
    ("used", "announced", "expected"),
    [
        (66_000, [], []),
        (67_000, [], [40]),
        (68_000, [40], []),
        (103_000, [40], [60]),
        (140_000, [], [40, 60, 80]),
        (140_000, [40, 60, 80], []),
    ],
)
def test_each_threshold_is_crossed_once(used, announced, expected):
    assert usage.find_crossed(usage.measure(used, OLD, {}), announced) == expected


def test_absolute_thresholds_come_after_the_shares():
    found = usage.measure(420_000, OPUS, {})

    assert usage.find_crossed(found, [], absolute=[400_000, 150_000, 500_000]) == [40, 150_000, 400_000]
    assert usage.find_crossed(found, [40, 150_000], absolute=[400_000, 150_000]) == [400_000]


def test_notices_say_how_much_is_used_and_never_order():
    found = usage.measure(135_000, OLD, {})
    lines = [line for mark in (40, 60, 80, 100_000) for line in usage.format_notices(mark, found)]

    assert all("81 % used" in line for line in lines)
    assert not [line for line in lines if " must " in line or " should " in line]
    context, user = usage.format_notices(80, found)
    assert "CONTINUATION.md" in context
    assert "nothing lost" in context
    assert '"wrap up" is enough' in user
