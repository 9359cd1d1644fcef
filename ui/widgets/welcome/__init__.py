"""The first page a person sees: which agents are ready, the demo, and host programs in a terminal (design 7.11)."""

from ui.widgets.welcome.page import WelcomePage

__all__ = ["WelcomePage"]
