"""Files to modules to rules to findings."""
