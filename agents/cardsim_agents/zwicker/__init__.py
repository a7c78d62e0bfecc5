"""The compiled agents of Zwicker: `random`, `random_turns`, `greedy`, and `book`, which looks at what a turn leaves."""

from cardsim.families import AgentFamily
from cardsim_agents.learned import ActionFeatures, GameNetworks
from cardsim_agents.zwicker.book import act
from cardsim_agents.zwicker.features import FEATURES, describe_all
from cardsim_agents.zwicker.parameters import KINDS, PARAMETERS

NETWORKS = GameNetworks("zwicker", ActionFeatures(FEATURES, describe_all))
FAMILY = AgentFamily("zwicker", act, PARAMETERS, KINDS, NETWORKS)

__all__ = ["FAMILY"]
