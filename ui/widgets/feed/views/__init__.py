"""Views of all types of rows but the delegation card, which the cards register themselves."""

from ui.viewmodels.rows import (
    AnsweredRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    PollRow,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.widgets.feed.registry import register_view
from ui.widgets.feed.views.answered import AnsweredView
from ui.widgets.feed.views.group import GroupView
from ui.widgets.feed.views.message import MessageView
from ui.widgets.feed.views.notice import NoticeView
from ui.widgets.feed.views.person import NoteView, UserView
from ui.widgets.feed.views.plan import PlanView
from ui.widgets.feed.views.poll import PollView
from ui.widgets.feed.views.thought import ThoughtView
from ui.widgets.feed.views.tool import ToolView


def register_views() -> None:
    """Enter them in the registry."""
    register_view(UserRow, UserView)
    register_view(NoteRow, NoteView)
    register_view(MessageRow, MessageView)
    register_view(ThoughtRow, ThoughtView)
    register_view(ToolRow, ToolView)
    register_view(ToolGroupRow, GroupView)
    register_view(PollRow, PollView)
    register_view(PlanRow, PlanView)
    register_view(AnsweredRow, AnsweredView)
    register_view(NoticeRow, NoticeView)
