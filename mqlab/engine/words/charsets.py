"""Coded character set identifiers (CCSIDs), and their texts by Python's codecs.

Python has no codec for 1047, which is 037 with three pairs of characters exchanged. Unicode in two bytes (1200 and its
subsets 13488 and 17584) has the byte order of the numbers in the same data. Not here: the mixed EBCDIC sets of Asia
(such as 930, 933, 935, 937, 939) and other sets without a codec.
"""

from __future__ import annotations

from .errors import LabError

_CODECS = """
37 cp037  273 cp273  367 ascii  424 cp424  437 cp437  500 cp500  737 cp737  775 cp775  813 iso8859-7  819 latin-1
850 cp850  852 cp852  855 cp855  857 cp857  858 cp858  860 cp860  861 cp861  862 cp862  863 cp863  864 cp864  865 cp865
866 cp866  869 cp869  874 cp874  875 cp875  878 koi8-r  912 iso8859-2  913 iso8859-3  914 iso8859-4  915 iso8859-5
916 iso8859-8  919 iso8859-10  920 iso8859-9  921 iso8859-13  923 iso8859-15  932 cp932  943 cp932  949 cp949
950 cp950  954 euc-jp  970 euc-kr  1026 cp1026  1047 cp037  1089 iso8859-6  1125 cp1125  1140 cp1140  1168 koi8-u
1200 utf-16  1202 utf-16-le  1208 utf-8  1250 cp1250  1251 cp1251  1252 cp1252  1253 cp1253  1254 cp1254  1255 cp1255
1256 cp1256  1257 cp1257  1258 cp1258  1383 gb2312  1386 gbk  5348 cp1252  5488 gb18030  13488 utf-16  17584 utf-16
"""
CODECS: dict[int, str] = {}
"""CCSID: the name of Python's codec, "utf-16" if its byte order follows the numbers of the message."""
_words = _CODECS.split()
CODECS.update(zip(map(int, _words[::2]), _words[1::2], strict=True))

_EXCHANGED = bytes.maketrans(b"\x5f\xb0\xba\xad\xbb\xbd", b"\xb0\x5f\xad\xba\xbd\xbb")
_SUBSTITUTE = "\x1a"


class Unsupported(LabError):
    """A CCSID that there is no codec for."""


def codec_of(ccsid: int, big_endian: bool = False) -> str:
    """The name of Python's codec for a CCSID; Unsupported if there is none."""
    try:
        codec = CODECS[ccsid]
    except (KeyError, TypeError):
        raise Unsupported(f"CCSID must be one with a codec, such as 1208, 819 or 500; got {ccsid!r}") from None
    return codec + ("-be" if big_endian else "-le") if codec == "utf-16" else codec


def decode(data: bytes, ccsid: int, big_endian: bool = False) -> str:
    """Bytes of a CCSID as text; Unsupported, or UnicodeDecodeError if the bytes are no text of it."""
    codec = codec_of(ccsid, big_endian)
    return (data.translate(_EXCHANGED) if ccsid == 1047 else data).decode(codec)


def encode(text: str, ccsid: int, big_endian: bool = False, substitute: bool = False) -> bytes:
    """Text as bytes of a CCSID; Unsupported, or UnicodeEncodeError if it cannot hold the text.

    With `substitute` a character that it does not have becomes the control character SUB, as IBM's tables do.
    """
    codec = codec_of(ccsid, big_endian)
    try:
        data = text.encode(codec)
    except UnicodeEncodeError:
        if not substitute:
            raise
        data = b"".join(_one(character, codec) for character in text)
    return data.translate(_EXCHANGED) if ccsid == 1047 else data


def _one(character: str, codec: str) -> bytes:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return _SUBSTITUTE.encode(codec)
