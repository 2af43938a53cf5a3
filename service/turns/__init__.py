"""The use cases of a turn, in order: trials; intake, submit; pending, batch, judge, rulings."""
