"""A wrong belief beside IBM MQ, one story in two labs on one clock: `variants` replaces one rule, `show` shows both."""
