"""Environments for cardsim's games.

PettingZoo: `from cardsim_envs import sixty_six_v0`, then `sixty_six_v0.env()`. Gymnasium, with one learner:
`gymnasium.make("cardsim_envs:cardsim/SixtySix-v0")`, and `make_vec` for a batch. Stable-Baselines3: `cardsim_envs.sb3`.
"""

from __future__ import annotations

ENVIRONMENTS = {
    "cardsim/sixty_six-v0": "cardsim_envs.sixty_six_v0:env",
    "cardsim/zwicken-v0": "cardsim_envs.zwicken_v0:env",
    "cardsim/zwicker-v0": "cardsim_envs.zwicker_v0:env",
}
"""Id in PettingZoo's registry -> what makes the environment."""


def register_envs() -> None:
    """Enter every environment in PettingZoo's registry, where the installed version has one (1.27 and later).

    Importing this package does it; doing it again changes nothing.
    """
    try:
        from pettingzoo import aec_registry, register
    except ImportError:  # older versions know no registry
        return
    for id, entry_point in ENVIRONMENTS.items():
        if id not in aec_registry:
            register("aec", id, entry_point)


GYMNASIUM = {"cardsim/SixtySix-v0": "sixty_six", "cardsim/Zwicken-v0": "zwicken", "cardsim/Zwicker-v0": "zwicker"}
"""Id in Gymnasium's registry -> game."""


def register_gymnasium() -> None:
    """Enter every game in Gymnasium's registry, for `gymnasium.make` and `make_vec`.

    Importing this package does it; doing it again changes nothing.
    """
    import gymnasium

    for id, game in GYMNASIUM.items():
        if id not in gymnasium.registry:
            single, vector = "cardsim_envs.single:make", "cardsim_envs.vector:make"
            gymnasium.register(id, single, vector_entry_point=vector, kwargs={"game": game})


register_envs()
register_gymnasium()
