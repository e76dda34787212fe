// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/annotation_controller.h"

#include "ui/timeline/annotation_menu.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>

namespace pw::ui {

namespace {

/// What can be done with a tool, in a sentence.
QString hintOf(AnnotationKind kind)
{
    switch (kind) {
    case AnnotationKind::Text:
        return AnnotationController::tr(
            "Text: click where it is to stand. Enter puts it at the selected pass, Esc leaves.");
    case AnnotationKind::Arrow:
        return AnnotationController::tr(
            "Arrow: drag from where its words stand to what it points at. Enter draws it between "
            "the two selected passes, Esc leaves.");
    case AnnotationKind::Bracket:
        return AnnotationController::tr(
            "Bracket: drag along the upper or lower edge of a lane, or click a pass. Enter draws "
            "it at the selected passes, Esc leaves.");
    case AnnotationKind::Region:
        return AnnotationController::tr(
            "Region: drag over time and lanes, or click a pass. Enter draws it around the "
            "selected passes, Esc leaves.");
    }
    return {};
}

} // namespace

AnnotationController::AnnotationController(ScheduleDocument& document, TimelineView& timeline,
                                           QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_timeline(timeline)
    , m_editor(document, timeline)
    , m_lanes(timeline.viewport())
{
    timeline.viewport()->installEventFilter(this);
    timeline.installEventFilter(this);
    connect(&m_editor, &AnnotationEditor::trialDropped, this, &AnnotationController::letGo);
    connect(&m_editor, &AnnotationEditor::changed, this, &AnnotationController::changed);
    connect(&m_editor, &AnnotationEditor::told, this, &AnnotationController::told);
    connect(&m_editor, &AnnotationEditor::refused, this, &AnnotationController::refused);
    connect(&timeline, &TimelineView::movedUnderDrag, this, [this] {
        if (m_gesture != Gesture::None && m_moved)
            follow(m_pointer);
    });
}

void AnnotationController::draw(AnnotationKind kind)
{
    m_editor.keepWords();
    letGo();
    m_editor.dropTrial();
    if (m_document.lanes()->lanes().empty()) {
        Q_EMIT refused(tr("There are no lanes to draw on."));
        return;
    }
    m_editor.select(-1);
    m_tool = kind;
    m_timeline.viewport()->setCursor(Qt::CrossCursor);
    m_timeline.setFocus();
    m_timeline.leaveHover();
    Q_EMIT told(hintOf(kind));
    Q_EMIT changed();
}

void AnnotationController::leaveTool()
{
    if (!m_tool)
        return;
    m_tool.reset();
    m_timeline.viewport()->unsetCursor();
    Q_EMIT told({});
    Q_EMIT changed();
}

/// What is held is where it was.
void AnnotationController::letGo()
{
    m_gesture = Gesture::None;
    m_timeline.setDraggedAt(std::nullopt);
}

bool AnnotationController::eventFilter(QObject* watched, QEvent* event)
{
    const bool inLanes = watched == m_lanes;
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return inLanes && mousePress(static_cast<const QMouseEvent&>(*event));
    case QEvent::MouseMove:
        return inLanes && mouseMove(static_cast<const QMouseEvent&>(*event));
    case QEvent::MouseButtonRelease:
        return inLanes && mouseRelease(static_cast<const QMouseEvent&>(*event));
    case QEvent::MouseButtonDblClick:
        return inLanes && mouseDouble(static_cast<const QMouseEvent&>(*event));
    case QEvent::ContextMenu:
        return inLanes && askMenu(static_cast<const QContextMenuEvent&>(*event));
    case QEvent::ShortcutOverride:
        if (inLanes || !isOurs(static_cast<const QKeyEvent&>(*event)))
            return false;
        event->accept(); // then it comes as a key
        return true;
    case QEvent::KeyPress:
        return !inLanes && keyPress(static_cast<const QKeyEvent&>(*event));
    default:
        return false;
    }
}

bool AnnotationController::askMenu(const QContextMenuEvent& event)
{
    const AnnotationHit hit = m_editor.hitAt(event.pos());
    if (m_tool || hit.index < 0)
        return false;
    m_editor.select(hit.index);
    showAnnotationMenu(m_editor, event.globalPos(), m_timeline.window());
    return true;
}

bool AnnotationController::mousePress(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton)
        return false;
    m_editor.keepWords();
    m_press = event.position();
    m_moved = false;
    const bool inRoom = m_timeline.room().contains(m_press);
    if (m_tool) {
        if (inRoom) {
            m_gesture = Gesture::Draw;
            m_pressSpot = spotAt(m_timeline, m_press);
        }
        return true;
    }
    const AnnotationHit hit = m_editor.hitAt(m_press);
    m_editor.select(hit.index);
    if (hit.index < 0)
        return false;
    m_gesture = Gesture::Move;
    m_part = hit.part;
    m_pressSpot = spotAt(m_timeline, m_press);
    m_timeline.setFocus();
    return true;
}

