"""Storage: tables, the database, and one module of plain functions per aggregate."""
