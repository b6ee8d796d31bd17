"""Programs of a lab in a web page, on stacks that the browser switches: an extra."""
