"""Contacts changed by hand: forced, forbidden or moved. An edit touches only what it overlaps, and survives a new search.

A forbidden interval stays in the list as a mark; `touching_contacts` leaves marks out.
"""
from collections.abc import Sequence

from ..errors import HeftError
from .contacts import KINDS, Contact, in_order


def force(contacts: Sequence[Contact], body: str, part: str, first: int, last: int, kind: str = "sticking",
          surface: int = 0) -> tuple[Contact, ...]:
    """The part touches from `first` to `last`: what overlaps of the same part on the same surface gives way."""
    if kind not in KINDS:
        raise HeftError(f"kind is {kind!r}, must be one of {', '.join(KINDS)}", body)
    made = _checked(Contact(body, part, surface, first, last, kind, "forced"))
    return in_order([*_without(contacts, made), made])


def forbid(contacts: Sequence[Contact], body: str, part: str, first: int, last: int, surface: int = 0) -> tuple[Contact, ...]:
    """The part does not touch from `first` to `last`."""
    made = _checked(Contact(body, part, surface, first, last, "sticking", "forbidden"))
    return in_order([*_without(contacts, made), made])


def move(contacts: Sequence[Contact], contact: Contact, first: int, last: int) -> tuple[Contact, ...]:
    """An interval with other ends. A neighbour of the same part that it now overlaps gives way."""
    if contact not in contacts:
        raise HeftError(f"{contact.part} from frame {contact.first} to {contact.last} is none of the contacts", contact.body)
    made = _checked(contact._replace(first=first, last=last, origin="moved"))
    return in_order([*_without([c for c in contacts if c != contact], made), made])


def with_edits(found: Sequence[Contact], edited: Sequence[Contact]) -> tuple[Contact, ...]:
    """A new search, with the edits of an earlier list on top."""
    contacts = list(found)
    for edit in edited:
        if edit.origin != "found":
            # what a moved interval was found as overlaps it still
            contacts = [c for c in contacts if not (edit.origin == "moved" and c.key == edit.key and _overlap(c, edit))]
            contacts = [*_without(contacts, edit), edit]
    return in_order(contacts)


def touching_contacts(contacts: Sequence[Contact]) -> tuple[Contact, ...]:
    """Those that touch: without the marks of what is forbidden."""
    return tuple(c for c in contacts if c.origin != "forbidden")


def _checked(contact: Contact) -> Contact:
    if not 0 <= contact.first <= contact.last:
        raise HeftError(f"{contact.part} from frame {contact.first} to {contact.last}: frames must rise and not be negative", contact.body)
    return contact


def _overlap(a: Contact, b: Contact) -> bool:
    return a.first <= b.last and b.first <= a.last


def _without(contacts: Sequence[Contact], cut: Contact) -> list[Contact]:
    """the contacts with the frames of `cut` taken out of those of the same part and surface"""
    kept = []
    for c in contacts:
        if c.key != cut.key or not _overlap(c, cut):
            kept.append(c)
            continue
        if c.first < cut.first:
            kept.append(c._replace(last=cut.first - 1))
        if c.last > cut.last:
            kept.append(c._replace(first=cut.last + 1))
    return kept
