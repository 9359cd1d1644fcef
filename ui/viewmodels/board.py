"""The board: all delegated tasks by column, what each card says, and the filters (design 7.9).

Owns the columns' order and the words of a card; the models tell exact inserts, moves and removes. Pure but for the
world that it reads. Ends with the page.
"""
