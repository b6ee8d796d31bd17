"""The queue manager: its calls, messages, units of work, expiry, triggering, and reports."""
