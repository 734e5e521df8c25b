"""Operators that take a while: they work in small parts, show how far they are, and stop at Esc.

In a window a timer asks for one part after the other, and Blender stays alive between them. Where nobody watches (a script, the
redo panel, a Blender in background) the same parts run straight through.
"""
from collections.abc import Iterator
from typing import Any

import bpy

from ..engine.errors import HeftError

PAUSE = 0.01   # s between two parts, for the window to be drawn


class Working:
    """The part of an operator that does the waiting; `work` does the rest."""
    _parts: Iterator[float | str]
    _timer: Any = None
    _share = 0.0
    _doing = ""

    def work(self, context: bpy.types.Context) -> Iterator[float | str]:
        """Yield the share done, again and again, or in words what the next part does if that takes long; change the file after the
        last one, so that Esc leaves it as it was."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        self._parts = self.work(context)
        while True:
            state = self._next_part()
            if state != {"RUNNING_MODAL"}:
                return state

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if bpy.app.background:
            return self.execute(context)      # no timers there
        self._parts = self.work(context)
        self._timer = context.window_manager.event_timer_add(PAUSE, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        self._show(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        state = {"RUNNING_MODAL"}
        try:
            if event.type == "ESC":
                self.report({"INFO"}, f"{self.bl_label}: cancelled")      # type: ignore[attr-defined]
                state = {"CANCELLED"}
            elif event.type == "TIMER":
                state = {"CANCELLED"}                                      # if the part fails
                state = self._next_part()
                self._show(context)
        finally:
            if state != {"RUNNING_MODAL"}:
                self.cancel(context)
        return state

    def cancel(self, context: bpy.types.Context) -> None:
        """Give back timer, cursor and status bar; Blender calls it too, when the window or the file is closed."""
        self._parts.close()                                                # type: ignore[attr-defined]
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def _next_part(self) -> set[str]:
        try:
            done = next(self._parts)
            self._share, self._doing = (self._share, done) if isinstance(done, str) else (done, f"{done:.0%}")
        except StopIteration:
            return {"FINISHED"}
        except (HeftError, ValueError) as error:
            self.report({"ERROR"}, str(error))                             # type: ignore[attr-defined]
            return {"CANCELLED"}
        return {"RUNNING_MODAL"}

    def _show(self, context: bpy.types.Context) -> None:
        """the share done at the cursor, with what is going on in the status bar"""
        share, text = self._share, f"{self.bl_label}: {self._doing}"        # type: ignore[attr-defined]

        def draw(header: bpy.types.Header, _context: bpy.types.Context) -> None:
            header.layout.label(text="Cancel", icon="EVENT_ESC")
            header.layout.progress(factor=share, text=text)

        context.window_manager.progress_update(round(100 * share))
        context.workspace.status_text_set(draw)
