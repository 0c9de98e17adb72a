"""The checks of an endpoint: each takes a patient, yields what it finds, and lets errors through."""
