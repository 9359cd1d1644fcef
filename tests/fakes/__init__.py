"""Stand-ins for the other side, each obeying the same contract as the real part."""
