"""The JSON schemas of docs/json, for tests of commands."""

import json
from pathlib import Path

import jsonschema
from referencing import Registry, Resource

_FOLDER = Path(__file__).resolve().parents[1] / "docs" / "json"


def _read(name):
    return json.loads((_FOLDER / name).read_text())


def check(name, data):
    """Validate what a command printed against its schema, or against the common one for errors."""
    schemas = [(path.name, Resource.from_contents(_read(path.name))) for path in _FOLDER.glob("*.json")]
    schema = _read(f"{'error' if 'error' in data else name}.json")
    jsonschema.Draft202012Validator(schema, registry=Registry().with_resources(schemas)).validate(data)
    return data
