"""Why things happened: replay, the life of a message, and what holds it up."""
