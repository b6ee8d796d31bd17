"""The numbers that mqlab has under MQ's names, and the places of fields, are those of IBM's library."""

from mqlab.engine.words import constants
from mqlab.ibmmq import structures

OURS = {"MQMT_MQE_FIELDS_FROM_MQE", "MQMT_MQE_FIELDS", "MQPMO_OF_PUBLICATIONS", "MQGMO_MARKS", "MQGMO_PROPERTIES"}


def plain(value):
    return value.decode().rstrip("\0 ") if isinstance(value, bytes) and len(value) < 12 else value


def test_every_name_that_both_have_has_one_value(mqi):
    tables = vars(mqi.CMQXC) | vars(mqi.CMQCFC) | vars(mqi.CMQC)
    ours = {name: value for name, value in constants.named("MQ").items() if name not in OURS}
    assert len(ours) > 400
    shared = {name: value for name, value in ours.items() if name in tables}
    assert len(shared) > 0.9 * len(ours)
    same = {name: value.rstrip() if isinstance(value, str) else value for name, value in shared.items()}
    assert {name: plain(tables[name]) for name in shared if plain(tables[name]) != same[name]} == {}


def test_fields_have_the_places_that_the_library_writes_them_to(mqi):
    for name in ("MD", "OD", "GMO", "PMO", "CNO", "CSP", "STS"):
        layout, structure = getattr(structures, f"MQ{name}"), getattr(mqi, name)()
        assert max(layout.lengths) <= structure.get_length() < max(layout.lengths) + 8
        structure.Version = len(layout.lengths)
        numbers = [field.name for field in layout.layout.fields if field.code == "i"]
        names = [name for name in numbers if hasattr(structure, name)]
        for number, field in enumerate(names, 1):
            structure[field] = structure[field] if field == "Version" else number
        read = layout.read(structure.pack())
        assert {field: read[field] for field in names} == {field: structure[field] for field in names}
    assert set(structures.CURRENT) >= {"od", "md", "gmo", "pmo", "cno", "csp", "cd", "sco", "sd", "sts"}
