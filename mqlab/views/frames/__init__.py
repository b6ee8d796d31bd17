"""Frames: what there is to show at a moment, as plain rows."""
