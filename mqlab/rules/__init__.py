"""The rules, by subject; `mqlab.rulebook` joins them."""
