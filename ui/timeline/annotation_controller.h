// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/timeline/annotation_anchors.h"
#include "ui/timeline/annotation_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QObject>
#include <QPointer>

#include <optional>
#include <vector>

class QKeyEvent;
class QLineEdit;
class QMenu;
class QMouseEvent;

namespace pw::ui {

/// Annotations of a document in its timeline: draws, selects, moves and words them, by the mouse
/// and by keys. Each of these is one step of the history.
class AnnotationController : public QObject
{
    Q_OBJECT

public:
    /// Both outlive it.
    AnnotationController(ScheduleDocument& document, TimelineView& timeline,
                         QObject* parent = nullptr);
    ~AnnotationController() override;

    /// The next press in the lanes begins one; Enter puts it at the selected passes.
    void draw(AnnotationKind kind);
    /// What is being drawn; none: nothing.
    std::optional<AnnotationKind> drawing() const { return m_tool; }
    /// Place in the document's list; −1: none is selected.
    int selected() const { return m_selected; }
    void select(int index);
    /// The next one, around the list.
    void selectNext();
    /// Why nothing can be done to an annotation; empty: one is selected.
    QString whyNot() const;
    void askText();
    void setTint(AnnotationTint tint);
    void remove();

    /// How a tint is called in menus.
    static QString nameOf(AnnotationTint tint);

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

    const std::vector<Annotation>& all() const { return m_document.project().annotations; }
    std::vector<Annotation> shownNow() const;
    AnnotationPainter painter() const;
    void show();
    void leaveTool();
    void letGo();

    bool mousePress(const QMouseEvent& event);
    bool mouseMove(const QMouseEvent& event);
    bool mouseRelease(const QMouseEvent& event);
    bool mouseDouble(const QMouseEvent& event);
    bool keyPress(const QKeyEvent& event);
    bool isOurs(const QKeyEvent& event) const;
    void nudge(int key);
    void follow(QPointF point);
    void drawn();
    void drawAtSelection();
    void openMenu(QPoint at);

    void openField();
    void closeField(bool keep);
    void keepDrawn(const QString& words);
    /// Sets what is there as one step. @return  whether that was possible
    bool commit(std::vector<Annotation> annotations, const QString& text, int merge = 0);

    ScheduleDocument& m_document;
    TimelineView& m_timeline;
    /// Its viewport; events come to the filter while the timeline goes, and it is not asked then.
    const QObject* const m_lanes;
    std::optional<AnnotationKind> m_tool;
    int m_selected = -1;
    Gesture m_gesture = Gesture::None;
    AnnotationPart m_part = AnnotationPart::None;
    QPointF m_press;
    QPointF m_pointer;
    AnnotationSpot m_pressSpot;
    bool m_moved = false;
    std::optional<Annotation> m_trial; ///< drawn, moved or worded just now
    bool m_trialIsNew = false;         ///< else it stands for the selected one
    QPointer<QLineEdit> m_field;
    bool m_committing = false;
};

} // namespace pw::ui
