"""Environments for cardsim's games: `from cardsim_envs import sixty_six_v0`, then `sixty_six_v0.env()`."""

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


register_envs()
