"""The course: lessons, notebook magics, and exercises."""