bool AnnotationController::mouseMove(const QMouseEvent& event)
{
    const QPointF point = event.position();
    if (m_gesture == Gesture::None) {
        if (m_tool)
            return (event.buttons() & Qt::MiddleButton) == 0;
        if (event.buttons() != Qt::NoButton)
            return false;
        const bool over = m_editor.hitAt(point).index >= 0;
        if (over) {
            m_timeline.viewport()->setCursor(Qt::PointingHandCursor);
            m_timeline.leaveHover();
        }
        return over;
    }
    m_moved = m_moved || (point - m_press).manhattanLength() >= QApplication::startDragDistance();
    if (m_moved) {
        m_timeline.setDraggedAt(point);
        follow(point);
    }
    return true;
}

/// What is drawn or moved comes to where the pointer is.
void AnnotationController::follow(QPointF point)
{
    m_pointer = point;
    const AnnotationSpot spot = spotAt(m_timeline, point);
    if (m_gesture == Gesture::Draw)
        m_editor.tryNew(drawnTo(spot));
    else
        m_editor.tryChanged(movedTo(spot));
}

/// From where it was pressed.
Annotation AnnotationController::drawnTo(const AnnotationSpot& spot) const
{
    Annotation drawn;
    drawn.kind = *m_tool;
    layBetween(m_timeline, drawn, m_pressSpot, spot);
    return drawn;
}

/// The selected one, with what was pressed of it.
Annotation AnnotationController::movedTo(const AnnotationSpot& spot) const
{
    Annotation moved = m_editor.own();
    const PlacedAnnotation placed = m_editor.placed(moved);
    const bool spans =
        moved.kind == AnnotationKind::Bracket || moved.kind == AnnotationKind::Region;
    if (m_part == AnnotationPart::Body) {
        moveBy(m_timeline, moved, placed, spot.time - m_pressSpot.time,
               spot.lane - m_pressSpot.lane, spans ? 0 : spot.down - m_pressSpot.down);
    } else if (spans) {
        AnnotationSpot from = spotOf(placed.from), to = spotOf(placed.to);
        AnnotationSpot& end = m_part == AnnotationPart::From ? from : to;
        end.time = spot.time;
        if (moved.kind == AnnotationKind::Region)
            end.lane = spot.lane;
        layBetween(m_timeline, moved, from, to);
    } else {
        (m_part == AnnotationPart::From ? moved.from : moved.to) = anchorAt(m_timeline, spot);
    }
    return moved;
}

bool AnnotationController::mouseRelease(const QMouseEvent& event)
{
    if (m_gesture == Gesture::None || event.button() != Qt::LeftButton)
        return false;
    const Gesture ended = m_gesture;
    letGo();
    if (ended == Gesture::Draw)
        endDrawing();
    else if (m_moved)
        m_editor.keepMoved();
    return true;
}

bool AnnotationController::mouseDouble(const QMouseEvent& event)
{
    if (m_tool)
        return true;
    const AnnotationHit hit = m_editor.hitAt(event.position());
    if (hit.index < 0)
        return false;
    m_editor.select(hit.index);
    m_editor.askText();
    return true;
}

/// The pointer has been let go: the words are asked for, where there is something to be worded.
void AnnotationController::endDrawing()
{
    if (!m_moved && *m_tool == AnnotationKind::Arrow) {
        Q_EMIT refused(tr("An arrow is dragged from where its words stand to what it points at."));
        return;
    }
    Annotation drawn = drawnTo(
        m_moved && *m_tool != AnnotationKind::Text ? spotAt(m_timeline, m_pointer) : m_pressSpot);
    if (!m_moved && *m_tool != AnnotationKind::Text)
        layAround(m_timeline, drawn, m_pressSpot);
    leaveTool();
    m_editor.tryNew(drawn);
    m_editor.askTextOfNew();
}

void AnnotationController::drawAtSelection()
{
    Annotation made;
    made.kind = *m_tool;
    if (!layAround(m_timeline, made, m_timeline.overlay().selected)) {
        Q_EMIT refused(made.kind == AnnotationKind::Arrow
                           ? tr("Fewer than two passes are selected; the arrow goes from "
                                "the first to the last of them.")
                           : tr("No pass is selected."));
        return;
    }
    leaveTool();
    m_editor.tryNew(made);
    m_editor.askTextOfNew();
}

bool AnnotationController::isOurs(const QKeyEvent& event) const
{
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    const int key = event.key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (m_tool || m_gesture != Gesture::None)
        return key == Qt::Key_Escape || (enter && m_tool);
    if (m_editor.selected() < 0)
        return false;
    return key == Qt::Key_Escape || enter || key == Qt::Key_F2 || key == Qt::Key_Delete ||
           key == Qt::Key_Backspace || key == Qt::Key_Left || key == Qt::Key_Right ||
           key == Qt::Key_Up || key == Qt::Key_Down;
}

bool AnnotationController::keyPress(const QKeyEvent& event)
{
    if (!isOurs(event))
        return false;
    const int key = event.key();
    if (key == Qt::Key_Escape) {
        const bool held = m_gesture != Gesture::None;
        letGo();
        m_editor.dropTrial();
        if (m_tool)
            leaveTool();
        else if (!held)
            m_editor.select(-1);
    } else if (m_tool) {
        drawAtSelection();
    } else if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        m_editor.remove();
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_F2) {
        m_editor.askText();
    } else {
        m_editor.nudge(key);
    }
    return true;
}

} // namespace pw::ui
