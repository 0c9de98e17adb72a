"""Endpoints: from settings to a graph that can be asked.

connection.py   a connector, of settings
data_store.py   files of RDF as a store of their own
index_source.py the version of the index that fits
preparation.py  both, with the linker, the judge and the compiler's options
endpoint.py     an endpoint that loads, is ready or failed, and all of a gateway
"""
