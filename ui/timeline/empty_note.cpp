// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/empty_note.h"

#include <QEvent>

namespace pw::ui {

EmptyNote::EmptyNote(QWidget* over, int left)
    : QLabel(over)
    , m_left(left)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setTextFormat(Qt::RichText);
    setWaiting(EmptyLanes::Anything);
    over->installEventFilter(this);
    follow();
}

void EmptyNote::setWaiting(EmptyLanes what)
{
    switch (what) {
    case EmptyLanes::Anything:
        return setText(tr("<p><b>Drag something from the palette onto the lanes</b></p>"
                          "<p>a family fills the whole timeline,<br>"
                          "a building block is repeated for the next micro-batches,<br>"
                          "a pass goes where you drop it.</p>"
                          "<p>Or press Ctrl+K, type a name, and Enter.</p>"));
    case EmptyLanes::Passes:
        return setText(tr("<p><b>Drag a pass from the palette onto a device</b></p>"
                          "<p>or double-click the pale blocks:<br>"
                          "“Show what is ready” in the lesson brings them.</p>"));
    case EmptyLanes::Families:
        return setText(tr("<p><b>Choose a schedule</b></p>"
                          "<p>The lesson has a list of those of this level.</p>"));
    case EmptyLanes::Block:
        return setText(tr("<p><b>This level is about one building block</b></p>"
                          "<p>It is on the bench: press “Open the block on the bench” in the "
                          "lesson.</p>"));
    }
}

bool EmptyNote::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent() && event->type() == QEvent::Resize)
        follow();
    return QLabel::eventFilter(watched, event);
}

void EmptyNote::follow()
{
    setGeometry(parentWidget()->rect().adjusted(m_left, 0, 0, 0));
}

} // namespace pw::ui
