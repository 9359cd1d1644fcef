"""The sidebar: fixed rows, folders with sessions and children, settings; a strip in narrow windows; the search page."""

from ui.widgets.sidebar.search import SearchPage
from ui.widgets.sidebar.sidebar import Sidebar
from ui.widgets.sidebar.strip import SidebarStrip

__all__ = ["SearchPage", "Sidebar", "SidebarStrip"]
