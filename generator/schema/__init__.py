"""The provider's argument tree and the spec's JSON Schema, as data with typed access."""
