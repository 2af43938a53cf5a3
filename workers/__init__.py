"""The processes behind the service: they judge turns, deliver notices and pick up what got lost."""
