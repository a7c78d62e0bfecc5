"""Questions about Zwicken, one a file."""
