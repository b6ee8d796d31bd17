"""Drawings of frames: boxes, routes, and SVG."""
