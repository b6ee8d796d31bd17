"""Administration: event messages, statistics, security, connections, the error log, and export: an extra."""
