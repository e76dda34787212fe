// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/annotation_controller.h"

#include "ui/document/placed_annotations.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>

#include <algorithm>
#include <memory>

namespace pw::ui {

AnnotationController::AnnotationController(ScheduleDocument& document, TimelineView& timeline,
                                           QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_timeline(timeline)
    , m_lanes(timeline.viewport())
{
    timeline.viewport()->installEventFilter(this);
    timeline.installEventFilter(this);
    connect(&document, &ScheduleDocument::resultChanged, this, [this] {
        // Of an older list a place means another annotation.
        if (!m_committing) {
            letGo();
            m_selected = -1;
        }
        show();
        Q_EMIT changed();
    });
    connect(&timeline, &TimelineView::selectionChanged, this, [this] {
        if (m_selected >= 0 && m_timeline.current().valid())
            select(-1);
    });
    connect(&timeline, &TimelineView::movedUnderDrag, this, [this] {
        if (m_gesture != Gesture::None && m_moved)
            follow(m_pointer);
    });
    show();
}

AnnotationController::~AnnotationController()
{
    if (m_field)
        m_field->removeEventFilter(this);
}

/// The document's, with the one that is just being changed as it would be.
std::vector<Annotation> AnnotationController::shownNow() const
{
    std::vector<Annotation> annotations = all();
    if (m_trial && m_trialIsNew)
        annotations.push_back(*m_trial);
    else if (m_trial && m_selected >= 0 && m_selected < static_cast<int>(annotations.size()))
        annotations[static_cast<std::size_t>(m_selected)] = *m_trial;
    return annotations;
}

AnnotationPainter AnnotationController::painter() const
{
    // The painter asks it for lanes later, too.
    const auto geometry = std::make_shared<const LaneGeometry>(m_timeline.laneGeometry());
    const auto lane = [geometry](DeviceId device) {
        const bool known = device < static_cast<int>(geometry->lanes().lanes().size());
        return known ? geometry->laneArea(device) : QRectF();
    };
    return {geometry->scale(), lane, geometry->room(), m_timeline.font()};
}

void AnnotationController::show()
{
    AnnotationLayer layer;
    layer.annotations = placedAnnotations(m_document, shownNow());
    layer.annotation =
        m_trial && m_trialIsNew ? static_cast<int>(layer.annotations.size()) - 1 : m_selected;
    m_timeline.setLayer(std::move(layer));
}

void AnnotationController::draw(AnnotationKind kind)
{
    closeField(true);
    letGo();
    if (m_document.lanes()->lanes().empty()) {
        Q_EMIT refused(tr("There are no lanes to draw on."));
        return;
    }
    select(-1);
    m_tool = kind;
    m_timeline.viewport()->setCursor(Qt::CrossCursor);
    m_timeline.setFocus();
    m_timeline.leaveHover();
    switch (kind) {
    case AnnotationKind::Text:
        Q_EMIT told(tr("Text: click where it is to stand. Enter puts it at the selected pass, Esc "
                       "leaves."));
        break;
    case AnnotationKind::Arrow:
        Q_EMIT told(tr("Arrow: drag from where its words stand to what it points at. Enter draws "
                       "it between the two selected passes, Esc leaves."));
        break;
    case AnnotationKind::Bracket:
        Q_EMIT told(tr("Bracket: drag along the upper or lower edge of a lane, or click a pass. "
                       "Enter draws it at the selected passes, Esc leaves."));
        break;
    case AnnotationKind::Region:
        Q_EMIT told(tr("Region: drag over time and lanes, or click a pass. Enter draws it around "
                       "the selected passes, Esc leaves."));
        break;
    }
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
    if (m_field) {
        m_field->removeEventFilter(this);
        m_field->deleteLater();
        m_field = nullptr;
    }
    m_trial.reset();
    m_trialIsNew = false;
}

void AnnotationController::select(int index)
{
    const int count = static_cast<int>(all().size());
    index = index < count ? index : -1;
    if (index == m_selected)
        return;
    m_selected = index;
    // Keys mean the annotation now, not the passes.
    if (index >= 0 && m_timeline.current().valid())
        m_timeline.select({});
    show();
    Q_EMIT changed();
}

void AnnotationController::selectNext()
{
    if (all().empty()) {
        Q_EMIT refused(tr("The schedule has no annotations."));
        return;
    }
    closeField(true);
    select((m_selected + 1) % static_cast<int>(all().size()));
    const AnnotationPoint& at =
        m_timeline.overlay().annotations[static_cast<std::size_t>(m_selected)].from;
    m_timeline.range().reveal(at.time, at.time);
    m_timeline.setFocus();
    Q_EMIT told(tr("Annotation %1 of %2: arrow keys move it, Enter changes its text, Del removes "
                   "it, Esc leaves.")
                    .arg(m_selected + 1)
                    .arg(all().size()));
}

bool AnnotationController::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field) {
        if (event->type() == QEvent::KeyPress) {
            const int key = static_cast<QKeyEvent*>(event)->key();
            const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
            if (enter || key == Qt::Key_Escape) {
                closeField(enter);
                m_timeline.setFocus();
                return true;
            }
        }
        if (event->type() == QEvent::FocusOut) {
            // Its own menu, and another window for a while, leave it open.
            const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
            if (why != Qt::PopupFocusReason && why != Qt::ActiveWindowFocusReason)
                closeField(true);
        }
        return false;
    }
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
    case QEvent::ContextMenu: {
        const auto& asked = static_cast<const QContextMenuEvent&>(*event);
        const AnnotationHit hit =
            painter().hit(m_timeline.overlay().annotations, m_selected, asked.pos());
        if (!inLanes || m_tool || hit.index < 0)
            return false;
        select(hit.index);
        openMenu(asked.globalPos());
        return true;
    }
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

bool AnnotationController::mousePress(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton)
        return false;
    closeField(true);
    m_press = event.position();
    m_moved = false;
    const bool inRoom = m_timeline.room().contains(m_press);
    if (m_tool) {
        if (!inRoom)
            return true;
        m_gesture = Gesture::Draw;
        m_pressSpot = spotAt(m_timeline, m_press);
        m_trial = Annotation{};
        m_trial->kind = *m_tool;
        m_trialIsNew = true;
        return true;
    }
    const AnnotationHit hit = painter().hit(m_timeline.overlay().annotations, m_selected, m_press);
    if (hit.index < 0) {
        select(-1);
        return false;
    }
    select(hit.index);
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
        const bool over =
            painter().hit(m_timeline.overlay().annotations, m_selected, point).index >= 0;
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
    if (m_gesture == Gesture::Draw) {
        layBetween(m_timeline, *m_trial, m_pressSpot, spot);
        show();
        return;
    }
    const Annotation& own = all()[static_cast<std::size_t>(m_selected)];
    const PlacedAnnotation placed = placedAnnotations(m_document, {own}).front();
    m_trial = own;
    m_trialIsNew = false;
    const bool spans = own.kind == AnnotationKind::Bracket || own.kind == AnnotationKind::Region;
    if (m_part == AnnotationPart::Body) {
        moveBy(m_timeline, *m_trial, placed, spot.time - m_pressSpot.time,
               spot.lane - m_pressSpot.lane, spans ? 0 : spot.down - m_pressSpot.down);
    } else if (spans) {
        AnnotationSpot from = spotOf(placed.from), to = spotOf(placed.to);
        AnnotationSpot& end = m_part == AnnotationPart::From ? from : to;
        end.time = spot.time;
        if (own.kind == AnnotationKind::Region)
            end.lane = spot.lane;
        layBetween(m_timeline, *m_trial, from, to);
    } else {
        (m_part == AnnotationPart::From ? m_trial->from : m_trial->to) = anchorAt(m_timeline, spot);
    }
    show();
}

