"""What is simulated besides MQ: the clock, the event log, the network, and interrupts."""
