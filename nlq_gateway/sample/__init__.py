"""The built-in sample graph, in Turtle (layout ``kqapro``), and questions over it with answers."""
