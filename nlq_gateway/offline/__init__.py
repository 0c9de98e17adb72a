"""Work that no client waits for.

exploration/ programs found in a graph, with questions for them (`nlq explore`)
tuning/      the judge's order for one graph (`nlq explore --tune`)
evaluation/  questions with known answers, asked and compared (`nlq eval`)
doctor/      checks of an endpoint (`nlq doctor`)
workers.py   processes, or a Dask cluster, that share such work
"""
