"""Ordinary lines of code, prose, hashes, ids and data as sessions hold them, made new from a seed; none is a secret."""

import base64
import random
import uuid

WORDS = """
account action adapter answer archive balance basket batch border branch buffer bundle cache cart chapter check client
cluster column commit config context counter course currency customer deploy detail device discount document domain
draft editor engine entry error event export factory feature field filter folder format gateway group handler header
history image import index invoice job journal label layer layout ledger letter limit locale manager market matrix
member memory merge message method migration model module monitor network number object option order output owner
package page panel parser payment period pipeline plugin policy price printer process product profile project provider
query queue range record region release render report request resource result retry review role route row sample
schedule schema score search section segment sender service session setting shipment signal snapshot source stage
status step storage stream supplier support switch symbol system table target task team template tenant thread ticket
total trace track transfer trigger unit update upload user validator value vendor version view voucher warehouse widget
window worker workflow zone
""".split()
EXTENSIONS = ("py", "ts", "go", "rs", "java", "md", "yaml", "json", "sql", "css", "rb", "sh")
HEX, LOWER = "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz0123456789"


def lines(count, seed):
    """Return `count` different ordinary lines."""
    chance, found = random.Random(seed), {}
    while len(found) < count:
        found.setdefault(chance.choice(MAKERS)(chance))
    return list(found)


def word(chance):
    return chance.choice(WORDS)


def digits(chance, most=4):
    return str(chance.randrange(10 ** chance.randint(1, most)))


def made(chance, signs, length):
    return "".join(chance.choice(signs) for _ in range(length))


def camel(chance, number=3):
    return "".join(word(chance).title() for _ in range(number))


def snake(chance, number=3):
    return "_".join(word(chance) for _ in range(number))


def kebab(chance, number=3):
    return "-".join(word(chance) for _ in range(number))


def path(chance):
    return (
        "/".join(word(chance) for _ in range(chance.randint(2, 5))) + "/" + snake(chance, 2) + "." + extension(chance)
    )


def extension(chance):
    return chance.choice(EXTENSIONS)


def packed(chance, length):
    return base64.b64encode(chance.randbytes(length)).decode()


def identifier(chance):
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def stamp(chance):
    return f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:07Z"


