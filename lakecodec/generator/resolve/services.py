"""Checks of services: no code is generated for them, but they must be valid, as in Thrift."""

from __future__ import annotations

from ...runtime.suggest import did_you_mean
from ..diagnostics import Diagnostics, report_duplicates
from ..model import Service, Struct
from ..syntax import FunctionDef, ServiceDef
from ..words import is_reserved
from .field_ids import field_ids, report_shared_ids
from .scope import UNKNOWN, Scope, kind_of


class ServiceChecker:
    """Checks the services of one module, whose names are declared, each after the services that it extends."""

    def __init__(self, scope: Scope, diagnostics: Diagnostics) -> None:
        self._scope = scope
        self._diagnostics = diagnostics

    def run(self, node: ServiceDef, service: Service) -> None:
        """Reports all errors of a service, and fills in its base."""
        if node.extends is not None:
            service.base = self._base(node.extends, node, service)
        report_duplicates(((each.name, each.location) for each in node.functions), "function", self._diagnostics)
        inherited = _inherited(service)
        for function in node.functions:
            if is_reserved(function.name):
                self._error(f"'{function.name}' is a reserved word and cannot be a name", function)
            if function.name in inherited:
                self._error(f"service '{inherited[function.name]}' has a function '{function.name}' already", function)
            self._function(function)

    def _base(self, name: str, node: ServiceDef, service: Service) -> Service | None:
        found = self._scope.find(name)
        if isinstance(found, Service):
            if found is service or service in _bases(found):
                self._diagnostics.error(f"service '{service.name}' extends itself", node.location)
                return None
            return found
        if found is not None:
            self._diagnostics.error(f"'{name}' is {kind_of(found, article=True)}, not a service", node.location)
        elif not self._scope.is_broken(name):
            known = [key for key, item in self._scope.definitions.items() if isinstance(item, Service)]
            self._diagnostics.error(f"unknown service '{name}'{did_you_mean(name, known)}", node.location)
        return None

    def _function(self, function: FunctionDef) -> None:
        if function.result is not None:
            self._scope.type_of(function.result, self._diagnostics)
        for fields in (function.arguments, function.throws):
            report_duplicates(((each.name, each.location) for each in fields), "field", self._diagnostics)
            report_shared_ids(fields, field_ids(fields, self._diagnostics), self._diagnostics)
        for field in function.arguments:
            self._scope.type_of(field.type, self._diagnostics)
        for field in function.throws:
            type_ = self._scope.type_of(field.type, self._diagnostics)
            if type_ is not UNKNOWN and not (isinstance(type_, Struct) and type_.kind == "exception"):
                message = f"a function can throw exceptions only; the type of '{field.name}' is not an exception"
                self._diagnostics.error(message, field.type.location)
        if function.oneway and function.throws:
            self._error(f"'{function.name}' is oneway, so it cannot throw", function)

    def _error(self, message: str, function: FunctionDef) -> None:
        self._diagnostics.error(message, function.location)


def _bases(service: Service) -> list[Service]:
    """Returns the services that a service extends, nearest first."""
    found: list[Service] = []
    while service.base is not None and service.base not in found:
        service = service.base
        found.append(service)
    return found


def _inherited(service: Service) -> dict[str, str]:
    """Returns a dict of function -> the service that declares it, over all services that a service extends."""
    return {name: base.name for base in reversed(_bases(service)) for name in base.functions}
