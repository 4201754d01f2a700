"""Named tuples for what must start quickly: `typing`, which has them, takes longer to load than a search takes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any
    from typing import NamedTuple as NamedTuple
else:

    class _Named(type):
        """Makes a subclass of tuple of a class whose annotations name its fields, as `typing.NamedTuple` does."""

        def __new__(meta, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            if not bases:
                return type.__new__(meta, name, bases, space)
            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space.pop(field) for field in fields if field in space}
            own = {field: property(_getter(at)) for at, field in enumerate(fields)}
            made = {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            made |= {"__new__": _maker(fields, tuple(defaults.values())), **_METHODS, **own}
            return type(name, (tuple,), {**made, **space})

    class NamedTuple(metaclass=_Named):
        """A tuple with names."""


def _getter(at: int) -> Callable[[Any], Any]:
    from _operator import itemgetter

    return itemgetter(at)


def _maker(fields: tuple[str, ...], defaults: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the constructor; it is compiled, as the standard library does it: a general one takes twice as long."""
    names = ", ".join(fields)
    code = f"lambda _class, {names}: _new(_class, ({names},))"
    make: Any = eval(code, {"_new": tuple.__new__, "__builtins__": {}})
    make.__defaults__ = defaults or None
    return make  # type: ignore[no-any-return]


def _replaced(self: Any, /, **fields: Any) -> Any:
    values = [fields.pop(name, value) for name, value in zip(self._fields, self, strict=True)]
    if fields:
        raise ValueError(f"no such fields: {', '.join(fields)}")
    return self._make(values)


def _made(cls: Any, values: Iterable[Any]) -> Any:
    made = tuple.__new__(cls, values)
    if len(made) != len(cls._fields):
        raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
    return made


def _told(self: Any) -> str:
    rows = zip(self._fields, self, strict=True)
    return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in rows)})"


_METHODS = {
    "_make": classmethod(_made),
    "_replace": _replaced,
    "_asdict": lambda self: dict(zip(self._fields, self, strict=True)),
    "__repr__": _told,
    "__getnewargs__": lambda self: tuple(self),  # tuple itself is no method
}
