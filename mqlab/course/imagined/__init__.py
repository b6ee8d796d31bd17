"""A wrong belief beside IBM MQ: one story in two labs on one clock, until they part.

- `variants`: the stories, and for each belief the one rule of the engine that it replaces
- `show`: the two labs beside each other; the one that runs by the belief is marked as imagined
- `words.toml`: the sentence for each side where the two part
"""
