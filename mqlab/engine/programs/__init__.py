"""Programs that use the MQI: channels, the trigger monitor, the dead-letter handler."""
