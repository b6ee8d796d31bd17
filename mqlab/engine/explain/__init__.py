"""Why things happened: replay, topology, the life of a message, and what holds it up."""
