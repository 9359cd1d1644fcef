"""The composer: what the person says to an agent, now, in its running turn, or after it (design 7.8).

Owns the text with its draft, and puts the parts together: popup, pickers, queue, notes, images, buttons. What was typed
stays until the host took it. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from codeg.api import RootFacts
from ui.orders import AgentProbe, Orders
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels import composing
from ui.viewmodels.composing import Buttons, Pieces, Role, Situation, plain
from ui.viewmodels.notes import notes_of
from ui.viewmodels.offers import offers_of
from ui.viewmodels.outbox import Outbox
from ui.viewmodels.view_state import DRAFT_MOST, ViewState
from ui.viewmodels.world import Batch, World
from ui.widgets.composer.attachments import Attachments
from ui.widgets.composer.editor import Editor
from ui.widgets.composer.foot import Foot
from ui.widgets.composer.frame import Frame
from ui.widgets.composer.giving import Giving
from ui.widgets.composer.lack import LackLine
from ui.widgets.composer.mentioning import Mentioning
from ui.widgets.composer.sending import Sender
from ui.widgets.composer.waiting import NotesList, QueueList


class Composer(QWidget):
    """`begin`: agent, text, images of a session that is to begin; `taken` or `not_taken` follows from the page.

    `sent`: the host took something; `resized`: its height is another; `settings_asked`: the page of agents is wanted;
    `session_asked`: a new session with this agent is wanted.
    """

    begin = Signal(str, str, object)
    sent = Signal()
    resized = Signal()
    settings_asked = Signal()
    session_asked = Signal(str)
    said = Signal(str)

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
        self._beginning = False
        self._note_ids: tuple[str, ...] = ()
        self._outbox = Outbox.of(world, orders, view)
        self._sender = Sender(session_id, world, orders, self._outbox, self)
        self._offers = offers_of(None)
        self._make_parts()
        self._arrange()
        self._connect()
        self.editor.set_pieces(composing.read(view.draft(self._draft)))
        self.editor.document().clearUndoRedoStacks()
        self._ask_host()
        self.refresh()

    def _make_parts(self) -> None:
        self.editor = Editor()
        self.frame = Frame(self.editor)
        self.attachments = Attachments()
        self.giving = Giving(self.editor, self.attachments, self)
        self.foot = Foot()
        self.buttons, self.pickers = self.foot.buttons, self.foot.pickers
        self.queue = QueueList()
        self.notes = NotesList()
        self.lack = LackLine()
        self.mentioning = Mentioning(self.editor, self._world, self._orders, self._outbox.signed_out, self)
        self.mentioning.set_anchor(self.frame)

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.SPACE_8)
        for part in (self.notes, self.queue, self.lack, self.frame):
            column.addWidget(part)
        self.frame.above.addWidget(self.attachments)
        self.frame.foot.addWidget(self.foot)
        self.setFocusProxy(self.editor)

    def _connect(self) -> None:
        self._connect_text()
        self._connect_parts()
        self._world.changed.connect(self._changed)
        self._outbox.changed.connect(self._queue_changed)
        self._sender.took.connect(self._took)
        self._sender.refused.connect(self._refused)
        self._sender.changed.connect(self.refresh)
        self.said.connect(self.frame.say)
        theme().changed.connect(self._fit)

    def _connect_text(self) -> None:
        self.editor.intercept = self.mentioning.take_key
        self.editor.edited.connect(self._edited)
        self.editor.submitted.connect(self.submit)
        self.editor.stop_asked.connect(self.stop)
        self.editor.recall_asked.connect(self._recall)
        self.editor.refused.connect(self.said)
        self.editor.images_given.connect(self.giving.take_picture)
        self.editor.files_given.connect(self.giving.take_files)
        self.editor.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.attachments.changed.connect(self.refresh)
        self.attachments.refused.connect(self.said)
        self.giving.refused.connect(self.said)

    def _connect_parts(self) -> None:
        self.buttons.pressed.connect(self.submit)
        self.buttons.stop_asked.connect(self.stop)
        self.queue.edit_asked.connect(self._edit_queued)
        mine = self.session_id or ""
        self.queue.up_asked.connect(partial(self._outbox.raise_up, mine))
        self.queue.removed.connect(partial(self._outbox.take, mine))
        self.queue.go_asked.connect(partial(self._outbox.let_go, mine))
        self.notes.send_asked.connect(self._send_notes)
        self.notes.edit_asked.connect(self._edit_notes)
        self.pickers.agent_chosen.connect(self._agent_chosen)
        self.pickers.option_chosen.connect(self._choose_option)
        self.pickers.attach_asked.connect(self.giving.ask)
        self.pickers.mention_asked.connect(self.mentioning.begin)
        self.pickers.prompt_chosen.connect(self._begin_with)
        self.lack.acted.connect(self._help)

    # ---- for the page

    def choose_agent(self, slug: str) -> None:
        """The agent of a session that is to begin."""
        self._agent = slug
        self.refresh()

    def set_folder(self, folder: str) -> None:
        """Where files are looked for in a session that is to begin."""
        self._folder = folder
        self.refresh()

    def taken(self) -> None:
        """The host took what `begin` gave."""
        self._beginning = False
        self._view.set_value("agent", self.situation().agent)
        self._clear()

    def not_taken(self, sentence: str = "") -> None:
        """The host refused it; everything stays."""
        self._beginning = False
        self.refresh()
        self.said.emit(sentence)

    def text(self) -> str:
        """What would leave."""
        return plain(self.editor.pieces())

    def set_text(self, text: str) -> None:
        """Put a text in, in place of what stands there."""
        names = composing.agent_names(self._world.agents())
        self.editor.set_pieces(composing.with_typed((text,), names))

    def _begin_with(self, command: str) -> None:
        """A command of the agent stands at the beginning."""
        self.editor.set_pieces((f"{command} ", *self.editor.pieces()))
        self.editor.setFocus()

    # ---- sending

    def situation(self) -> Situation:
        """Whom it speaks to now, and what is under way."""
        return self._sender.situation(self._agent)

    def offered_buttons(self) -> Buttons:
        """What may be done with what stands in it."""
        pieces = self.editor.pieces()
        return composing.buttons_of(
            self.situation(),
            text=bool(plain(pieces).strip()),
            images=bool(self.attachments.images()),
            agents=bool(self._sender.delegations(pieces)),
        )

    @property
    def _sending(self) -> bool:
        return self._beginning or self._sender.busy

    def submit(self, how: str = "send") -> None:
        """Enter, Ctrl Enter ("queue"), Ctrl Shift Enter ("delegate"), or a button."""
        offered, situation = self.offered_buttons(), self.situation()
        if self._sending or not offered.ready:
            return
        pieces, images = composing.trimmed(self.editor.pieces()), self.attachments.images()
        if how == "delegate" and not offered.delegate:
            return
        self.said.emit("")
        if how == "delegate":
            self._sender.delegate(pieces)
        elif situation.role is Role.NEW:
            self._beginning = True
            self.refresh()
            self.begin.emit(situation.agent, plain(pieces).strip(), images)
        elif offered.primary == "queue" or (how == "queue" and offered.queue):
            self._sender.queue(pieces, images)
        else:
            self._sender.send(situation, offered, pieces, images, self._note_ids)

    def stop(self) -> None:
        """Ctrl . and the square."""
        self._sender.stop(self.situation())

    def _took(self) -> None:
        self._clear()
        self.sent.emit()

    def _refused(self, sentence: str, remaining: Pieces | None) -> None:
        if remaining is not None:
            self.editor.set_pieces(remaining)
        self.refresh()
        self.said.emit(sentence)

    def _clear(self) -> None:
        self._note_ids = ()
        self.attachments.clear()
        self.editor.set_pieces(())
        self.editor.document().clearUndoRedoStacks()
        self.said.emit("")
        self.keep_draft()
        self.refresh()

    # ---- queue and notes

    def _recall(self) -> None:
        """Up in an empty composer: the last queued message, else the last sent one."""
        session_id = self.session_id or ""
        waiting = self._outbox.waiting(session_id)
        if waiting:
            self._edit_queued(waiting[-1].key)
            return
        said = self._outbox.last_said(session_id) if session_id else None
        if said:
            self.editor.set_pieces(said)

    def _edit_queued(self, key: int) -> None:
        """Into the text; what stands there takes its place in the queue."""
        pieces, images = composing.trimmed(self.editor.pieces()), self.attachments.images()
        found = self._outbox.exchange(self.session_id or "", key, pieces, images)
        if found is not None:
            self.editor.set_pieces(found.pieces)
            self.attachments.set_images(found.images)
            self.editor.setFocus()

    def _send_notes(self) -> None:
        _notes, offered = notes_of(self._world, self.session_id, self.situation())
        self._sender.send_notes(offered, self.said.emit)

    def _edit_notes(self) -> None:
        _notes, offered = notes_of(self._world, self.session_id, self.situation())
        text = "\n\n".join(note.text for note in offered)
        before = self.editor.pieces()
        self._note_ids = tuple(note.note_id for note in offered)
        self.editor.set_pieces((text, "\n\n", *before) if before else (text,))
        self.editor.setFocus()

    # ---- agents and their options

    def _ask_host(self) -> None:
        if self.session_id is not None and self.situation().role is Role.ROOT:
            self._orders.facts(self.session_id, self._take_facts)

    def _take_facts(self, facts: RootFacts | None) -> None:
        self._offers = offers_of(facts)
        self.pickers.show_offers(self._offers)
        self.refresh()

    def _agent_chosen(self, slug: str) -> None:
        if self.session_id is None:
            self.choose_agent(slug)
            self.editor.setFocus()
        elif slug != self.situation().agent:
            self.session_asked.emit(slug)

    def _choose_option(self, option_id: str, value: str) -> None:
        if self.session_id is None:
            return
        if option_id:
            self._orders.set_option(self.session_id, option_id, value)
        else:
            self._orders.set_mode(self.session_id, value)
        self.editor.setFocus()

    def _help(self, what: str) -> None:
        if what != "check":
            self.settings_asked.emit()
            return
        agent = self.situation().agent
        self.lack.show_checking(True)
        self.refresh()

        def told(probe: AgentProbe) -> None:
            self.lack.show_checking(False)
            if probe.state == "ready":
                self._outbox.mark_signed_in(agent)
            self.refresh()

        self._orders.probe(agent, told)

    def _where(self) -> str:
        record = self._world.session(self.session_id) if self.session_id else None
        return record.folder if record is not None else self._folder

    # ---- keeping up

    def keep_draft(self) -> None:
        """Remember what stands in it."""
        pieces = self.editor.pieces()
        kept = composing.kept(pieces)
        self._view.set_draft(self._draft, kept if len(kept) <= DRAFT_MOST else plain(pieces))

    def _edited(self) -> None:
        self.keep_draft()
        self.said.emit("")
        self.refresh()

    def _changed(self, batch: Batch) -> None:
        mine = self.session_id or ""
        if mine in batch.sessions | batch.options:
            self._ask_host()
        task = self._world.task_of(mine) if mine else None
        touched = mine in batch.sessions | batch.notes or (task is not None and task.record.task_id in batch.tasks)
        if touched or batch.agents or any(finished.session_id == mine for finished in batch.turns):
            self.refresh()

    def _queue_changed(self, session_id: str) -> None:
        if session_id in {"", self.session_id}:
            self.refresh()

    def refresh(self) -> None:
        """Show what applies."""
        situation, session_id = self.situation(), self.session_id
        name = self._world.label_of(situation.agent) if situation.agent else ""
        self.buttons.show_offer(self.offered_buttons(), sending=self._sending)
        self.buttons.show_delegations(self._told_delegations())
        talks = situation.role in {Role.NEW, Role.ROOT}
        agents, agent = (self._world.agents(), situation.agent) if talks else ((), "")
        self.pickers.show_agents(agents, agent, name, may_change=situation.role is Role.NEW)
        self.mentioning.set_place(session_id, self._where())
        self.giving.set_place(self._where(), name, images=self._offers.images and talks)
        self.editor.set_placeholder(composing.placeholder(situation, name))
        if self.editor.isReadOnly() != self._sending:
            self.editor.setReadOnly(self._sending)
        self.lack.show_lack(situation.lack, name)
        self.frame.setVisible(not situation.lack or situation.role is Role.NEW)
        if session_id is not None:
            waiting = self._outbox.waiting(session_id)
            held, why = self._outbox.held(session_id), self._outbox.why_held(session_id)
            self.queue.show_queue(waiting, held, why, situation.starting)
            self.notes.show_notes(*notes_of(self._world, session_id, situation), name)
        self._fit()

    def _told_delegations(self) -> str:
        asked = self._sender.delegations(self.editor.pieces())
        return "\n".join(f"{self._world.label_of(agent)}: {task[:200]}" for agent, task in asked)

    def _fit(self, _size: object = None) -> None:
        height = self.editor.wanted_height()
        if self.editor.minimumHeight() != height or self.editor.maximumHeight() != height:
            self.editor.setFixedHeight(height)
        self.foot.fit(self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break anew; buttons may fold."""
        super().resizeEvent(event)
        self._fit()
        if event.size().height() != event.oldSize().height():
            self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What the text has no use for is the page's."""
        event.ignore()
