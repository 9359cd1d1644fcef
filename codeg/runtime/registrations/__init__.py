"""The companion in other programs' configuration: where it lies, what we write there, and how it is taken out again.

Owns our one entry in each host program's own file and nothing else in it. Imports nothing here: see `registrar` for
what a person asks for, `checkup` for the doctor.
"""
