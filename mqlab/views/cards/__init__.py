"""Cards: what a notebook shows for an object, an answer, or an error."""