bool AnnotationController::mouseRelease(const QMouseEvent& event)
{
    if (m_gesture == Gesture::None || event.button() != Qt::LeftButton)
        return false;
    const Gesture ended = m_gesture;
    m_gesture = Gesture::None;
    m_timeline.setDraggedAt(std::nullopt);
    if (ended == Gesture::Draw) {
        drawn();
    } else if (m_moved && m_trial) {
        std::vector<Annotation> annotations = shownNow();
        m_trial.reset();
        if (!commit(std::move(annotations), tr("Move annotation")))
            show();
    }
    return true;
}

bool AnnotationController::mouseDouble(const QMouseEvent& event)
{
    if (m_tool)
        return true;
    const AnnotationHit hit =
        painter().hit(m_timeline.overlay().annotations, m_selected, event.position());
    if (hit.index < 0)
        return false;
    select(hit.index);
    askText();
    return true;
}

/// The pointer has been let go: the words are asked for, where there is something to be worded.
void AnnotationController::drawn()
{
    if (!m_moved && *m_tool == AnnotationKind::Arrow) {
        m_trial.reset();
        m_trialIsNew = false;
        Q_EMIT refused(tr("An arrow is dragged from where its words stand to what it points at."));
        return;
    }
    if (*m_tool == AnnotationKind::Text)
        layBetween(m_timeline, *m_trial, m_pressSpot, m_pressSpot);
    else if (!m_moved)
        layAround(m_timeline, *m_trial, m_pressSpot);
    leaveTool();
    show();
    openField();
}

void AnnotationController::drawAtSelection()
{
    const std::vector<SpanRef>& spans = m_timeline.overlay().selected;
    Annotation made;
    made.kind = *m_tool;
    if (!layAround(m_timeline, made, spans)) {
        Q_EMIT refused(made.kind == AnnotationKind::Arrow
                           ? tr("Fewer than two passes are selected; the arrow goes from "
                                "the first to the last of them.")
                           : tr("No pass is selected."));
        return;
    }
    m_trial = made;
    m_trialIsNew = true;
    leaveTool();
    show();
    openField();
}

bool AnnotationController::isOurs(const QKeyEvent& event) const
{
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    const int key = event.key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (m_tool || m_gesture != Gesture::None)
        return key == Qt::Key_Escape || (enter && m_tool);
    if (m_selected < 0)
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
        if (m_tool)
            leaveTool();
        else if (!held)
            select(-1);
        show();
    } else if (m_tool) {
        drawAtSelection();
    } else if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        remove();
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_F2) {
        askText();
    } else {
        nudge(key);
    }
    return true;
}

} // namespace pw::ui
