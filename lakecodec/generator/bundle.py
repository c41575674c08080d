"""Bundles: the IDL texts of a module that is compiled at run time, from which its model can be rebuilt."""

from __future__ import annotations

from pathlib import Path

from ..runtime.compiled import Bundle
from .diagnostics import Diagnostics
from .model import Module
from .module_names import ModuleNames
from .names import assign_names
from .resolve.loader import Loader
from .resolve.scope import Scope


def bundle_of(modules: list[Module]) -> Bundle:
    """Returns the texts of ``modules``, each with the numbers of the texts for its include paths.

    ``modules`` are in order of inclusion, included ones first.
    """
    numbers = {id(module): number for number, module in enumerate(modules)}
    return tuple(
        (
            module.name,
            Path(module.file).name,
            module.text,
            tuple((path, numbers[id(included)]) for path, included in module.included.items()),
        )
        for module in modules
    )


def load_bundle(bundle: Bundle, diagnostics: Diagnostics) -> Module:
    """Returns the model of the bundle's last file."""
    loader = _BundleLoader(bundle, diagnostics)
    module = loader.scope(len(bundle) - 1).module
    assign_names(module)
    return module


class _BundleLoader(Loader):
    """A loader that finds included files in a bundle; a file's number takes the role of its folder."""

    def __init__(self, bundle: Bundle, diagnostics: Diagnostics) -> None:
        super().__init__([], ModuleNames(), diagnostics)
        self._bundle = bundle
        self._scopes: dict[int, Scope] = {}

    def scope(self, number: int) -> Scope:
        if number not in self._scopes:
            name, file, text, _ = self._bundle[number]
            self._scopes[number] = self.load_text(text, file, name, Path(str(number)))
        return self._scopes[number]

    def load_file(self, path: Path, name: str | None = None) -> Scope:
        return self.scope(int(path.name))

    def _find(self, path: str, folder: Path | None) -> Path | None:
        assert folder is not None
        number = dict(self._bundle[int(folder.name)][3]).get(path)
        return None if number is None else Path(str(number))
