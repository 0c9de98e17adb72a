"""The endings of programs: a set's names, values, numbers, verdicts and tables."""
