"""Secrets in the frames they are found in, and what only looks like one.

Live-looking examples are put together here, so that no scanner trips over them.
"""

import random

from belay.safety import secret_kinds
from belay.safety.formats import hashes, shapes, table
from belay.safety.formats import tokens as finder


def made(length, alphabet=secret_kinds.ALNUM, seed=1):
    """Return a string as a vendor's machine would make it, the same in every run."""
    rng = random.Random(seed)
    return "".join(rng.choice(sorted(alphabet)) for _ in range(length))


def tokens(seed=1):
    """Yield (kind, where its row is, token) for every format of the tables, made from the row."""
    for number, (kind, prefixes, alphabet, least, most, _) in enumerate(table.TOKENS):
        for prefix in prefixes.split():
            length = min(most, least + 8)
            yield kind, prefix, prefix + made(length, finder.ALPHABETS[alphabet], seed + number)
    for number, (kind, sign, before, fewest, _, after, least, _, _) in enumerate(shapes.INFIXES, 1000):
        head, tail = made(fewest, finder.ALPHABETS[before], seed + number), made(least, finder.ALPHABETS[after], seed)
        yield kind, sign, head + sign + tail
    for number, (kind, sign, lengths, alphabet, literals, _) in enumerate(shapes.SHAPES, 2000):
        plain = "".join(c for c in finder.ALPHABETS[alphabet] if c.isalnum())
        token = sign.join(made(least, plain, seed + number + at) for at, (least, _) in enumerate(lengths))
        for place, literal in literals:
            literal = literal if isinstance(literal, str) else literal[0]
            token = token[:place] + literal + token[place + len(literal) :]
        yield kind, kind + " parts", token
    for number, (marks, parts, least, _, _) in enumerate(hashes.HASHES, 3000):
        for sign in marks.split():
            middle = "".join(made(max(fewest, 1), signs, seed + number) + "$" for signs, fewest, _ in parts)
            yield hashes.KIND, sign, sign + middle + made(least, secret_kinds.ALNUM, seed + number)


def mark(kind):
    return f"[redacted:{kind}, keep it in .env]"


def block(title, lines=4):
    body = "\n".join(made(64, secret_kinds.BASE64 - {"="}, seed) for seed in range(lines))
    return f"-----BEGIN {title}-----\n{body}\n{made(20)}==\n-----END {title}-----"


