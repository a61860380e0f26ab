"""The referee on the simulated table: hands that play by themselves, a page to play on, recordings made without a camera."""
