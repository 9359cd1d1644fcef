"""The composer: what the person says to an agent, now, in its running turn, or after it (design 7.8).

Owns the text, its draft, and which order a key or button becomes. What was typed stays until the host took it. Popup,
pickers, lists and chips are parts with a file of their own. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.viewmodels import composing
from ui.viewmodels.composing import Buttons, Situation, buttons_of, plain, situation_of
from ui.viewmodels.outbox import Outbox
from ui.viewmodels.rows import Image
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import Batch, World
from ui.widgets.composer.buttons import SendButtons
from ui.widgets.composer.editor import Editor
from ui.widgets.composer.frame import Frame
from ui.wording import tr

_DRAFT_MS = 400


class Composer(QWidget):
    """`begin`: agent, text, images of a session that is to begin; call `taken` or `not_taken` afterwards.

    `resized`: its height is another; `sent`: the host took something.
    """

    begin = Signal(str, str, object)
    sent = Signal()
    resized = Signal()

    def __init__(
        self,
        session_id: str | None,
        world: World,
        orders: Orders,
        view: ViewState,
        parent: QWidget | None = None,
        *,
        draft: str = "",
    ) -> None:
        super().__init__(parent)
        self.session_id = session_id
        self._world, self._orders, self._view = world, orders, view
        self._draft = session_id or draft or "new"
        self._agent = str(view.value("agent", ""))
        self._folder = ""
        self._sending = False
        self._outbox = Outbox.of(world, orders, view)
        self.editor = Editor()
        self.frame = Frame(self.editor)
        self.buttons = SendButtons()
        self._keep_soon = QTimer(self, singleShot=True, interval=_DRAFT_MS)
        self._arrange()
        self._connect()
        self.editor.set_pieces(composing.read(view.draft(self._draft)))
        self.editor.document().clearUndoRedoStacks()
        self.refresh()

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.SPACE_8)
        column.addWidget(self.frame)
        self.frame.foot.addStretch(1)
        self.frame.foot.addWidget(self.buttons)
        self.setFocusProxy(self.editor)

    def _connect(self) -> None:
        self.editor.edited.connect(self._edited)
        self.editor.submitted.connect(self.submit)
        self.editor.stop_asked.connect(self.stop)
        self.editor.refused.connect(self.frame.say)
        self.editor.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.buttons.pressed.connect(self.submit)
        self.buttons.stop_asked.connect(self.stop)
        self._keep_soon.timeout.connect(self.keep_draft)
        self._world.changed.connect(self._changed)
        self._outbox.changed.connect(self._queue_changed)

    # ---- for the page

    def choose_agent(self, slug: str) -> None:
        """The agent of a session that is to begin."""
        self._agent = slug
        self.refresh()

    def set_folder(self, folder: str) -> None:
        """Where files are looked for."""
        self._folder = folder

    def taken(self) -> None:
        """The host took what `begin` gave."""
        self._sending = False
        self._view.set_value("agent", self.situation().agent)
        self._clear()

    def not_taken(self) -> None:
        """The host refused it; everything stays."""
        self._sending = False
        self.refresh()

    def text(self) -> str:
        """What would leave."""
        return plain(self.editor.pieces())

    def set_text(self, text: str) -> None:
        """Put a text in, in place of what stands there."""
        self.editor.set_pieces((text,))

    # ---- sending

    def situation(self) -> Situation:
        """Whom it speaks to now, and what is under way."""
        session_id = self.session_id
        record = self._world.session(session_id) if session_id else None
        task = self._world.task_of(session_id) if session_id else None
        busy = bool(session_id) and self._outbox.busy(session_id or "")
        return situation_of(record, task, self._world.agents(), chosen=self._agent, busy=busy)

    def offered_buttons(self) -> Buttons:
        """What may be done with what stands in it."""
        pieces = self.editor.pieces()
        names = composing.agent_names(self._world.agents())
        return buttons_of(
            self.situation(),
            text=bool(plain(pieces).strip()),
            images=bool(self._images()),
            agents=bool(composing.delegations(pieces, names)),
        )

    def _images(self) -> tuple[Image, ...]:
        return ()

    def submit(self, how: str = "send") -> None:
        """Enter, Ctrl Enter ("queue"), Ctrl Shift Enter ("delegate"), or a button."""
        offered = self.offered_buttons()
        if self._sending or not offered.ready:
            return
        if how == "delegate":
            self._delegate(offered)
        elif how == "queue" and (offered.queue or offered.primary == "queue"):
            self._queue()
        else:
            self._send(offered)

    def _send(self, offered: Buttons) -> None:
        session_id = self.session_id or ""
        pieces, images = self.editor.pieces(), self._images()
        situation = self.situation()
        if situation.role is composing.Role.NEW:
            self._sending = True
            self.begin.emit(situation.agent, plain(pieces).strip(), images)
        elif situation.role is composing.Role.ENDED_CHILD:
            task = self._world.task_of(session_id)
            if task is not None:
                self._begin_order()
                text = plain(pieces).strip()
                self._orders.follow_up(task.record.task_id, text, then=self._took, failed=self._refused)
        elif offered.primary in {"steer", "note"}:
            self._begin_order()
            self._orders.note(session_id, plain(pieces).strip(), then=self._took, failed=self._refused)
        elif offered.primary == "queue":
            self._queue()
        else:
            self._begin_order()
            self._outbox.prompt(session_id, pieces, images, then=self._took, failed=self._refused)

    def _queue(self) -> None:
        self._outbox.add(self.session_id or "", self.editor.pieces(), self._images())
        self._clear()

    def _delegate(self, offered: Buttons) -> None:
        if not offered.delegate:
            return
        names = composing.agent_names(self._world.agents())
        asked = composing.delegations(self.editor.pieces(), names)
        open_orders = len(asked)
        self._begin_order()

        def took(_answer: object) -> None:
            nonlocal open_orders
            open_orders -= 1
            if open_orders == 0:
                self._took()

        for agent, task in asked:
            self._orders.delegate(self.session_id or "", agent, task, then=took, failed=self._refused)

    def stop(self) -> None:
        """Ctrl . and the square."""
        situation, session_id = self.situation(), self.session_id
        if session_id is None or not situation.busy:
            return
        task = self._world.task_of(session_id)
        if task is not None:
            self._orders.cancel_task(task.record.task_id)
        else:
            self._orders.cancel_turn(session_id)

    def _begin_order(self) -> None:
        self._sending = True
        self.frame.say("")
        self.refresh()

    def _took(self, _answer: object = None) -> None:
        self._sending = False
        self._clear()
        self.sent.emit()

    def _refused(self, sentence: str) -> None:
        self._sending = False
        self.frame.say(sentence)
        self.refresh()

    def _clear(self) -> None:
        self.editor.set_pieces(())
        self.editor.document().clearUndoRedoStacks()
        self.frame.say("")
        self.keep_draft()
        self.refresh()

    # ---- keeping up

    def keep_draft(self) -> None:
        """Remember what stands in it."""
        self._keep_soon.stop()
        self._view.set_draft(self._draft, composing.kept(self.editor.pieces()))

    def _edited(self) -> None:
        self._keep_soon.start()
        self.frame.say("")
        self.refresh()

    def _changed(self, batch: Batch) -> None:
        mine = self.session_id
        if batch.agents or batch.settings or mine is None or mine in batch.sessions or batch.turns or batch.tasks:
            self.refresh()

    def _queue_changed(self, session_id: str) -> None:
        if session_id == self.session_id:
            self.refresh()

    def refresh(self) -> None:
        """Show what applies."""
        situation = self.situation()
        self.buttons.show_offer(self.offered_buttons(), sending=self._sending)
        self.editor.set_placeholder(self._placeholder(situation))
        self.editor.setReadOnly(self._sending)

    def _placeholder(self, situation: Situation) -> str:
        name = self._world.label_of(situation.agent) if situation.agent else ""
        match situation.role:
            case composing.Role.NEW:
                return tr("Describe the work. @ names agents, files and sessions.")
            case composing.Role.CHILD | composing.Role.OUTSIDE:
                return tr("Note for {name}", name=name)
            case composing.Role.ENDED_CHILD:
                return tr("Follow-up for {name}", name=name)
            case composing.Role.ROOT:
                return tr("Steer {name}", name=name) if situation.busy else tr("Message {name}", name=name)

    def _fit(self, _size: object = None) -> None:
        height = self.editor.wanted_height()
        if height != self.editor.height() or self.editor.minimumHeight() != height:
            self.editor.setFixedHeight(height)
            self.updateGeometry()
            self.resized.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break anew."""
        super().resizeEvent(event)
        self._fit()
