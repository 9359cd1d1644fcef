"""English singulars of the texts that are said with a number: the plural stands in the source.

Owns the table; other languages have their forms in the catalogues.
"""

SINGULAR: dict[str, str] = {}
