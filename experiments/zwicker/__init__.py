"""Questions about Zwicker, one a file."""
