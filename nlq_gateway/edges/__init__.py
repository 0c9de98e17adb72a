"""Where the gateway meets its clients.

http/         addresses, the gate before them, the page
mcp/          tools of the Model Context Protocol
cli/          the command `nlq`
server/       the processes that serve
trace_store/  kept traces, and feedback on them
clients.py    who asks, and what they may read
"""
