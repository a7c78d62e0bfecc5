"""The compiled agents of Zwicken: `random`, `cautious`, `book`, which plays by the texts' tips, and two foils of it."""

from cardsim.families import AgentFamily
from cardsim_agents.learned import GameNetworks
from cardsim_agents.zwicken.book import act
from cardsim_agents.zwicken.parameters import KINDS, PARAMETERS

FAMILY = AgentFamily("zwicken", act, PARAMETERS, KINDS, GameNetworks("zwicken"))

__all__ = ["FAMILY"]
