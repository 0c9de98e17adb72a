"""The numbers that the documentation quotes, each printed by a command: `python -m benchmarks [NAME]`."""
