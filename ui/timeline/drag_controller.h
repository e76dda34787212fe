// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/drag.h"
#include "ui/document/schedule_document.h"
#include "ui/timeline/timeline_view.h"

#include <QObject>

#include <optional>
#include <vector>

namespace pw::ui {

/// Moves passes of a document along their devices, by the mouse in its timeline and by keys.
///
/// A drag takes the selection; with Shift the whole micro-batch of the pass under the pointer.
/// While it lasts the document stays as it is, and there is a trial; the drop is one step of the
/// history.
class DragController : public QObject
{
    Q_OBJECT

public:
    DragController(ScheduleDocument& document, TimelineView& timeline, QObject* parent = nullptr);
    ~DragController() override;

    /// Draft and times as they would be after a drop now; null while nothing is dragged.
    const Drag* trial() const { return m_drag ? &*m_drag : nullptr; }
    /// Blocks of the passes that are held, and of those that they push or make way for, as far as
    /// they can be seen; none while nothing is dragged.
    const std::vector<Ghost>& ghosts() const { return m_ghosts; }
    /// What stands beside the pointer.
    const QString& hint() const { return m_hint; }
    bool refusal() const { return m_refusal; }

    /// Moves the selected passes by one place on their devices. @param direction  −1 or 1
    void moveByOne(int direction);
    /// Selects all passes of the current pass's micro-batch.
    void selectStrand();

Q_SIGNALS:
    /// There is another trial, or none any more.
    void trialChanged();
    /// Something was asked for that cannot be, in a sentence.
    void refused(const QString& sentence);

private:
    void begin(SpanRef span);
    void move(double ticks);
    void end(bool dropped);
    void letGo();
    void showTrial();
    static QString makespanText(const DraftTimes& trial, const DraftTimes& now);
    void commit(const Edit& edit, const std::vector<EntryAt>& places, const QString& text);
    std::vector<EntryAt> grabbedBy(SpanRef span) const;
    QString textOf(const std::vector<EntryAt>& entries, bool strand) const;
    void findGhosts();
    void addGhosts(std::size_t device, const DraftTimes& held, const EntryLooks& looks);

    ScheduleDocument& m_document;
    TimelineView& m_timeline;
    std::optional<Drag> m_drag;
    const DragTrial* m_trial = nullptr; ///< the last one of the drag
    std::optional<Ticks> m_offset;      ///< that it was for
    QString m_text;                     ///< of the history
    std::vector<Ghost> m_ghosts;
    QString m_hint;
    bool m_refusal = false;
    bool m_committing = false;
};

} // namespace pw::ui
