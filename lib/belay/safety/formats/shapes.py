"""The table of vendors' tokens that no prefix tells: by a sign within, or by the lengths of their parts.

Sources as in `table`.
"""

from __future__ import annotations

INFIXES = (
    # kind, sign within, alphabet, least, most before it, alphabet, least, most after it, source
    ("airtable-token", ".v1.", "alnum", 10, 40, "dotted", 40, 400, "B"),
    ("asana-token", ":", "digit/", 18, 40, "alnum", 32, 32, "T"),
    ("authress-key", ".acc_", "word.", 10, 45, "loose", 40, 170, "L"),
    ("authress-key", ".acc-", "word.", 10, 45, "loose", 40, 170, "L"),
    ("azure-secret", "Q~", "url64~", 4, 4, "url64~", 31, 34, "L"),
    ("azure-key", "AZDO", "alnum", 76, 76, "alnum", 4, 5, "N"),
    ("azure-key", "JQQJ9", "alnum", 52, 52, "alnum", 27, 27, "M"),
    ("azure-key", "APIM", "alnum+/", 76, 76, "base64", 8, 8, "M"),
    ("azure-key", "ACDb", "alnum+/", 76, 76, "base64", 8, 8, "M"),
    ("azure-key", "+ABa", "alnum+/", 76, 76, "base64", 8, 8, "M"),
    ("azure-key", "+AMC", "alnum+/", 76, 76, "base64", 8, 8, "M"),
    ("azure-key", "+ASt", "alnum+/", 76, 76, "base64", 8, 8, "M"),
    ("azure-key", "AIoT", "alnum+/", 33, 33, "base64", 7, 7, "M"),
    ("azure-key", "AZEG", "alnum+/", 33, 33, "base64", 7, 7, "M"),
    ("azure-key", "AzCa", "alnum+/", 33, 33, "base64", 7, 7, "M"),
    ("azure-key", "+AEh", "alnum+/", 33, 33, "base64", 7, 7, "M"),
    ("azure-key", "+ARm", "alnum+/", 33, 33, "base64", 7, 7, "M"),
    ("azure-key", "+ASb", "alnum+/", 33, 33, "base64", 7, 7, "M"),
    ("azure-key", "+ACR", "alnum+/", 42, 42, "base64", 6, 6, "M"),
    ("azure-key", "AzSe", "alnum", 42, 42, "alnum", 6, 6, "M"),
    ("azure-key", "AzFu", "url64", 44, 44, "padded", 8, 8, "M"),
    ("facebook-token", "|", "digit", 15, 17, "url64", 27, 40, "L"),
    ("firebase-key", ":APA91b", "url64", 11, 22, "url64", 130, 150, "N"),
    ("newrelic-key", "FFFFNRAL", "alnum", 32, 32, "alnum", 0, 0, "T"),
    ("newrelic-key", "-NRMA", "alnum", 42, 42, "alnum", 0, 0, "T"),
    ("salesforce-token", "!", "alnum", 15, 15, "dotted", 80, 260, "T"),
    ("tableau-token", "==:", "alnum+/", 22, 22, "alnum", 32, 32, "T"),
    ("terraform-token", ".atlasv1.", "alnum", 10, 20, "padded", 50, 90, "L"),
)

SHAPES = (
    # kind, sign between the parts, least and most signs of each, alphabet, literals at their places, source
    ("discord-token", ".", ((23, 28), (6, 6), (25, 45)), "url64", ((0, ("M", "N", "O")),), "Y"),
    ("dropbox-token", " ", ((64, 64),), "url64", ((11, "A" * 10),), "L"),
    ("hubspot-token", "-", ((3, 3), (2, 3), (8, 8), (4, 4), (4, 4), (4, 4), (12, 12)), "alnum", ((0, "pat-"),), "T"),
    ("launchdarkly-key", "-", ((3, 3), (8, 8), (4, 4), (4, 4), (4, 4), (12, 12)), "alnum", ((0, ("api", "sdk")),), "T"),
    ("mailchimp-key", "-", ((32, 32), (3, 4)), "alnum", ((32, "-us"),), "Y"),
    ("mailgun-key", "-", ((32, 32), (8, 8), (8, 8)), "alnum", (), "L"),
    ("maxmind-key", "_", ((6, 6), (29, 29), (3, 3)), "alnum", ((36, "_mmk"),), "L"),
    ("ngrok-token", "_", ((27, 27), (20, 21)), "alnum", ((0, "2"),), "T"),
    ("okta-token", " ", ((42, 42),), "url64", ((0, "00"),), "T"),
    ("storyblok-token", "-", ((24, 24), (6, 6), (20, 20)), "url64", ((22, "tt-"),), "T"),
    ("webex-token", "_", ((64, 64), (4, 4), (36, 36)), "url64", (), "T"),
)