MAKERS = (
    lambda c: f"The {word(c)} of the {word(c)} is sent to the {word(c)} before the {word(c)} ends.",
    lambda c: f"def {snake(c)}({word(c)}, {word(c)}_id=None): return {word(c)}.{snake(c, 2)}({digits(c)})",
    lambda c: (
        f"const {camel(c)[0].lower()}{camel(c)} = await {word(c)}.{word(c)}{camel(c, 2)}({{ {word(c)}: {digits(c)} }});"
    ),
    lambda c: f"class {camel(c, 4)}({camel(c, 2)}Base): ...",
    lambda c: f"commit {made(c, HEX, 40)}",
    lambda c: f"{made(c, HEX, 64)}  dist/{kebab(c)}-{digits(c, 1)}.{digits(c, 2)}.{digits(c, 2)}.tar.gz",
    lambda c: f"index {made(c, HEX, 7)}..{made(c, HEX, 7)} 100644 {path(c)}",
    lambda c: f'{{"id": "{identifier(c)}", "{word(c)}": {digits(c)}}}',
    lambda c: f"INSERT INTO {word(c)}s VALUES ('{identifier(c)}', '{word(c)}', {digits(c)});",
    lambda c: f"{stamp(c)} INFO {word(c)}.{word(c)} request {identifier(c)} took {digits(c)} ms",
    lambda c: f"traceparent: 00-{made(c, HEX, 32)}-{made(c, HEX, 16)}-01",
    lambda c: f".{kebab(c)}__{word(c)}--{word(c)} {{ color: #{made(c, HEX, 6)}; background: #{made(c, HEX, 3)}; }}",
    lambda c: f"--{kebab(c)}: oklch({digits(c, 2)}% 0.{digits(c, 3)} {digits(c, 3)});",
    lambda c: f'<img src="data:image/png;base64,{packed(c, 90)}" alt="{word(c)}">',
    lambda c: f'"integrity": "sha512-{packed(c, 64)}",',
    lambda c: (
        f'{kebab(c, 2)}@^{digits(c, 1)}.{digits(c, 2)}.{digits(c, 1)}: resolved "{digits(c, 1)}.{digits(c, 2)}.{digits(c, 1)}"'
    ),
    lambda c: f"    --hash=sha256:{made(c, HEX, 64)} \\",
    lambda c: f'checksum = "{made(c, HEX, 64)}"',
    lambda c: f"{word(c)}.example.org/{kebab(c)} v{digits(c, 1)}.{digits(c, 2)}.{digits(c, 1)} h1:{packed(c, 32)}",
    lambda c: (
        f"https://www.example.org/{kebab(c)}/{kebab(c, 2)}-{digits(c)}?page={digits(c, 2)}&sort={word(c)}#section-{digits(c, 2)}"
    ),
    lambda c: f"{kebab(c, 2)}-{made(c, LOWER, 10)}-{made(c, LOWER, 5)}   1/1   Running   0   {digits(c, 2)}d",
    lambda c: f"arn:aws:iam::{made(c, '0123456789', 12)}:role/{kebab(c)}",
    lambda c: f"sg-{made(c, HEX, 17)} subnet-{made(c, HEX, 17)} i-{made(c, HEX, 17)}",
    lambda c: (
        f"assets/{kebab(c, 2)}-{made(c, LOWER + 'ABCDEFGH', 8)}.js   {digits(c)}.{digits(c, 2)} kB │ gzip: {digits(c, 2)} kB"
    ),
    lambda c: f"FAILED tests/{path(c)}::Test{camel(c)}::test_{snake(c, 6)}[{word(c)}-{digits(c)}]",
    lambda c: f'  File "/home/ada/{path(c)}", line {digits(c)}, in {snake(c)}',
    lambda c: f"    at {camel(c, 2)}.{word(c)}{camel(c, 2)} ({path(c)}:{digits(c)}:{digits(c, 2)})",
    lambda c: f"0x{made(c, HEX, 16)} 0x{made(c, HEX, 40)}",
    lambda c: f"migrations/{made(c, '0123456789', 4)}_auto_{made(c, '0123456789', 8)}_{made(c, '0123456789', 4)}.py",
    lambda c: (
        f"toolu_{made(c, LOWER + 'ABCDEFGHIJ', 24)} req_{made(c, LOWER + 'ABCDEFGHIJ', 24)} msg_{made(c, LOWER, 24)}"
    ),
    lambda c: (
        f"cus_{made(c, LOWER + 'ABCDEFGHIJ', 14)} prod_{made(c, LOWER + 'ABCDEFGHIJ', 14)} price_{made(c, LOWER, 24)}"
    ),
    lambda c: f"| {word(c)} | {snake(c)} | {digits(c)} | `{word(c)}.{word(c)}()` |",
    lambda c: f"+    if {word(c)}.{snake(c, 2)} >= {digits(c)} and not {word(c)}[{digits(c, 1)}]:",
    lambda c: f"docker.io/{word(c)}/{kebab(c, 2)}@sha256:{made(c, HEX, 64)}",
    lambda c: (
        f'{{"mappings": "{";".join(made(c, "ACEGIKMOQSUWYacegikmoqsuwy", c.randint(4, 5)) for _ in range(12))}"}}'
    ),
    lambda c: f"-----BEGIN CERTIFICATE----- MII{packed(c, 45).rstrip('=')}",
    lambda c: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{packed(c, 32).rstrip('=')} ada@example.org",
    lambda c: f'ETag: W/"{made(c, HEX, 32)}"  Content-MD5: {packed(c, 16)}',
    lambda c: f"{digits(c)},{word(c)},{identifier(c)},{stamp(c)},{digits(c)}.{digits(c, 2)}",
    lambda c: f"{word(c)}.{word(c)}.svc.cluster.local:{digits(c)} 10.{digits(c, 2)}.{digits(c, 2)}.7",
)
