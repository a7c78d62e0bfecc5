"""Sixty-Six for PettingZoo: `env()` with PettingZoo's usual wrappers, `raw_env()` without.

| fact | value |
| --- | --- |
| import | `from cardsim_envs import sixty_six_v0` |
| registry id | `cardsim/sixty_six-v0` (PettingZoo 1.27 and later) |
| agents | `player_0` ... clockwise: 2, in `three_hand` 3, in `four_hand` 4, in `1001` 2 or 3 |
| parallel | no: one agent acts at a time (`turn_based_aec_to_parallel` works) |
| action space | `Discrete(41)` for every agent |
| observation space | `Dict(observation=Box(0, 1, (830,), int8), action_mask=MultiBinary(41))`, or the Box |
| rewards | game points (in `1001` points, in a match: matches), zero until a hand ends |
| render modes | `ansi`, `rgb_array`, `human` |

**Observation.** Zeros and ones, int8. It holds all that a perfect rememberer in that seat knows and nothing
else, in the named blocks of `cardsim.games.sixty_six.layout.BLOCKS`, seats counted from the observer.
`observe(agent)` answers for every possible agent at any time after `reset`, the end included, and changes
nothing.

**Mask.** int8 (41,), 1 = legal. All zeros but for the agent to act, and for everybody at the end. With
`mask_in="observation"` it is the key `action_mask` of the observation; with `mask_in="info"` the observation
is the plain vector and the mask is the only entry of the agent's info. Infos are empty otherwise.

**Actions.** 0-31 play card suit * 8 + rank (suits D H S C, ranks 7 8 9 J Q K T A); 32-35 declare the marriage
of D, H, S, C; 36 exchange, 37 close, 38 draw, 39 claim 66, 40 pass. The numbers mean the same under all
rules. In `raw_env` an illegal action raises ValueError and changes nothing; in `env` it ends the episode with
a reward of -1 for its player.

**Rewards.** Each hand's end pays each agent the change of its return; a single deal therefore pays once, at
the end, and all agents end on the same step. `returns()` gives the totals at any time. The same seat may act
several times in a row. That an agent is asked something (to exchange at closing, to declare for its partner)
shows in `agent_selection`, but not in what the others observe.

**Start.** `reset(seed=s)` plays deal 0 of seed s, each further `reset()` the next deal; `options={"deal": n}`
plays deal n, `{"position": text}` starts from a text position, `{"deck": [...], "dealer": d}` from a given
pack. `deal_id` names the deal. The simulator deals the same cards for the same seed and number. Without a
seed, one comes from the operating system.

**Options.** `preset` (base, pagat66, schnapsen, three_hand, four_hand, 1001, deck32, strict) and every rule
option by name, such as `claims="auto"` or `match=True` for whole matches; `cardsim info sixty_six` lists
them. They hold for the life of the environment. `show="all"` draws all hands; `copy=False` spares the copies:
the acting agent's arrays are then overwritten by the next step.

**Search.** `clone()`, `save()` and `restore()`, pickle and copy.deepcopy keep the whole moment, through the
wrappers too.

Version history: v0, first version. References: the rules as implemented, docs/; sources there.

Example:
    >>> from cardsim_envs import sixty_six_v0
    >>> env = sixty_six_v0.env(preset="schnapsen")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     env.step(None if termination else int(observation["action_mask"].argmax()))
    >>> env.is_over
    True
"""

from __future__ import annotations

from cardsim_envs.making import makers
from cardsim_envs.sixty_six_scene import scene
from cardsim_envs.viewing import Face

FACE = Face(scene, open_end=True)
raw_env, env = makers("sixty_six", __name__, *FACE)
