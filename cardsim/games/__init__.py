"""The games: one folder each, with rules, layout, kernels, notation and game first; games never import each other."""
