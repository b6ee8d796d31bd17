"""Publish/subscribe and streaming queues, for now a page: what `mqlab.qmgr` has of them loads when it is used."""
