"""The games: one folder each, with the same five files; games never import each other."""
