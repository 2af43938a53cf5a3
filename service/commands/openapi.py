"""`overland openapi`: writes the OpenAPI document, generated from the code, into the repository."""

from pathlib import Path

import click


@click.command()
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("openapi/openapi.json"),
    show_default=True,
    help="Where to write it.",
)
def openapi(file: Path) -> None:
    """Write the OpenAPI document from the code."""
    from service.api.openapi import openapi_text

    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(openapi_text(), encoding="utf-8")
    click.echo(f"Written: {file}")
