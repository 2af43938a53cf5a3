"""Development tools beside the product: load, faults, simulation and a demonstration."""
