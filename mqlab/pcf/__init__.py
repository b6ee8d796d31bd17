"""Programmable command format: the commands of MQSC as messages, and the command server that carries them out.

`CommandServer` serves the command queue of a queue manager; a command becomes a command of MQSC, and runs as that does.
"""
