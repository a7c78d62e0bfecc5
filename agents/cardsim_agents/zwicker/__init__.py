"""The compiled agents of Zwicker: `random`, `random_turns`, `greedy`, and `book`, which looks at what a turn leaves."""

from cardsim.families import AgentFamily
from cardsim_agents.learned import GameNetworks
from cardsim_agents.zwicker.book import act
from cardsim_agents.zwicker.parameters import KINDS, PARAMETERS

FAMILY = AgentFamily("zwicker", act, PARAMETERS, KINDS, GameNetworks("zwicker"))

__all__ = ["FAMILY"]
