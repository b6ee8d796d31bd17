"""The simulation besides MQ: the clock, the event log, the network, and interrupts."""
