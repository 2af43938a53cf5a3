"""Serves the application: gunicorn's ASGI worker, and a loop in front of the WSGI application."""
