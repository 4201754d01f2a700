"""What secrets are called: the names that they are given, and the kinds that a mark may name.

No regular expression: hooks cannot pay for one, and a run of characters cannot backtrack.
"""

from __future__ import annotations

DIGIT = frozenset("0123456789")
HEX = DIGIT | frozenset("abcdefABCDEF")
UPPER = DIGIT | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
ALNUM = UPPER | frozenset("abcdefghijklmnopqrstuvwxyz")
WORD = ALNUM | frozenset("_")
URL64 = WORD | frozenset("-")
BASE64 = ALNUM | frozenset("+/=")
DOTTED = URL64 | frozenset(".")
LOOSE = DOTTED | BASE64
PATH = URL64 | frozenset("/")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PASSWORDS = _words("""
password passwd passphrase passcode pwd passwort kennwort contraseña senha wachtwoord
""")
"""Ends of names (signs and case dropped) of what people choose: a value need not look random."""

PASSWORD_WORDS = _words("""
pass passe pw dbpass mysqlpass smtppass mailpass userpass adminpass psw pin storepass keypass
""")
"""Whole last words of such names: as mere ends they would catch `bypass`."""

SECRETS = _words("""
apikey secretkey accesskey privatekey authkey accountkey encryptionkey signingkey masterkey
servicekey servicerolekey sessionkey jwtkey hmackey deploykey adminkey apitoken clientsecret secret
token credential credentials secretkeybase apisecret authorization bearer jwt accesstoken idtoken
""")
"""Ends of names of what machines make: a value must look made."""

SECRET_WORDS = _words("""
auth pat key cookie sessionid creds psk otp sig
""")
"""Whole last words that carry a secret only when the value looks random."""

QUALIFIERS = _words("""
prod production dev staging stage test live old new base64 b64
""")
"""Last words of a name that say nothing about what it is."""

OPEN = _words("""
public primary foreign partition sort cache publishable anon idempotency site
""")
"""Words that make a key an open one."""

NAMES = _words("""
passw passphrase passcode pwd contraseña kennwort senha wachtwoord pass pw psw pin secret token key
credential authorization
bearer jwt auth pat cookie sessionid creds psk otp sig login account
""")
"""Where the search for a name starts, in lower case; every end above contains one."""

FOREIGN_NAMES = {
    "password": (
        *_words("passwört zugangscode hasło heslo salasana lösenord parola şifre kodeord jelszó"),
        *_words("пароль пароля паролем парол κωδικός סיסמה 密码 密碼 口令 パスワード 暗証番号 合言葉 비밀번호 암호"),
        *("mot de passe", "mots de passe", "palabra de paso", "clave de acceso", "كلمة المرور"),
    ),
    "api-key": (
        *_words("schlüssel schluessel clé clave chiave chave sleutel klucz anahtar nyckel nøgle ключ ключом"),
        *_words("密钥 密鑰 秘钥 鍵 キー 키"),
        *("cle api", "cle d'api", "clé api", "clé d'api", "clave api", "clave de api", "chave api", "ключ api"),
    ),
    "token": _words("jeton zugriffstoken токен токеном 令牌 トークン 토큰"),
    "secret": _words("geheimnis secreto segreto segredo sekret tajemství секрет 机密 シークレット 시크릿"),
}
"""Kind → names in other languages, in lower case, from dictionaries; a text has to hold one of them exactly."""

FOREIGN = tuple(name for names in FOREIGN_NAMES.values() for name in names)
_PLAIN_FOREIGN = tuple(name for name in FOREIGN if name.isascii())
_MARKED_FOREIGN = tuple(name for name in FOREIGN if not name.isascii())


def has_foreign_name(low: str) -> bool:
    """Whether a text in lower case holds a name in another language; most texts are ASCII and have few to look for."""
    return any(name in low for name in _PLAIN_FOREIGN) or (
        not low.isascii() and any(name in low for name in _MARKED_FOREIGN)
    )


MARKS = ("-----begin", "---- begin", "private key", "eyj", "ewogic", "ewoid", "://", ":aa")
"""Lower-case beginnings of what has a shape of its own: key blocks, JWTs, URLs, bot tokens."""

COMMANDS = _words("""
mysql mysqldump mysqladmin mariadb mariadb-dump sshpass docker podman helm az twine redis-cli ldapsearch
curl http https sqlcmd smbclient sudo
""")
"""Commands that take a password behind a short flag."""

KINDS = frozenset(
    _words(
        "private-key jwt url-password telegram-token password secret token api-key rest encoded-secret password-hash"
    )
)
"""Every kind that a mark may name, beside the vendors' (`formats.tokens.KINDS`)."""
