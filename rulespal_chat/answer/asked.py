"""What kind of answer a question asks for, read off its words.

The patterns were written for the tune half of the questions and for `evals/development`.
"""

from __future__ import annotations

import re

from rulespal_chat.corpus.lookup import words

_LIST = re.compile(
    r"\b(?:list|name|enumerate|recite) (?:me |us )?(?:all|every|each|the|my|his|her|its)\b|"
    r"\bwhat all\b|\bwhat are (?:all|the|my|his|her|its|our|their)\b|\bevery(?:thing| single)\b|"
    r"\bstep by step\b|\bin (?:what )?order\b|"
    r"\bwhat (?:comes|belongs) (?:in|with|to)\b|\brun (?:me|us) through\b|"
    r"\b(?:what|which)(?: \w+)? (?:components|pieces|parts|stuff|steps|phases|options|ways|bits)\b",
    re.IGNORECASE,
)
_GREETING = frozenset(
    "hi hello hey hiya howdy yo hola greetings thank thanks thx cheers ok okay bye goodbye good "
    "morning evening afternoon day night there how hows it going you doing are what s up whats sup "
    "nice to meet great cool lol and all everyone".split()
)
_TASK = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you)\s+)*(?:"
    r"(?:how do i |how do you )?translate\b|how do you say\b|convert \d|"
    r"(?:write|compose|recommend|suggest|summari[sz]e)\b|calculate \d|"
    r"ignore (?:your|all|the|every|previous)\b|repeat (?:everything|after)\b|"
    r"(?:draw|sing) (?:me|us)\b|fix (?:my|this) \w+:|say \w+ in \w+|"
    r"(?:tell|give|make|write) (?:me|us) an? (?:recipe|poem|joke|song|story|picture)\b)",
    re.IGNORECASE,
)
_ABOUT_THE_BOX = re.compile(
    r"\b(?:designe[rd]|illustrat\w+|artists?|artwork|(?:lovely|great|cool|nice|beautiful) art|"
    r"who (?:painted|drew) (?:all )?(?:the|these|those|this) (?!cards?|tiles?)|"
    r"publishe[rd]|publication|bgg|minutes|"
    r"play(?:ing)? ?time|what age|how old|years? old|where can i buy|how much does the game|"
    r"how long (?:does|is|will) (?:an? |the |one |each |this )?(?:whole )?(?:game|match|round) "
    r"(?:of [\w :.'’-]{2,40}? )?(?:usually |normally )?(?:take|last)s?|"
    r"how long (?:will|does) it take(?! to)|how long is (?:a|one|the) (?:game|match|round))\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many\s+((?:[\w'’-]+\s*){1,4})", re.IGNORECASE)
_HOW_MANY_OF = re.compile(
    r"\bhow many of (?:the |my |our |these |his |her )?[\w ]{2,30}? (?:are|have|show|were|is) "
    r"(?:an? |in )?((?:[\w-]+ ?){1,2})",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(r"\bhow much\s+([\w'’-]+)", re.IGNORECASE)
_NOT_COUNTED = frozenset(
    "do does did is are was were can could should would will must may has have i had we you they "
    "he she it a an the in on at for of to by with from per that there each every more be go get "
    "gets time times".split()
)
_STATISTIC = (
    "strength|bonus|pace|armor|clarity|influence|movement|health|attack|defense|stealth|spirit"
)
_VALUE = re.compile(
    r"\b(?:how (?:many|much|far|long|big|high|often)|"
    r"(?:what|which)(?:'s|’s|s| is| are)?(?: the| my| his| her| its| does)? (?:\w+ ){0,2}?"
    rf"(?:value|cost|number|boost|amount|size|length|{_STATISTIC}))\b",
    re.IGNORECASE,
)
_PRECISE = re.compile(r"\b(?:exact(?:ly)?|precise(?:ly)?|printed|starting)\b", re.IGNORECASE)
_COUNT = re.compile(r"\bhow (?:many|much|far|often)\b", re.IGNORECASE)
_NO_VALUE = re.compile(  # a person, a place or a time
    r"\b(?:who|whom|whose|where|when|why)\b|"
    r"\bhow long (?:\w+ ){1,12}?(?:last|stay|remain|hold|keep)s?\b",
    re.IGNORECASE,
)
_STATISTIC_OF = re.compile(
    r"\b(?!what bonus\b|which (?:one|of|die|dice)\b)"
    r"(?:what|which|how much|how big|how high)(?:'s|’s|s| is| are)?(?: the| my| his| her| its)? "
    rf"(?:[\w'’]+ ){{0,3}}?(?P<statistic>{_STATISTIC})\b",
    re.IGNORECASE,
)
_WHAT_DOES = re.compile(
    r"\bwhat(?: exactly| precisely| actually)? (?:does|do|is|are|happens with) (?:the |a |an )?"
    r"(?P<thing>[\w' -]{3,40}?)(?: cards?| tokens?)? (?:actually |exactly |really )?"
    r"(?:do|does|says?|tells?|means?)\b",
    re.IGNORECASE,
)

_NOT_A_THING = frozenset(
    words("i you we they he she it this that these those one player")
    + words("need have has want must can get to")
)


def small_talk(question: str) -> bool:
    """Whether every word is one of greeting or thanks."""
    spoken = re.findall(r"[^\W\d_]+", question.lower())
    tells_number = re.search(r"\d", question) is not None
    return bool(spoken) and not tells_number and all(word in _GREETING for word in spoken)


def a_task(question: str) -> bool:
    """Whether something is to be done that no rule does, such as to write or to translate."""
    return bool(_TASK.search(question))


def about_the_box(question: str) -> bool:
    """Whether it asks who made the game, for whom, or how long it takes."""
    return bool(_ABOUT_THE_BOX.search(question))


def a_list(question: str) -> bool:
    """Whether all of several things are asked for: "what are the components?"."""
    return _LIST.search(question) is not None


def a_value(question: str) -> bool:
    """Whether a number is asked for."""
    if _NO_VALUE.search(question):
        return _COUNT.search(question) is not None
    return bool(_VALUE.search(question) or _PRECISE.search(question))


def counted(question: str) -> tuple[str, ...]:
    """What a "how many …" counts, as compared words; empty if nothing is counted by name."""
    if part := _HOW_MANY_OF.search(question):
        return words(part[1])
    if much := _HOW_MUCH.search(question):
        word = much[1].lower()
        return () if word in _NOT_COUNTED else words(word)
    many = _HOW_MANY.search(question)
    if many is None:
        return ()
    said = many[1].lower().split()
    plurals = [n for n, word in enumerate(said) if word.endswith("s") and word not in _NOT_COUNTED]
    return words(" ".join(said[: plurals[-1] + 1])) if plurals else ()


def a_statistic(question: str) -> str | None:
    """The statistic, such as strength, whose value is asked for, as a compared word."""
    asked = _STATISTIC_OF.search(question)
    return words(asked["statistic"])[0] if asked else None


def a_thing(question: str) -> tuple[str, ...]:
    """What it is asked of what it does, as compared words; empty if that isn't asked."""
    asked = _WHAT_DOES.search(question)
    thing = words(asked["thing"]) if asked else ()
    return () if _NOT_A_THING.intersection(thing) else thing
