"""Fixtures of the tests of commands."""

from tests.service.notices.conftest import mail_server as mail_server
