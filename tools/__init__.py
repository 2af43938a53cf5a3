"""Development tools: load, faults, simulation, a demonstration, and mutation testing."""
