"""The JSON schemas of docs/json, for tests of commands."""

import json
from pathlib import Path

import jsonschema

_FOLDER = Path(__file__).resolve().parents[1] / "docs" / "json"


def check(name, data):
    """Validate what a command printed against its schema, or against the common one for errors."""
    schema = json.loads((_FOLDER / f"{'error' if 'error' in data else name}.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(data)
    return data
