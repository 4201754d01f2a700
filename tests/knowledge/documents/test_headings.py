"""Headings by markup: what looks like one in code, tables and docstrings is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.knowledge.documents import headings
from belay.knowledge.documents.sections import split_sections


def found(text, markup):
    return list(headings.scan_headings(text.split("\n"), markup)[0].values())


RST = """\
===========
The Library
===========

Intro text.

Install
=======

.. code:: python

    # not a heading
    \"\"\"
    Neither
    \"\"\"

From source
-----------

- a list
  item

Chapters with stars
*******************

Use
===

Quotes
''''''

=====  =====
A      B
=====  =====
1      2
=====  =====

A paragraph that goes on
over two lines, and then
-----

----------

After a transition.
"""


def test_levels_of_restructuredtext_come_in_the_order_of_their_signs():
    assert found(RST, headings.RST) == [
        (1, "The Library"),
        (2, "Install"),
        (3, "From source"),
        (4, "Chapters with stars"),
        (2, "Use"),
        (5, "Quotes"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n===", []),  # shorter than the title
        ("Title\n====", [(1, "Title")]),
        ("PEP\n===", [(1, "PEP")]),
        ("  Title\n=======", []),
        ("=======\n Title\n=======", [(1, "Title")]),
        (".. _label:\nTitle\n=====", [(1, "Title")]),
        ("Title\n=-=-=", []),
        ("====\n----", []),
        ("", []),
    ],
)
def test_an_underline_of_restructuredtext(text, expected):
    assert found(text, headings.RST) == expected


ASCIIDOC = """\
= The Library
Ada <ada@example.org>
:toc:

== Install

[source,ruby]
----
# not a heading
== neither
puts 'x'
----

.A title of a block
....
Literal
-------
....

////
== commented out
////

====
An example.
====

Old style
---------

```sh
# nor this
```

|===
| = cell
|===

=== Deeper

A sentence before a block
----
code
----
"""


def test_blocks_of_asciidoc_hold_no_headings():
    assert found(ASCIIDOC, headings.ASCIIDOC) == [
        (1, "The Library"),
        (2, "Install"),
        (2, "Old style"),
        (3, "Deeper"),
    ]


def test_a_block_of_asciidoc_is_not_torn():
    text = (
        "== One\n\n"
        + "word word.\n\n" * 90
        + "----\n"
        + "line of code\n\n" * 60
        + "----\n\n== Two\n\n"
        + "word.\n" * 200
    )
    (block,) = [one for one in split_sections(text, headings.ASCIIDOC) if "line of code" in one.text]

    assert block.text.count("line of code") == 60


@pytest.mark.parametrize(
    ("path", "markup"),
    [
        ("docs/a.rst", headings.RST),
        ("A.RST", headings.RST),
        ("a.adoc", headings.ASCIIDOC),
        ("a.asciidoc", headings.ASCIIDOC),
        ("a.md", ""),
        ("a.mdx", ""),
        ("a.md.erb", ""),
        ("rst/README", ""),
    ],
)
def test_the_ending_says_the_markup(path, markup):
    assert headings.find_markup(path) == markup


LINES = st.sampled_from(
    [
        *"Title|=====|-----|****|'''|== Two|= One|----|....|////|====|.. note::|    code|```|# x|- item|[source]".split(
            "|"
        ),
        "",
        "word " * 40,
    ]
)


@given(
    st.one_of(st.text(), st.lists(LINES, max_size=60).map("\n".join)),
    st.sampled_from([headings.RST, headings.ASCIIDOC]),
)
def test_sections_tile_any_text_in_any_markup(text, markup):
    sections = split_sections(text, markup)
    body = text[:-1] if text.endswith("\n") else text

    assert "\n".join(section.text for section in sections) == (body if text.strip() else "")
