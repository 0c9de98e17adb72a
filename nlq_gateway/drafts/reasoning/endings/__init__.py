"""What is asked of a set: names, values, numbers, verdicts, tables."""
