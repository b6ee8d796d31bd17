"""Channels: their types, what each needs, and the CipherSpecs."""

from collections.abc import Iterator

from .attribute import table

TYPES = ("SDR", "SVR", "RCVR", "RQSTR", "CLNTCONN", "SVRCONN", "CLUSSDR", "CLUSRCVR", "AMQP", "MQTT")

_NEEDED = {"SDR": "CONNAME XMITQ", "SVR": "XMITQ", "RQSTR": "CONNAME", "CLNTCONN": "CONNAME", "CLUSSDR": "CONNAME"}
NEEDED = {chltype: tuple(keywords.split()) for chltype, keywords in _NEEDED.items()}
"""Attributes that DEFINE CHANNEL of a type needs, unless LIKE or the SYSTEM.DEF channel gives them."""

_ECDHE = (
    "AES_128_CBC_SHA256 AES_256_CBC_SHA384 AES_128_GCM_SHA256 AES_256_GCM_SHA384 3DES_EDE_CBC_SHA256 RC4_128_SHA256 "
    "NULL_SHA256"
)
_TLS10 = "DES_CBC_SHA 3DES_EDE_CBC_SHA RC4_128_MD5 NULL_MD5 NULL_NULL NULL_SHA"
_TLS12 = "AES_128_CBC_SHA256 AES_256_CBC_SHA256 AES_128_GCM_SHA256 AES_256_GCM_SHA384 RC4_128_SHA256 NULL_SHA256"
_BY_LEVEL = {
    (0, 0): "AES_SHA_US TRIPLE_DES_SHA_US NULL_MD5 NULL_SHA RC2_MD5_EXPORT RC4_MD5_EXPORT RC4_MD5_US RC4_SHA_US "
    "RC4_56_SHA_EXPORT1024 DES_SHA_EXPORT DES_SHA_EXPORT1024 TLS_RSA_WITH_AES_128_CBC_SHA TLS_RSA_WITH_AES_256_CBC_SHA",
    (600, 600): "FIPS_WITH_DES_CBC_SHA FIPS_WITH_3DES_EDE_CBC_SHA TLS_RSA_EXPORT_WITH_RC2_40_MD5 "
    f"TLS_RSA_EXPORT_WITH_RC4_40_MD5 {' '.join(f'TLS_RSA_WITH_{rest}' for rest in _TLS10.split())}",
    (710, 800): " ".join(f"TLS_RSA_WITH_{rest}" for rest in _TLS12.split())
    + "".join(f" ECDHE_{key}_{rest}" for key in ("ECDSA", "RSA") for rest in _ECDHE.split()),
    (911, 920): "ANY_TLS12",
    (914, 920): "ANY ANY_TLS12_OR_HIGHER ANY_TLS13 ANY_TLS13_OR_HIGHER TLS_CHACHA20_POLY1305_SHA256 "
    "TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_AES_128_CCM_SHA256 TLS_AES_128_CCM_8_SHA256",
}
CIPHERS = {name: levels for levels, names in _BY_LEVEL.items() for name in names.split()}
"""CipherSpec -> the levels since which distributed and z/OS queue managers have it: all of IBM's tables "Enabling
CipherSpecs" and "Deprecated CipherSpecs", and ANY ones. CipherSpecs of TLS 1.3 have IBM's level."""


def rows(chltype: str | None) -> Iterator[tuple]:
    """The rows of one type of channel, or of all if None."""
    for *columns, types in table()["CHANNEL"]:
        if chltype is None or not types or chltype in types.split():
            yield tuple(columns)
