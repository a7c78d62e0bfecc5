"""Games and agents by name, built in and of other packages; names, pickles and saved states come back."""

from __future__ import annotations

import copy
import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardsim import registry
from cardsim.games.sixty_six.rules import OPTIONS, PRESETS
from cardsim.options import value_text
from cardsim.registry import agent_family, game_ids, make_agent, make_game
from tests.core.pilegame import GAME
from tests.core.running import copy_packages, run

FORMS: list[dict[str, Any]] = [
    *({"preset": name} for name in PRESETS),
    {"preset": "schnapsen", "claims": "auto", "match": True, "target": 3},
    {"preset": "four_hand", "american": True, "tie": "draw"},
    {"preset": "1001", "players": 3, "first_dealer": 2},
    {"preset": "deck32", "swap_card": "nine", "perfect_memory": False},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_game_is_made_again_from_its_name(form: dict[str, Any]) -> None:
    game = make_game("sixty_six", **form)
    again = make_game(game.name)
    assert again == game
    assert hash(again) == hash(game)
    assert again.name == game.name
    assert again.new_states().tobytes() == game.new_states().tobytes()
    assert eval(repr(game), {"Game": make_game}) == game


def test_every_option_value_survives_the_name() -> None:
    for option in OPTIONS.options:
        for value in option.choices or ((True, False) if isinstance(option.default, bool) else ()):
            for preset in ("base", "1001"):
                try:
                    game = make_game(f"sixty_six(preset={preset},{option.name}={value_text(value)})")
                except ValueError:
                    continue  # not for this form; the rules' own tests say which
                assert make_game(game.name) == game
                assert game.rules[option.name] == value


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_pickles_and_copies_are_equal(form: dict[str, Any]) -> None:
    game = make_game("sixty_six", **form)
    for again in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert again == game
        assert again.name == game.name
        assert again.deal(3, 4).tobytes() == game.deal(3, 4).tobytes()


def test_games_differ_by_their_rules() -> None:
    games = {make_game("sixty_six", **form) for form in FORMS}
    assert len(games) == len(FORMS)


def test_options_come_on_top_of_the_text() -> None:
    game = make_game("sixty_six(preset=schnapsen,claims=auto)", claims="free", preset="deck32")
    assert game.rules.preset == "deck32"
    assert game.rules["claims"] == "free"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("sixtysix", {}, r"^game 'sixtysix' is unknown; did you mean sixty_six\?$"),
        ("whist", {}, r"^game 'whist' is unknown; games are .*sixty_six"),
        ("sixty_six(preset=nosuch)", {}, r"^preset 'nosuch' is unknown; presets are base, "),
        ("sixty_six", {"preset": "nosuch"}, r"^preset 'nosuch' is unknown; presets are base, "),
        ("sixty_six(clams=auto)", {}, r"^option 'clams' is unknown; did you mean claims\?$"),
        ("sixty_six(claims=never)", {}, r"^option claims=never: must be free, true_only, auto$"),
        ("sixty_six(preset=base,preset=schnapsen)", {}, "option preset is given more than once"),
        ("sixty_six(", {}, "must look like name or name"),
        (None, {}, "^None: must look like name or name"),
        (5, {}, "^5: must look like name or name"),
        ("x" * 5000, {}, r"^game 'x{47}\.\.\.x{10}' is unknown"),
        ("sixty_six", {"preset": []}, r"^preset \[\] is unknown; presets are base, "),
        ("sixty_six", {"self": 1}, "^option 'self' is unknown; options are "),
        ("sixty_six", {"target": "\u0663"}, "^option target=\u0663: must be 1 to 10000"),
    ],
)
def test_games_that_cannot_be_made(text: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        make_game(text, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bok", r"^agent 'bok' is unknown for sixty_six; agents are random, "),
        ("book(trump_tne=false)", r"^option 'trump_tne' is unknown; did you mean trump_ten\?$"),
        ("book(trump_ten=2)", r"^option trump_ten=2: must be true or false$"),
        ("book(trump_ten=true,trump_ten=false)", "option trump_ten is given more than once"),
        ("book(trump_ten", "must look like name or name"),
        (None, "^None: must look like name or name"),
    ],
)
def test_agents_that_cannot_be_made(text: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent("sixty_six", text)


@pytest.mark.parametrize("id", [None, 5, []])
def test_agents_of_no_game(id: Any) -> None:
    with pytest.raises(ValueError, match="is unknown; games are"):
        make_agent(id, "book")


def test_a_parameter_is_no_argument_of_python() -> None:
    with pytest.raises(ValueError, match="option 'self' is unknown"):
        make_agent("sixty_six", "book", self=1)


def test_an_agent_is_made_again_from_its_name() -> None:
    agent = make_agent("sixty_six", "book(trump_ten=no)", close_at="70")
    assert agent.name == "book(trump_ten=false,close_at=70)"
    again = make_agent("sixty_six", agent.name)
    assert again.name == agent.name
    assert again.record.tobytes() == agent.record.tobytes()
    assert agent.record.tobytes() != make_agent("sixty_six", "book").record.tobytes()
    assert not agent.record.flags.writeable


def test_a_game_without_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BUILT_IN_AGENTS", {})
    agent_family.cache_clear()
    with pytest.raises(ValueError, match="no agents are installed for sixty_six; agents exist for "):
        agent_family("sixty_six")
    monkeypatch.undo()
    assert agent_family("sixty_six").game == "sixty_six"


# --- states that come from a file


@pytest.mark.parametrize("form", FORMS[:3], ids=str)
def test_saved_states_are_taken(form: dict[str, Any]) -> None:
    game = make_game("sixty_six", **form)
    states = game.new_states(3)
    for i in range(3):
        game.deal(1, i, states, i)
    file = io.BytesIO()
    np.save(file, states)
    file.seek(0)
    loaded = np.load(file)
    taken = game.checked(loaded)
    assert taken.dtype == game.state_dtype
    assert taken.dtype.isalignedstruct  # np.load drops this, and numba then sees another type
    assert taken.tobytes() == states.tobytes()
    for i in range(3):
        assert game.legal_actions(taken, i) == game.legal_actions(states, i)


@pytest.mark.parametrize("states", [np.zeros(2), np.zeros(1, [("rules", np.int64)]), GAME.make().new_states(), [1, 2]])
def test_states_of_another_kind_are_refused(states: Any) -> None:
    with pytest.raises(ValueError, match="must be records of sixty_six"):
        make_game("sixty_six").checked(states)


# --- other packages

THIRD = """
import pickle
import numpy as np
from cardsim.registry import agent_family, game_ids, make_agent, make_game
from cardsim.tables import Tables
assert game_ids() == ["pile", "sixty_six", "zwicken", "zwicker"], game_ids()
game = make_game("pile(players=3)", hands=2)
assert pickle.loads(pickle.dumps(game)) == game
assert make_game(game.name) == game
assert agent_family("pile").game == "pile"
assert make_agent("pile", "greedy(margin=2)").name == "greedy(margin=2)"
tables = Tables(game, 2)
print(game.name, tables.step(tables.random_actions()).action_mask.sum())
"""


def install(folder: Path, name: str, points: str) -> None:
    """What an installer leaves of a package beside its modules."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


PILE_POINTS = "[cardsim.games]\npile = pilegame:GAME\n\n[cardsim.agents]\npile = pilegame:FAMILY\n"


def test_another_package_adds_a_game_and_its_agents(tmp_path: Path) -> None:
    copy_packages(tmp_path / "site", "pilegame")
    install(tmp_path / "site", "pilegame", PILE_POINTS)
    done = run(THIRD, path=[tmp_path / "site"], flags=["-W", "error"], NUMBA_DISABLE_JIT="1")
    assert done.stdout.split() == ["pile(preset=base,players=3,hands=2)", "4"]


def test_two_packages_that_offer_one_name_are_both_named(tmp_path: Path) -> None:
    site = tmp_path / "site"
    copy_packages(site, "pilegame")
    install(site, "pilegame", PILE_POINTS)
    install(site, "otherpile", "[cardsim.games]\npile = otherpile:GAME\n")
    code = """
from cardsim.registry import make_game
try:
    make_game("pile")
except ValueError as error:
    print(error)
"""
    line = run(code, path=[site]).stdout.strip()
    assert line.startswith("cardsim.games: 'pile' is offered by ")
    assert "pilegame:GAME" in line
    assert "otherpile:GAME" in line


def test_built_in_games_are_listed() -> None:
    assert "sixty_six" in game_ids()
    assert game_ids() == sorted(game_ids())
