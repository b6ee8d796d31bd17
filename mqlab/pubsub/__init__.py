"""Publish/subscribe and streaming queues, for now a page: what `mqlab.engine.queues` has of them loads when it is
used."""
