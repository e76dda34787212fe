// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/timeline/annotation_field.h"
#include "ui/timeline/annotation_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QObject>

#include <optional>
#include <vector>

namespace pw::ui {

/// The annotations of a document over its timeline: shows them, knows which one is selected and
/// what is tried with it, and words, colours, moves and removes them. Each change is one step of
/// the history.
class AnnotationEditor : public QObject
{
    Q_OBJECT

public:
    /// Both outlive it.
    AnnotationEditor(ScheduleDocument& document, TimelineView& timeline, QObject* parent = nullptr);

    /// Place in the document's list; −1: none is selected.
    int selected() const { return m_selected; }
    void select(int index);
    /// The next one, around the list.
    void selectNext();
    /// @pre one is selected
    const Annotation& own() const { return all()[static_cast<std::size_t>(m_selected)]; }
    /// Where an annotation stands now.
    PlacedAnnotation placed(const Annotation& annotation) const;
    AnnotationHit hitAt(QPointF point) const;
    /// Why nothing can be done to an annotation; empty: one is selected.
    QString whyNot() const;

    // What is done to the selected one; nothing where none is.

    void askText();
    void setTint(AnnotationTint tint);
    void remove();
    /// By an arrow key: along the axis, or to the next lane.
    void nudge(int key);

    // What is tried is shown, and no part of the document until it is kept.

    /// A new annotation, beside those that are there.
    void tryNew(const Annotation& annotation) { tryOut({annotation, true}); }
    /// Another place of the selected one.
    void tryChanged(const Annotation& annotation) { tryOut({annotation, false}); }
    /// The selected one stays where it was tried.
    void keepMoved();
    /// Asks for the words of the new one; with them it is kept.
    void askTextOfNew() { openField(); }
    /// Leaves what is tried, and the words that are being typed.
    void dropTrial();
    /// Takes over the words that are being typed.
    void keepWords() { m_field.close(true); }

Q_SIGNALS:
    /// Another one is selected, or the list is another one.
    void changed();
    /// What was tried was of a document that has changed since.
    void trialDropped();
    /// What can be done now, in a sentence.
    void told(const QString& sentence);
    void refused(const QString& why);

private:
    struct Trial
    {
        Annotation annotation;
        bool isNew = false; ///< else it stands for the selected one
    };

    const std::vector<Annotation>& all() const { return m_document.project().annotations; }
    std::vector<Annotation> shownNow() const;
    AnnotationPainter painter() const;
    void tryOut(Trial trial);
    void show();
    void takeDocument();
    void openField();
    void closeField(bool kept, bool typed, const QString& words);
    void keepNew(Annotation made);
    /// Sets what is there as one step. @return  whether that was possible
    bool commit(std::vector<Annotation> annotations, const QString& text, int merge = 0);

    ScheduleDocument& m_document;
    TimelineView& m_timeline;
    int m_selected = -1;
    std::optional<Trial> m_trial; ///< drawn, moved or worded just now
    AnnotationField m_field;
    bool m_committing = false;
};

} // namespace pw::ui
