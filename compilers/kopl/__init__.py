"""The language: functions, programs, values, notations, checking, and a reference interpreter."""
