"""Objects to files to a folder on disk."""
