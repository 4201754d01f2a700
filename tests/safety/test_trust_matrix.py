"""Nothing that came from elsewhere is injected, however git brought it; and own work is never held back."""

import pytest
import trustworld
from trustworld import CARRIERS, OPERATIONS, OWN, SENTINEL, World

FEW = ("merge squash and commit", "stash and pop with own row", "copy of a fetched file", "read tree")


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def test_accepted_memory_is_injected_and_accepting_the_teammates_shows_it(world):
    assert OWN in world.start()
    world.attack()
    OPERATIONS["merge squash and commit"](world)
    assert SENTINEL not in world.start()
    trustworld.accept(world.mine)
    assert SENTINEL in world.start()


@pytest.mark.parametrize("name", FEW)
def test_a_teammates_memory_is_not_injected(world, name):
    world.attack()
    OPERATIONS[name](world)

    assert any(SENTINEL in path.read_text() for path in world.mine.glob("*.md")), "the operation brought nothing"
    assert SENTINEL not in world.start()


@pytest.mark.campaign
@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_no_operation_brings_a_teammates_text_into_the_context(world, name, carrier):
    path, text = CARRIERS[carrier]
    world.attack(path, text)
    OPERATIONS[name](world)

    assert SENTINEL in (world.mine / path).read_text(), "the operation brought nothing"
    assert SENTINEL not in world.start()
    assert SENTINEL not in world.start(), "a second start"
