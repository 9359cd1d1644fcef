"""The command palette and the keyboard map, and the list that they and the @ popup share."""

from ui.widgets.palette.key_map import KeyMap
from ui.widgets.palette.palette import CommandPalette
from ui.widgets.palette.pick_list import PickList, PickRow

__all__ = ["CommandPalette", "KeyMap", "PickList", "PickRow"]
