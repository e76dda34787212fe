// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/palette_drop.h"
#include "ui/timeline/timeline_view.h"

#include <QObject>

#include <optional>
#include <vector>

class QDropEvent;

namespace pw::ui {

class ScheduleDocument;

/// Takes what is dragged from the palette into a timeline.
///
/// While it is over the lanes, what would be there is a trial, made anew only where the place means
/// something else. The document changes once, on the drop; leaving and Escape leave no trace.
class DropController : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive it.
    DropController(ScheduleDocument& document, TimelineView& timeline, QObject* parent = nullptr);

    /// What the drop would do; null while nothing is held, or where it is refused.
    const PaletteDrop* trial() const { return m_drop ? &*m_drop : nullptr; }
    /// New entries of the trial as they would stand; empty where there are too many to tell apart.
    const std::vector<Ghost>& ghosts() const { return m_ghosts; }
    /// What is held and where, in a sentence; empty: nothing is held.
    const QString& hint() const { return m_hint; }
    /// Why the place is refused; empty where it is not.
    const QString& refusal() const { return m_refusal; }
    bool holds() const { return m_held.has_value(); }
    /// Trials that were made since the drag began.
    int trialCount() const { return m_trialCount; }

    /// Places an item without a pointer: behind the selected pass, else where it can start first.
    void place(const PaletteItem& item);

    /// What the last placed pass may mean; fewer than two where there is nothing to choose.
    const std::vector<Pass>& choices() const { return m_choices; }
    /// Which of them it is.
    std::size_t choice() const { return m_choice; }
    /// Another one of them instead, in the same undo step.
    void choose(std::size_t choice);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// Trial, hint or refusal is new, or nothing is held any more.
    void trialChanged();
    void choicesChanged();
    /// What was placed, in a sentence.
    void placed(const QString& sentence);
    void refused(const QString& sentence);

private:
    /// What of a place makes a difference.
    struct Spot
    {
        DeviceId device;
        std::ptrdiff_t position = 0; ///< entries before
        std::ptrdiff_t ready = 0;    ///< suggestions that could start by then

        friend bool operator==(const Spot&, const Spot&) = default;
    };

    void take(const PaletteItem& item);
    void moveTo(QPointF point);
    void leave();
    void letGo();
    bool drop(QPointF point);
    DropPlace placeAt(QPointF point) const;
    Spot spotOf(const DropPlace& place);
    void tryAt(const DropPlace& place);
    /// @return  the refusal; nothing: done
    std::optional<QString> commit(PaletteDrop drop, const DropPlace& place);
    void offer(std::vector<Pass> choices, const DropPlace& place);
    void select(const PaletteDrop& drop);
    void forgetChoices();

    ScheduleDocument& m_document;
    TimelineView& m_timeline;
    std::optional<PaletteItem> m_held;
    QPointF m_point; ///< where it was held last
    std::optional<PaletteDrop> m_drop;
    std::optional<Spot> m_spot;
    std::vector<std::vector<Ticks>> m_ready; ///< by device, sorted; empty: not asked yet
    std::vector<Ghost> m_ghosts;
    QString m_hint;
    QString m_refusal;
    int m_trialCount = 0;
    std::vector<Pass> m_choices;
    std::size_t m_choice = 0;
    DropPlace m_choicePlace;
    bool m_committing = false;
};

/// New entries of a proposal, where they would stand.
std::vector<Ghost> ghostsOf(const Proposal& proposal);

} // namespace pw::ui
