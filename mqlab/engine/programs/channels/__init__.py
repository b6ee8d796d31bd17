"""Message channels: agents that move messages between queue managers, and what starts, stops and watches them."""
