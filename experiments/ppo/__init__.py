"""The parts of `experiments/train_ppo.py`: options, the policy, its two ways to play, and its curve."""
