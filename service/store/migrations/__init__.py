"""The way from an empty database to today's, run by Alembic."""
