// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/optimise.h"
#include "ui/document/schedule_document.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

namespace pw::ui {

/// What a person asks of a search for a better order.
struct ImproveWish
{
    double seconds = 10;
    OrderAim aim = OrderAim::Makespan;
    BackwardChoice backward = BackwardChoice::Any;
    bool chooseOffload = false; ///< what goes to the host's memory may change, too

    /// Whether any order counts, and its makespan: what the bound of a schedule is about.
    bool anyOrder() const
    {
        return aim == OrderAim::Makespan && backward == BackwardChoice::Any && !chooseOffload;
    }
};

/// What was asked for last, as it is kept.
ImproveWish keptWish();
void keepWish(const ImproveWish& wish);

/// A better order that was taken over.
struct ImproveStep
{
    double seconds = 0; ///< since the search began
    Ticks before = 0;   ///< what was aimed at: the makespan, or the longest span
    Ticks after = 0;
    QString moves; ///< what the step moved, a sentence without full stop
};

/// How far the search is, or what the last one came to.
struct ImproveState
{
    ImproveWish wish;
    Ticks given = 0;
    bool givenFits = true; ///< stays within the memory
    Ticks best = 0;        ///< of the order that is there now
    Ticks bound = 0;       ///< proven; 0: not known yet
    bool proven = false;
    QString memory; ///< what a device may hold, in words
    QString story;  ///< what the order does in another way than the one given
    std::vector<ImproveStep> steps;

    /// Whether an order that takes so long is to be taken over.
    bool betters(Ticks objective) const
    {
        return objective < best || (!givenFits && steps.empty());
    }
    /// How much longer the order is than the bound, as a part of it. @pre the bound is known
    double gap() const { return static_cast<double>(best - bound) / static_cast<double>(bound); }
};

/// Looks for a better order of an open schedule in another thread, and takes each one that is found
/// over into the document, a step of its history each.
///
/// A change that somebody else makes meanwhile, undo too, ends the search: what was found stays.
class Improver : public QObject
{
    Q_OBJECT

public:
    explicit Improver(QObject* parent = nullptr);
    ~Improver() override;

    /// Why a document cannot be improved now, in a sentence; empty: it can. @param document  or
    /// null
    QString whyNot(const ScheduleDocument* document) const;
    /// @pre whyNot(&document) is empty
    void start(ScheduleDocument& document, const ImproveWish& wish);
    /// Ends the search; the best so far is taken over as soon as the other thread hands it in.
    void stop();

    bool searching() const { return m_search != nullptr; }
    /// Whether `stop` was called, and the last order has not come yet.
    bool stopping() const;
    /// That is or was searched last; null: none, or closed.
    ScheduleDocument* document() const { return m_document; }
    const ImproveState& state() const { return m_state; }
    /// Whether the state is about a document as it is now: it was searched, and has an order that
    /// was given or found. @param document  or null
    bool speaksOf(const ScheduleDocument* document) const;

Q_SIGNALS:
    /// A step was taken, the bound is known, the search began or ended.
    void changed();
    /// The search has ended. @param refusal  whether the sentence is one
    void ended(const QString& sentence, bool refusal);

private:
    struct Search;

    void look();
    void take(const Schedule& schedule, const std::vector<Pass>& offloaded, Ticks objective,
              double seconds);
    void finish(const Result<OptimiseOutcome>& outcome);
    void noticeChange();
    void leave(const QString& sentence, bool refusal);
    QString endSentence() const;

    QPointer<ScheduleDocument> m_document;
    LanesPtr m_lanes; ///< of the order that was taken over last
    std::shared_ptr<Search> m_search;
    ImproveState m_state;
    QTimer m_timer;
    bool m_taking = false;
};

} // namespace pw::ui
