"""`overland soak`: processes killed under load, and a check that nothing was lost."""
