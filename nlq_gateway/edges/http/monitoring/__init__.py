"""Monitoring of a running server.

health.py        `/healthz` and `/readyz`
metrics.py       `/metrics`, for Prometheus (docs/metrics.md)
request_log.py   a line in the log for each request
telemetry.py     spans for a collector
"""
