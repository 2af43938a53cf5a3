"""What is kept: tables, the database, and one module of plain functions for each aggregate."""
