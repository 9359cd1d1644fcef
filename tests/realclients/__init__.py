"""Real host programs and real agents, driven offline: no key, no network, a scripted model of our own on loopback.

`packages` says which programs in which versions and installs them; `model` is what answers them; `recipes` bring them
to it; `programs` describes the host programs; `machine` is the home, folder and environment of one test. `hosts` holds
the tests with real programs as parents, `agents` those with real programs as children; `matrix` keeps what works where.

    ./dev realclients                           all programs (installs what is missing)
    pytest tests/realclients --realclients=all --write-matrix     the same, and matrix.json is written
"""
