"""How sets of things grow: by relations, classes, values and conditions, and two made one."""
