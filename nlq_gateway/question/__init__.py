"""The reading of a question.

linking/  the names, classes, values and numbers of the graph that its words may mean
reading/  the request: measures, orders, comparisons, negations, quantities
"""
