"""The WSGI application for gunicorn: `gunicorn service.wsgi:app`.

The only module that has effects when it is imported.
"""

import os

from service.app import create_app
from service.config import keep_files_private, load
from service.logs import configure
from service.wiring import wire_api

keep_files_private()
settings = load(os.environ)
configure(settings.log_format, settings.log_level)
app = create_app(wire_api(settings))
