"""Zwicken for PettingZoo: `env()` with PettingZoo's usual wrappers, `raw_env()` without.

| fact | value |
| --- | --- |
| import | `from cardsim_envs import zwicken_v0` |
| registry id | `cardsim/zwicken-v0` (PettingZoo 1.27 and later) |
| agents | `player_0` ... clockwise: 4 unless `players` says 2, 3 or 5; in `dreier` 3 |
| parallel | no: one agent acts at a time (`turn_based_aec_to_parallel` works) |
| action space | `Discrete(39)` for every agent |
| observation space | `Dict(observation=Box(0, 1, (895,), int8), action_mask=MultiBinary(39))`, or the Box |
| rewards | chips won or lost, zero until a deal ends |
| render modes | `ansi`, `rgb_array`, `human` |

**Observation.** Zeros and ones, int8. It holds all that a perfect rememberer in that seat knows and nothing
else, in the named blocks of `cardsim.games.zwicken.layout.BLOCKS`, seats counted from the observer.
`observe(agent)` answers for every possible agent at any time after `reset`, the end included, and changes
nothing.

**Mask.** int8 (39,), 1 = legal. All zeros but for the agent to act, and for everybody at the end. With
`mask_in="observation"` it is the key `action_mask` of the observation; with `mask_in="info"` the observation
is the plain vector and the mask is the only entry of the agent's info. Infos are empty otherwise.

**Actions.** 0-35 a card, suit * 9 + rank (suits D H S C, ranks 6 7 8 9 T J Q K A): lay it away in the swap,
play it in the tricks; 36 play, 37 pass, 38 stop swapping. The numbers mean the same under all rules. In
`raw_env` an illegal action raises ValueError and changes nothing; in `env` it ends the episode with a reward
of -1 for its player.

**Rewards.** The end of a deal pays each agent, those who passed too, the chips that it has won or lost since
the deal's first ante. What the players lose lies in the pot, which the next deal of a session plays for: the
rewards of an episode and the pot's change sum to zero. `returns()` gives the totals at any time.

**Start.** `reset(seed=s)` plays deal 0 of seed s, each further `reset()` the next deal; `options={"deal": n}`
plays deal n, `{"position": text}` starts from a text position, `{"deck": [...], "dealer": d}` from a given
pack, after the cut: its last card is the one shown. If that voids the deal, the seed deals on. `deal_id`
names the deal. The simulator deals the same cards for the same seed and number. Without a seed, one comes
from the operating system.

**Options.** `preset` (base, styrian, four_card, dreier, bavarian) and every rule option by name, such as
`players=5` or `match=True` for sessions; `cardsim info zwicken` lists them. They hold for the life of the
environment. `show="all"` draws all hands; `copy=False` spares the copies: the acting agent's arrays are then
overwritten by the next step.

**Search.** `clone()`, `save()` and `restore()`, pickle and copy.deepcopy keep the whole moment, through the
wrappers too.

Version history: v0, first version. References: the rules as implemented, docs/; sources there.

Example:
    >>> from cardsim_envs import zwicken_v0
    >>> env = zwicken_v0.env(players=3)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     env.step(None if termination else int(observation["action_mask"].argmax()))
    >>> env.is_over
    True
"""

from __future__ import annotations

from cardsim_envs.making import makers
from cardsim_envs.viewing import Face
from cardsim_envs.zwicken_scene import scene

FACE = Face(scene, open_end=False)
raw_env, env = makers("zwicken", __name__, *FACE)
