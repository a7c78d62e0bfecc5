"""The compiled agents of Sixty-Six: `random`, `cautious`, and `book`, which plays by the text's tips."""

from cardsim.families import AgentFamily
from cardsim_agents.learned import GameNetworks
from cardsim_agents.sixty_six.book import act
from cardsim_agents.sixty_six.parameters import KINDS, PARAMETERS

FAMILY = AgentFamily("sixty_six", act, PARAMETERS, KINDS, GameNetworks("sixty_six"))

__all__ = ["FAMILY"]
