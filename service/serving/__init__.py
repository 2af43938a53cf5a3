"""Serves the application: gunicorn's ASGI worker, with limits and deadlines, and in front of the
WSGI application a loop that runs the posting of turns as tasks and everything else in threads.
"""
