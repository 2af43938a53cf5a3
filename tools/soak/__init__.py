"""`overland soak`: kills processes under load, and checks that nothing is lost."""
