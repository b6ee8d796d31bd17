"""Charts, in Altair, of lifecycles and depths."""
