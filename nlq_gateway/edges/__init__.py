"""Interfaces to clients.

http/         HTTP addresses, access control, the page
mcp/          tools of the Model Context Protocol
cli/          the command `nlq`
server/       the server processes
trace_store/  stored traces, and feedback on them
clients.py    clients, and the datasets they may read
"""
