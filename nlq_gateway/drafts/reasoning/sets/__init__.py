"""The growth of sets: by relations, classes, values and conditions, and by joining two."""
