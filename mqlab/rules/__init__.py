"""The entries of the rule book, a module for each subject; `mqlab.rulebook` puts them together."""
