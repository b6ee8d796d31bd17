"""MQ's words: constants, errors, structures, headers, the catalog of objects and attributes, and the rule book."""
