"""Questions about Sixty-Six, one a file."""
