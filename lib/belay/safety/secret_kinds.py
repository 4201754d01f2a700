"""What secrets look like: one table of prefixes, and the names that secrets are given.

Formats are those the vendors publish for secret scanning. A token is its prefix and then `least` to `most`
characters of an alphabet. No regular expression: hooks cannot pay for one, and a run of characters cannot
backtrack.
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

MANY = 4096

TOKENS = (
    # kind, prefixes, alphabet, least and most characters after the prefix
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), WORD, 30, 255),
    ("github-token", ("github_pat_",), WORD, 40, 255),
    (
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glagent-", "glsoat-"),
        DOTTED,
        20,
        300,
    ),
    ("gitlab-token", ("glimt-", "glft-", "gloas-"), DOTTED, 20, 300),
    ("aws-key", ("AKIA", "ASIA", "ABIA", "ACCA"), UPPER, 16, 16),
    ("aws-key", ("amzn.mws.",), URL64, 32, 40),
    ("google-key", ("AIza",), URL64, 35, 35),
    ("google-token", ("ya29.",), DOTTED, 20, MANY),
    ("google-token", ("GOCSPX-",), URL64, 24, 40),
    ("google-token", ("1//0",), URL64, 35, 200),
    (
        "slack-token",
        ("xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxc-", "xoxd-"),
        LOOSE,
        16,
        500,
    ),
    ("slack-token", ("xapp-", "xoxe.xoxp-", "xoxe.xoxb-"), DOTTED, 16, 300),
    ("webhook", ("hooks.slack.com/services/", "hooks.slack.com/workflows/"), PATH, 20, 200),
    ("webhook", ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"), PATH, 40, 200),
    ("webhook", ("webhook.office.com/webhookb2/",), PATH | frozenset("@"), 40, 400),
    ("stripe-key", ("sk_live_", "rk_live_", "sk_test_", "rk_test_"), WORD, 16, 255),
    ("webhook-secret", ("whsec_",), BASE64, 20, 255),
    ("anthropic-key", ("sk-ant-",), URL64, 20, 300),
    ("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-None-"), URL64, 20, 300),
    ("openai-key", ("sk-",), URL64, 20, 300),
    ("npm-token", ("npm_",), ALNUM, 30, 64),
    ("pypi-token", ("pypi-AgE", "pypi-AgN"), URL64, 30, MANY),
    ("sendgrid-key", ("SG.",), DOTTED, 40, 100),
    ("twilio-key", ("SK", "AC"), HEX, 32, 32),
    ("mailgun-key", ("key-",), HEX, 32, 32),
    ("mailchimp-key", ("md-",), URL64, 22, 22),
    ("brevo-key", ("xkeysib-", "xsmtpsib-"), URL64, 40, 120),
    ("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), HEX, 64, 64),
    ("huggingface-token", ("hf_", "api_org_"), ALNUM, 30, 60),
    ("vault-token", ("hvs.", "hvb.", "hvr."), URL64, 24, 300),
    ("terraform-token", (".atlasv1.",), URL64, 50, 90),
    ("databricks-token", ("dapi",), HEX, 32, 32),
    ("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), HEX, 32, 32),
    ("linear-key", ("lin_api_", "lin_oauth_"), ALNUM, 32, 80),
    ("notion-token", ("secret_",), ALNUM, 40, 60),
    ("notion-token", ("ntn_",), ALNUM, 40, 60),
    ("sentry-token", ("sntrys_", "sntryu_"), LOOSE | frozenset("_"), 40, 500),
    ("doppler-token", ("dp.st.", "dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."), DOTTED, 30, 100),
    ("supabase-key", ("sbp_", "sb_secret_"), URL64, 24, 60),
    ("age-key", ("AGE-SECRET-KEY-1",), UPPER, 50, 70),
    ("atlassian-token", ("ATATT3", "ATCTT3", "ATBB"), LOOSE | frozenset("_"), 24, 300),
    ("docker-token", ("dckr_pat_", "dckr_oat_"), URL64, 20, 60),
    ("square-token", ("sq0atp-", "sq0csp-", "sq0idp-"), URL64, 20, 50),
    ("figma-token", ("figd_",), URL64, 30, 60),
    ("postman-key", ("PMAK-",), URL64, 40, 80),
    ("rubygems-key", ("rubygems_",), HEX, 48, 48),
    ("grafana-token", ("glsa_", "glc_"), LOOSE | frozenset("_"), 30, 400),
    ("groq-key", ("gsk_",), ALNUM, 40, 60),
    ("xai-key", ("xai-",), ALNUM, 60, 100),
    ("replicate-token", ("r8_",), ALNUM, 30, 45),
    ("perplexity-key", ("pplx-",), ALNUM, 40, 60),
    ("nvidia-key", ("nvapi-",), URL64, 50, 90),
    ("pulumi-token", ("pul-",), HEX, 40, 40),
    ("tailscale-key", ("tskey-",), URL64, 20, 80),
    ("posthog-key", ("phx_",), WORD, 40, 60),
    ("langsmith-key", ("lsv2_pt_", "lsv2_sk_"), WORD, 40, 60),
    ("hubspot-token", ("pat-na1-", "pat-eu1-"), URL64, 36, 36),
    ("netlify-token", ("nfp_",), ALNUM, 36, 50),
    ("render-key", ("rnd_",), ALNUM, 28, 40),
    ("tavily-key", ("tvly-",), URL64, 28, 70),
    ("firecrawl-key", ("fc-",), HEX, 32, 32),
    ("neon-key", ("napi_",), ALNUM, 50, 80),
    ("planetscale-token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), DOTTED, 30, 70),
    ("pinecone-key", ("pcsk_",), WORD, 40, 90),
    ("newrelic-key", ("NRAK-",), UPPER, 27, 27),
    ("flyio-token", ("fm2_", "fm1r_", "fo1_"), LOOSE | frozenset("_"), 40, MANY),
    ("1password-token", ("ops_eyJ",), URL64, 100, MANY),
    ("resend-key", ("re_",), WORD, 28, 36),
    ("airtable-token", ("pat",), DOTTED, 79, 79),
    ("azure-key", ("AccountKey=", "SharedAccessKey="), BASE64, 40, 120),
    ("alibaba-key", ("LTAI",), ALNUM, 12, 24),
)


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

MARKS = ("-----begin", "---- begin", "private key", "eyj", "://", ":aa")
"""Lower-case beginnings of what has a shape of its own: key blocks, JWTs, URLs, bot tokens."""

COMMANDS = _words("""
mysql mysqldump mysqladmin mariadb mariadb-dump sshpass docker podman helm az twine redis-cli ldapsearch
curl http https sqlcmd smbclient sudo
""")
"""Commands that take a password behind a short flag."""

PREFIXES = tuple(prefix for _, prefixes, _, _, _ in TOKENS for prefix in prefixes)

KINDS = frozenset(kind for kind, _, _, _, _ in TOKENS) | {
    *("private-key", "jwt", "url-password", "telegram-token", "password", "secret", "token", "api-key"),
}
"""Every kind that a mark may name."""
