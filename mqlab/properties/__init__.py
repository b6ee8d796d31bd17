"""Message properties, selectors, and the conversion of data: an extra."""
