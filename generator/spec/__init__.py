"""A spec file to checked, frozen objects."""
