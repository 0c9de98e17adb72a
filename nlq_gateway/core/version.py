"""The version of the product, as in commands, traces and metrics."""

__version__ = "0.1.0"
