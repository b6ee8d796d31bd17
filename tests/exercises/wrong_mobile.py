"""Wrong answers to each exercise of the module: what somebody might do, and words of the symptom that refuses it."""

WRONG: dict[str, list] = {}
