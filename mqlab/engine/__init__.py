"""The small engine put together: a lab of queue managers with channels, triggers, expiry, MQSC, and explanations."""
