"""The worker processes: they judge turns, deliver notices, and wake workers for missed rows."""
