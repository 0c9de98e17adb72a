"""The version of the product, as commands, traces and metrics say it."""

__version__ = "0.1.0"
