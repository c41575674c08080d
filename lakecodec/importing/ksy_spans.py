"""The spans of types: whether a type has all the bytes, which bytes are left, and the origin of its offsets."""

from __future__ import annotations

from .ksy_choices import Choices
from .ksy_kinds import Types, UseSite
from .ksy_model import KsyType


class Spans:
    """The spans of the types of an import, given the parts that are left out."""

    def __init__(self, types: Types, choices: Choices) -> None:
        self._types = types
        self._choices = choices

    def _sites(self, made: KsyType) -> list[UseSite]:
        return self._types.sites.get(made, [])

    def is_whole(self, made: KsyType) -> bool:
        """Returns whether a type has a span of its own in some use, and reads all its bytes."""
        if made.variant is None and made.outer is None:
            return True
        return any(self.is_sized(each) for each in self._sites(made))

    def is_part(self, made: KsyType) -> bool:
        return any(not self.is_sized(each) for each in self._sites(made))

    def is_sized(self, site: UseSite) -> bool:
        if self._types.is_choice(site.holder) and site.holder.variant is not None:
            return self.is_whole(site.holder)
        return site.is_sized

    def unread(self, made: KsyType) -> str:
        """Returns `always` or `sometimes` where bytes behind the last field belong to the type, nothing otherwise."""
        if made.variant is not None or not self.is_whole(made) or self.has_placed_row(made):
            return ""
        last = made.seq[-1] if made.seq else None
        if last is not None and not self.is_cut(made) and last.condition is None:
            takes_all = last.repeat == "eos" or (last.size_eos and not last.repeat)
            if takes_all and last.terminator is None:
                return ""
        return "sometimes" if self.is_part(made) else "always"

    def has_placed_row(self, made: KsyType) -> bool:
        return any((id(made), each.id) in self._choices.placed for each in made.seq)

    def is_cut(self, made: KsyType) -> bool:
        return any((id(made), each.id) in self._choices.left_out for each in made.seq)

    def streams(self, made: KsyType, above: tuple[KsyType, ...] = ()) -> set[str]:
        """Returns the origins of a type's offsets: `own` (its start), `source`, `other`."""
        if made in above:
            return set()
        found = {"source"} if made.outer is None and made.variant is None else set()
        for each in self._sites(made):
            if (self.is_sized(each) and not self._types.is_choice(made)) or each.is_sized:
                found.add("own")
            else:
                inherited = self.streams(each.holder, (*above, made))
                if self._types.is_choice(each.holder) or (each.holder.variant is not None):
                    found |= inherited
                else:
                    found |= {"other" if one == "own" else one for one in inherited}
        return found

    def owner(self, made: KsyType, above: tuple[KsyType, ...] = ()) -> KsyType | None:
        """Returns the type whose bytes are the stream of a type in all its uses; None if uses differ."""
        sites = self._sites(made)
        if made in above or (not sites and made.outer is not None):
            return None
        sized = {one.is_sized for each in sites for one in self._around(each)}
        if sized != {False}:
            return made if len(sized) < 2 else None
        owners = {self.owner(each.holder, (*above, made)) for each in sites}
        return owners.pop() if len(owners) == 1 else None

    def _around(self, site: UseSite) -> list[UseSite]:
        """Returns the sites of the variant that contains a site; for others the site itself."""
        return self._sites(site.holder) if self._types.is_choice(site.holder) else [site]

    def is_coded(self, made: KsyType, above: tuple[KsyType, ...] = ()) -> bool:
        if made in above:
            return False
        return any(each.is_coded or self.is_coded(each.holder, (*above, made)) for each in self._sites(made))
