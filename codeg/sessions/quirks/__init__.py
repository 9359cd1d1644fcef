"""One short file per agent program that deviates."""
