"""Titles of well-known games, so that a question on one of them is recognised as such.

Only titles that are hardly used as ordinary words: "Go" and "Risk" would be misread.
"""

OTHER_GAMES = (
    "7 Wonders", "Agricola", "Arkham Horror", "Ark Nova", "Azul", "Backgammon", "Blokus", "Boggle",
    "Brass: Birmingham", "Carcassonne", "Cascadia", "Catan", "Settlers of Catan", "Chess",
    "Checkers", "Cluedo", "Codenames", "Cribbage", "Dead of Winter", "Dixit", "Dominion",
    "Dungeons & Dragons", "D&D", "Everdell", "Exploding Kittens", "Gloomhaven", "Hanabi", "Jenga",
    "King of Tokyo", "Kingdomino", "Mahjong", "Mancala", "Monopoly", "Munchkin", "Mysterium",
    "Othello", "Pictionary", "Poker", "Blackjack", "Solitaire", "Power Grid", "Puerto Rico",
    "Rummikub", "Scrabble", "Scythe", "Skat", "Spirit Island", "Splendor", "Stratego",
    "Terraforming Mars", "Terra Mystica", "Through the Ages", "Ticket to Ride",
    "Twilight Imperium", "Twilight Struggle", "Uno", "Warhammer", "Wingspan", "Yahtzee",
    "Zombicide", "Magic: The Gathering", "Pathfinder", "Pokemon", "Minecraft",
)  # fmt: skip
