"""Values in the place of a secret that are none: placeholders, references to another place, words about secrets."""

from __future__ import annotations

HOLES = tuple(
    """
your example placeholder changeme change-me change_me redacted dummy insert xxxx **** ... … ••• < >
todo replace fixme removed masked hidden _here -here
""".split()
)
"""Inside a placeholder."""

REFERENCES = tuple(
    r"""
${ $( $env: { #{ env. env: env( env[ process. os. import. secrets. vault: op: ssm: arn: file:
keyring config. settings. self. this. var. data. options. req. request. ctx. args. props. [ ~/ ./
../ // ( \ = |
""".split()
)
"""At the beginning of a reference."""

WORDS = frozenset(
    """
2fa admin aes-256 aes-256-gcm aes256 any api_key apikey argon2 argon2id base64 basic bcrypt bearer
blank bool boolean bytes changed correct default different digest ed25519 empty encrypted es256
expired false generated hashed here hidden hs256 http2 incorrect int invalid key md5 missing nil no
none not null number oauth2 object off on optional pass passwd password pbkdf2 pwd random required
rs256 same scrypt secret set sha1 sha256 sha512 stored str string test testing tests text there
token true undefined unknown unset user username utf-8 utf8 valid value values wrong x509 yes
""".split()
)
"""Complete values that say something about a secret."""

NUMBERED = frozenset(
    """
account argon array attempt bcrypt branch build button case chapter check class client column commit component
config default device draft email entry error event example field fields figure file flow flows form format frame
group hash header input inputs issue item label layer level line local login manager matrix method milestone mode
model module number option order other package page panel param part password passwd passphrase phase point policy
policies profile protocol prompt python question reset release request required requirement requirements revision
round route row rule rules screen script second section server service session setting sheet sprint stage state
step steps story string table target task tests text ticket token type update user users value values variant
version vector window worker sha sha-
""".split()
)
"""Words that are numbered wherever people write: `password field2` names a field."""
