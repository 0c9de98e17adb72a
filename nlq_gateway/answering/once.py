"""A property that is made once for each object."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class made_once(Generic[T]):  # noqa: N801 - a decorator, as functools has them
    """Make a property with the first access, and keep it; other threads wait meanwhile.

    The lock is the object's. That of `functools.cached_property` in Python 3.11 is the class's, so that what
    asks one store would wait for another; later versions have none, and make it in every thread.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        """The value; the object's own attribute hides this property from then on."""
        if instance is None:
            return self
        kept = instance.__dict__
        with kept.setdefault(f"{self._name} is being made", threading.RLock()):
            if self._name not in kept:
                kept[self._name] = self._make(instance)
            made: T = kept[self._name]
            return made
