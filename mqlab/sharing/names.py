"""The names of queue sharing."""

AGENT = "IGQ.AGENT"
