"""Zwicker for PettingZoo: `env()` with PettingZoo's usual wrappers, `raw_env()` without.

| fact | value |
| --- | --- |
| import | `from cardsim_envs import zwicker_v0` |
| registry id | `cardsim/zwicker-v0` (PettingZoo 1.27 and later) |
| agents | `player_0` ... clockwise: 4 unless `players` says otherwise, 2 to 8, with jokers of fixed value 2 to 6 |
| parallel | no: one agent acts at a time (`turn_based_aec_to_parallel` works) |
| action space | `Discrete(62)` for every agent |
| observation space | `Dict(observation=Box(0, 1, (4696,), int8), action_mask=MultiBinary(62))`, or the Box |
| rewards | points of the side less the mean of the other sides', zero until a deal ends |
| render modes | `ansi`, `rgb_array`, `human` |

**Turns.** A turn is a chain of small decisions of one agent: a card of the hand; take, lay on or beside; where
several would do, the value; then the items to take, group by group, or the item to lay on. Each is offered only
if the turn can be completed. `agent_selection` stays the same until the turn is over.

**Observation.** Zeros and ones, int8. It holds all that a perfect rememberer in that seat knows and nothing
else, in the named blocks of `cardsim.games.zwicker.layout.BLOCKS`, seats and sides counted from the observer.
`observe(agent)` answers for every possible agent at any time after `reset`, the end included, and changes
nothing.

**Mask.** int8 (62,), 1 = legal. All zeros but for the agent to act, and for everybody at the end. With
`mask_in="observation"` it is the key `action_mask` of the observation; with `mask_in="info"` the observation
is the plain vector and the mask is the only entry of the agent's info. Infos are empty otherwise.

**Actions.** 0-3 a card of the hand, in the order of the observation and the picture; 4 take, 5 lay on, 6 beside;
7 finish the capture, 8 next group, 9 further: the item lies 32 places further on; 10-29 a value (1 to 14, 15, 17,
20, 22, 25, 30); 30-61 an item of the table. The numbers mean the same under all rules. In `raw_env` an illegal
action raises ValueError and changes nothing; in `env` it ends the episode with a reward of -1 for its player.

**Rewards.** The end of a deal pays each agent the points of his side less the mean of the other sides'. Partners
get the same; over the sides the rewards sum to zero. `returns()` gives the totals at any time.

**Start.** `reset(seed=s)` plays deal 0 of seed s, each further `reset()` the next deal; `options={"deal": n}`
plays deal n, `{"position": text}` starts from a text position, `{"deck": [...], "dealer": d}` from a given
pack; of two packs the equal cards are given by the same text, twice. `deal_id` names the deal. The simulator
deals the same cards for the same seed and number. Without a seed, one comes from the operating system.

**Options.** `preset` (no_joker, also called base, six_joker, one_joker, two_joker, three_joker, four_joker, grupp)
and every rule option by name, such as `players=6` or `match=True`; `cardsim info zwicker` lists them. They hold for
the life of the environment. `show="all"` draws all hands; `copy=False` spares the copies: the acting agent's arrays
are then overwritten by the next step.

**Search.** `clone()`, `save()` and `restore()`, pickle and copy.deepcopy keep the whole moment, through the
wrappers too.

Version history: v0, first version. References: the rules as implemented, docs/; sources there.

Example:
    >>> from cardsim_envs import zwicker_v0
    >>> env = zwicker_v0.env("six_joker")
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
from cardsim_envs.zwicker_scene import scene

FACE = Face(scene, open_end=False)
raw_env, env = makers("zwicker", __name__, *FACE)
