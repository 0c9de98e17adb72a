"""The checks of an endpoint: each takes a patient, yields its findings, and lets errors through."""
