"""`python -m cardsim`: the command line without an installed script."""

from cardsim.cli import main

if __name__ == "__main__":
    main()