WORD, HEX32, MADE = "hunter" + "2", made(32, secret_kinds.DIGIT | set("abcdef")), made(32)
GONE = {
    "shell": ("export DB_PASSWORD=% && run", "correcthorse"),
    "dotenv": ("API_KEY=%", MADE),
    "dotenv quoted": ('SECRET_KEY="%"', MADE),
    "aws": ("aws_secret_access_key = %", made(40)),
    "json": ('{"client_secret": "%"}', MADE),
    "json in json": ('"{\\"password\\": \\"%\\"}"', WORD + "!"),
    "yaml": ("POSTGRES_PASSWORD: %", "s3cr3tPw"),
    "toml": ('token = "%"', MADE),
    "python annotated": ('api_key: str = "%"', MADE),
    "typescript": ("const apiKey = '%';", MADE),
    "php": ("'password' => '%'", WORD),
    "powershell": ('$env:API_TOKEN = "%"', MADE),
    "xml": ("<password>%</password>", WORD),
    "flag": ("deploy --password % --yes", WORD),
    "flag with sign": ("deploy --password=%", "letmein"),
    "query": ("GET /a?token=%&x=1", MADE),
    "connection string": ("Server=x;User Id=sa;Password=%;Timeout=3", "Str0ng!Pass"),
    "azure": ("AccountName=a;AccountKey=%;", made(86, secret_kinds.ALNUM) + "=="),
    "npmrc": ("//registry.example.org/:_authToken=%", MADE),
    "netrc": ("machine h login u password %", "Pa55w0rd!"),
    "bearer": ('curl -H "Authorization: Bearer %" https://x', MADE),
    "basic": ("Authorization: Basic %", made(24)),
    "header": ("X-Api-Key: %", HEX32),
    "prose": ("My password is %, do not lose it.", WORD),
    "prose token": ("the token is %.", made(24)),
    "prose two words": ("the api key is %", HEX32),
    "prose aside": ("the password for staging is %", WORD),
    "markdown": ("- **Password**: `%`", "Welcome123!"),
    "markdown aside": ("Password (prod): %", "Welcome123"),
    "table": ("| password | % |", "Welcome123!"),
    "login": ("Admin login: admin@example.com / %", "Passw0rd1"),
    "url": ("postgres://admin:%@db.example.com:5432/app", "s3cr3t"),
    "url without user": ("redis://:%@localhost:6379/0", "p4ssw0rd"),
    "url srv": ("mongodb+srv://u:%@cluster0.example.net/x", "pa55"),
    "url at sign": ("postgres://u:%@h/db", "p@ss!1"),
    "git": ("git clone https://oauth2:%@gitlab.example.com/a.git", made(20)),
    "mysql": ("mysql -u root -p% app", "S3cret"),
    "sshpass": ("sshpass -p '%' ssh x", "S3cret1"),
    "curl": ("curl -s -u admin:% https://x", "pa55word"),
    "redis-cli": ("redis-cli -a % ping", "Pa55word"),
    "docker": ("docker login -u me -p % r.example.org", "Pa55word"),
    "sudo": ("echo % | sudo -S true", "Sup3rSecret"),
    "jwt": ("jwt %", f"eyJ{made(20)}.eyJ{made(40)}.{made(43)}"),
    "jwt unsigned": ("x=%", f"eyJ{made(20)}.eyJ{made(40)}."),
    "bot": ("bot %", made(9, secret_kinds.DIGIT - {"0"}) + ":AA" + made(33)),
    "shadow": ("ada:%:19000:0:99999:7:::", "$6$" + made(12) + "$" + made(86)),
    "htpasswd": ("ada:%", "$2y$" + "10$" + made(53)),
    "argon2": ('"hash": "%",', "$argon2id$" + "v=19$m=65536,t=3,p=4$" + made(22) + "$" + made(43)),
    "django": ("('ada', '%')", "pbkdf2_sha256$" + "260000$" + made(22) + "$" + made(43) + "="),
    "ldap": ("userPassword: %", "{SSHA}" + made(32)),
    "postgres": ("a, %", f"SCRAM-SHA-256$4096:{made(22)}==${made(43)}=:{made(43, seed=2)}="),
    "sentence of a hash": ("it was %. Next", "$2b$" + "12$" + made(53)),
    "after an escape": ("line\\n%\\n", "gh" + "p_" + made(36)),
    "capital that grows when lowered": ("İİİ password=%", WORD),
}


STAYS = """
password: str
token: string
token: str = field()
token = parser.next()
token = get_token()
password = request.form["password"]
api_key=settings.API_KEY
token=self.token
API_KEY=<your-token>
API_KEY=your_api_key_here
API_KEY=xxxxxxxx
PASSWORD=changeme
TOKEN=${TOKEN}
TOKEN=$TOKEN
export TOKEN=$(cat token.txt)
token: process.env.TOKEN
key = os.environ["API_TOKEN"]
password=***
password=
password: true
"token": null
password: z.string().min(8)
"password": "Password"
type: "password"
if password == "": pass
max_tokens: 4096
token_count = 12345
tokens used: 123456
primary_key=True
secretName: my-app-tls
secret: prod-db-credentials
auth_token_path: /run/secrets/token1
private_key: ~/.ssh/id_rsa
docker login --password-stdin
mkdir -p foo2 && docker run -p 8080:80 img
ssh -p 2222 host
12 pass, 3 fail; pass: 12 tests
you can pass `shuffle=True` to it
The --username and --password options are read
the password is required
password reset flow v2
the token is valid for 3600s
the key is to use redis 7
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
id 3f2504e0-4f89-11d3-9a0c-0305e82c3301
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
http://localhost:8080/x@y and https://github.com:443/a/b
git@github.com:foo/bar.git
postgres://${USER}:${PASS}@host/db
postgres://user:password@localhost/db
http://{user}:{password}@host
task-abcdefghijklmnopqrstuvwxyz1
$argon2id$v=19$m=65536,t=3,p=4 and $2b$12$ and {SSHA} say how
$2b$12$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
awk '{print $1$2}' and echo "$5$6$7" and cost=$6$
risk-assessment-for-the-first-quarter-2024
secret is in 1password, hashed with sha256
""".strip().splitlines()
