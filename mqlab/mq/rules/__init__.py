"""The rules, by subject; `mqlab.mq.rules.rulebook` joins them."""
