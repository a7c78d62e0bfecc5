"""Agents that have learned: small networks of whole numbers, run in kernels without any other library.

`experiments/train_ppo.py` trains them; the weights of the built-in ones lie in `weights`, with the command and the seed
that made them.
"""

from cardsim_agents.learned.features import ActionFeatures
from cardsim_agents.learned.inference import play_network
from cardsim_agents.learned.networks import Network
from cardsim_agents.learned.quantise import quantise
from cardsim_agents.learned.table import GameNetworks, add

__all__ = ["ActionFeatures", "GameNetworks", "Network", "add", "play_network", "quantise"]
