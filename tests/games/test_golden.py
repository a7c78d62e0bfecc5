"""The golden playthroughs in tests/golden: the same seed gives the same hands, character by character."""

from __future__ import annotations

import difflib
import re

import pytest

from cardsim.registry import BUILT_IN, game_type, make_game
from tests.golden.regenerate import FOLDER, PLAYTHROUGHS, playthrough

SHOWN = 40


def stored(name: str) -> str:
    """The file as it is kept."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough_is_as_stored(name: str) -> None:
    kept, now = stored(name), playthrough(name)
    if kept != now:
        lines = list(difflib.unified_diff(kept.splitlines(), now.splitlines(), "stored", "now", lineterm="", n=1))
        more = f"\n... and {len(lines) - SHOWN} lines more" if len(lines) > SHOWN else ""
        pytest.fail(
            "the same seed gives another hand, score, observation or text; if that is meant: `make golden`, "
            f"read the difference, mark the changelog *changes results*\n{chr(10).join(lines[:SHOWN])}{more}",
            pytrace=False,
        )


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_hands_of_a_playthrough_replay_to_its_positions(name: str) -> None:
    game, hands = make_game(PLAYTHROUGHS[name].game), 0
    for part in re.split(r"(?m)^(?=cardsim hand 1$)", stored(name))[1:]:
        text, *moments = re.split(r"(?m)^-- .*\n", part)
        hand = game.notation.parse_hand(text)
        positions = [moment.splitlines()[0] for moment in moments]
        replayed = [game.notation.position_text(game.rules, states) for states in game.notation.replay(hand)]
        if game.rules["match"]:  # the text of a single hand does not know what was counted before it
            counts = re.compile(rf" ({'|'.join(game.hand_columns)}|marches|counts\.\w+)=\S+")
            positions = [counts.sub("", position) for position in positions]
            replayed = [counts.sub("", position) for position in replayed]
        assert replayed == positions
        hands += 1
    assert hands >= len(PLAYTHROUGHS[name].agents)


def test_every_preset_has_a_playthrough_and_every_file_is_used() -> None:
    files = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.txt")}
    assert files == set(PLAYTHROUGHS)
    assert {f"{game}/{preset}" for game in BUILT_IN for preset in make_game(game).type.presets} <= files
    assert all(make_game(text).id == name.partition("/")[0] for name, (text, _) in PLAYTHROUGHS.items())


@pytest.mark.parametrize("game", BUILT_IN)
def test_playthroughs_are_small_and_show_every_kind_of_move(game: str) -> None:
    texts = [stored(name) for name in PLAYTHROUGHS if name.startswith(f"{game}/")]
    assert all(len(text.encode()) < 80_000 for text in texts)
    played = set(re.findall(r"(?m)^plays: (.*)$", "".join(texts)))
    kind = game_type(game)
    named = {name for name in kind.action_names if name not in kind.pack.names}
    assert {name.split()[0] for name in named} == {word.split()[0] for word in played if word in named}
