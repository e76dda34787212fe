// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/annotation_anchors.h"
#include "ui/timeline/annotation_editor.h"

#include <QObject>

#include <optional>

class QContextMenuEvent;
class QKeyEvent;
class QMouseEvent;

namespace pw::ui {

/// What mouse and keys do to the annotations over a timeline: they draw one, select it, move it and
/// its ends. What comes of it is the editor's business.
class AnnotationController : public QObject
{
    Q_OBJECT

public:
    /// Both outlive it.
    AnnotationController(ScheduleDocument& document, TimelineView& timeline,
                         QObject* parent = nullptr);

    AnnotationEditor& editor() { return m_editor; }
    const AnnotationEditor& editor() const { return m_editor; }
    /// The next press in the lanes begins one; Enter puts it at the selected passes.
    void draw(AnnotationKind kind);
    /// What is being drawn; none: nothing.
    std::optional<AnnotationKind> drawing() const { return m_tool; }

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// Another one is selected, or something else is drawn.
    void changed();
    /// What can be done now, in a sentence.
    void told(const QString& sentence);
    void refused(const QString& why);

private:
    enum class Gesture
    {
        None,
        Draw,
        Move
    };

    void leaveTool();
    void letGo();

    bool mousePress(const QMouseEvent& event);
    bool mouseMove(const QMouseEvent& event);
    bool mouseRelease(const QMouseEvent& event);
    bool mouseDouble(const QMouseEvent& event);
    bool askMenu(const QContextMenuEvent& event);
    bool keyPress(const QKeyEvent& event);
    bool isOurs(const QKeyEvent& event) const;
    void follow(QPointF point);
    Annotation drawnTo(const AnnotationSpot& spot) const;
    Annotation movedTo(const AnnotationSpot& spot) const;
    void endDrawing();
    void drawAtSelection();

    const ScheduleDocument& m_document;
    TimelineView& m_timeline;
    AnnotationEditor m_editor;
    /// Its viewport; events come to the filter while the timeline goes, and it is not asked then.
    const QObject* const m_lanes;
    std::optional<AnnotationKind> m_tool;
    Gesture m_gesture = Gesture::None;
    AnnotationPart m_part = AnnotationPart::None; ///< of the one that is moved
    QPointF m_press;
    QPointF m_pointer;
    AnnotationSpot m_pressSpot;
    bool m_moved = false;
};

} // namespace pw::ui
