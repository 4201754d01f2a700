"""The name by which others depend on a package."""

import pytest

from belay.repository.manifests.package_names import read_package_name


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("package.json", '{"name": "@shop/money"}', "@shop/money"),
        ("web/package.json", '{"name": "web"}', "web"),
        ("composer.json", '{"name": "shop/money"}', "shop/money"),
        ("pyproject.toml", '[project]\nname = "Shop_Money"\n', "shop-money"),
        ("pyproject.toml", '[tool.poetry]\nname = "shop.money"\n', "shop-money"),
        ("Cargo.toml", '[package]\nname = "money"\n', "money"),
        ("go.mod", "// x\nmodule example.org/shop/money\n\ngo 1.22\n", "example.org/shop/money"),
    ],
)
def test_a_manifest_names_its_package(path, text, name):
    assert read_package_name(path, text) == name


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", "{}"), ("package.json", '{"name": 7}'), ("package.json", "{"), ("package.json", "[" * 100_000),
        ("package.json", '{"name": "a\\nb"}'), ("package.json", '{"name": "%s"}' % ("x" * 300)),
        ("pyproject.toml", "[project"), ("Cargo.toml", "[workspace]\n"), ("go.mod", "module \n"),
        ("requirements.txt", "money==1\n"), ("README.md", "x"),
    ],
)  # fmt: skip
def test_what_names_none_has_none(path, text):
    assert read_package_name(path, text) == ""
