"""The controls that every room uses: buttons, fields, labels, boxes. Themed, keyboardable, named.

They take every text from their caller, say what the person did by signals, and know nothing of sessions or the host.
"""

from ui.widgets.controls.boxes import Box, MessageBar, ScrollColumn
from ui.widgets.controls.buttons import Button, IconButton, MenuButton, SplitButton
from ui.widgets.controls.chips import Chip
from ui.widgets.controls.fields import Field, SearchField
from ui.widgets.controls.labels import AgentBadge, Divider, IconLabel, KeyCap, Label, MarkLabel
from ui.widgets.controls.popup import Popup
from ui.widgets.controls.select import Select
from ui.widgets.controls.stepper import Stepper
from ui.widgets.controls.switch import CheckMark, Switch
from ui.widgets.controls.tips import set_tip

__all__ = [
    "AgentBadge",
    "Box",
    "Button",
    "CheckMark",
    "Chip",
    "Divider",
    "Field",
    "IconButton",
    "IconLabel",
    "KeyCap",
    "Label",
    "MarkLabel",
    "MenuButton",
    "MessageBar",
    "Popup",
    "ScrollColumn",
    "SearchField",
    "Select",
    "SplitButton",
    "Stepper",
    "Switch",
    "set_tip",
]
