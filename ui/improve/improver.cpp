// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/improve/improver.h"

#include "core/base/text.h"
#include "core/edit/placing.h"
#include "core/model/known_sizes.h"
#include "core/sim/memory.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/exercise.h"
#include "ui/panels/findings.h"
#include "ui/panels/number_rows.h"
#include "ui/plural.h"
#include "ui/timeline/value_text.h"

#include <QSettings>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace pw::ui {

namespace {

/// Between two looks at what the other thread has found: steps that a person can see.
constexpr int lookEveryMs = 120;
/// Orders above it are told at the end only: telling what moved takes longer than finding it.
constexpr int toldAtOnce = 20000;

QString heldText(const Costs& costs, bool own)
{
    QStringList parts;
    if (costs.shareCap > 0)
        parts << microBatchText(microBatchesFromShare(costs.shareCap));
    Bytes most = 0;
    for (const Bytes cap : costs.memoryCap)
        most = cap > most ? cap : most;
    if (!costs.memoryCap.empty())
        parts << text(byteText(most));
    const QString what = parts.join(QStringLiteral(", "));
    return own ? Improver::tr("at most %1 a device").arg(what)
               : Improver::tr("%1 a device, what it held").arg(what);
}

} // namespace

ImproveWish keptWish()
{
    const QSettings kept;
    ImproveWish wish;
    const auto number = [&kept](const char* name, int last) {
        return std::clamp(kept.value(QString::fromLatin1(name), 0).toInt(), 0, last);
    };
    const double seconds = kept.value(QStringLiteral("improve/seconds"), wish.seconds).toDouble();
    wish.seconds = seconds > 0 ? seconds : wish.seconds;
    wish.aim = number("improve/aim", 1) == 0 ? OrderAim::Makespan : OrderAim::Span;
    wish.backward = static_cast<BackwardChoice>(
        number("improve/backward", static_cast<int>(BackwardChoice::Fused)));
    wish.chooseOffload = number("improve/offload", 1) == 1;
    return wish;
}

void keepWish(const ImproveWish& wish)
{
    QSettings kept;
    kept.setValue(QStringLiteral("improve/seconds"), wish.seconds);
    kept.setValue(QStringLiteral("improve/aim"), wish.aim == OrderAim::Makespan ? 0 : 1);
    kept.setValue(QStringLiteral("improve/backward"), static_cast<int>(wish.backward));
    kept.setValue(QStringLiteral("improve/offload"), wish.chooseOffload ? 1 : 0);
}

/// Shared with the other thread.
struct Improver::Search
{
    std::shared_ptr<const Schedule> given;
    Costs costs;
    OptimiseOptions options;
    std::atomic<bool> stop{false};

    std::mutex mutex;              ///< of what follows
    std::optional<Schedule> found; ///< the best, where it was not taken yet
    std::vector<Pass> offloaded;   ///< what goes to the host's memory in it
    Ticks objective = 0;
    double seconds = 0;
    Ticks bound = 0;
};

Improver::Improver(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(lookEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &Improver::look);
}

Improver::~Improver()
{
    if (m_search)
        m_search->stop = true;
}

bool Improver::stopping() const
{
    return m_search && m_search->stop;
}

QString Improver::whyNot(const ScheduleDocument* document) const
{
    if (document == nullptr)
        return tr("No schedule is open.");
    if (QString why = whyNotSolved(document); !why.isEmpty())
        return why;
    if (document->computing())
        return tr("%1 is being computed.").arg(document->computed());
    if (document->schedule() == nullptr)
        return document->problem().isEmpty()
                   ? tr("The schedule is empty.")
                   : tr("The schedule is not whole: %1.").arg(document->problem());
    if (searching())
        return tr("%1 is being improved: stop that first.")
            .arg(m_document != nullptr ? m_document->title() : tr("A schedule"));
    return {};
}

void Improver::start(ScheduleDocument& document, const ImproveWish& wish)
{
    if (m_document != nullptr)
        disconnect(m_document, nullptr, this, nullptr);
    m_document = &document;
    m_lanes = document.lanes();
    connect(&document, &ScheduleDocument::resultChanged, this, &Improver::noticeChange);
    connect(&document, &QObject::destroyed, this, [this] {
        if (m_search)
            leave({}, false);
    });

    m_search = std::make_shared<Search>();
    m_search->given = document.schedule();
    m_search->costs = withOwnPeak(*document.schedule(), document.costs(), document.result());
    const bool own = isCapped(document.costs());
    m_state = {};
    m_state.wish = wish;
    m_state.memory = heldText(m_search->costs, own);
    m_state.givenFits = !firstOverflow(*document.schedule(), m_search->costs, document.result());
    m_state.given = m_state.best = objectiveOf(document.result(), wish.aim);

    OptimiseOptions& options = m_search->options;
    options.seconds = wish.seconds;
    options.aim = wish.aim;
    options.backward = wish.backward;
    options.chooseOffload = wish.chooseOffload;
    Search* shared = m_search.get(); // lives as long as the work below
    options.stopped = [shared] { return shared->stop.load(); };
    options.improved = [shared](const OptimiseProgress& progress) {
        const std::lock_guard lock(shared->mutex);
        shared->found = *progress.schedule;
        shared->offloaded = *progress.offloaded;
        shared->objective = progress.best;
        shared->seconds = progress.seconds;
    };
    options.bounded = [shared](Ticks bound) {
        const std::lock_guard lock(shared->mutex);
        shared->bound = bound;
    };
    m_timer.start();
    Q_EMIT changed();
    inBackground(this, [this, search = m_search]() -> std::function<void()> {
        auto outcome = std::make_shared<const Result<OptimiseOutcome>>(
            optimiseOrder(*search->given, search->costs, search->options));
        return [this, search, outcome] {
            if (m_search == search)
                finish(*outcome);
        };
    });
}

bool Improver::speaksOf(const ScheduleDocument* document) const
{
    if (document == nullptr || document != m_document || m_state.given == 0)
        return false;
    if (searching())
        return true;
    if (document->schedule() == nullptr)
        return false;
    const Ticks now = objectiveOf(document->result(), m_state.wish.aim);
    return now == m_state.given || now == m_state.best ||
           std::any_of(m_state.steps.begin(), m_state.steps.end(),
                       [now](const ImproveStep& step) { return step.after == now; });
}

void Improver::stop()
{
    if (!m_search || m_search->stop)
        return;
    m_search->stop = true;
    Q_EMIT changed();
}

/// Takes over what the other thread has found since the last time.
void Improver::look()
{
    std::optional<Schedule> found;
    std::vector<Pass> offloaded;
    Ticks objective = 0;
    Ticks bound = 0;
    double seconds = 0;
    {
        const std::lock_guard lock(m_search->mutex);
        found.swap(m_search->found);
        offloaded = m_search->offloaded;
        objective = m_search->objective;
        seconds = m_search->seconds;
        bound = m_search->bound;
    }
    const bool news = bound != m_state.bound;
    m_state.bound = bound;
    if (found && m_state.betters(objective))
        take(*found, offloaded, objective, seconds);
    else if (news)
        Q_EMIT changed();
}

void Improver::take(const Schedule& schedule, const std::vector<Pass>& offloaded, Ticks objective,
                    double seconds)
{
    const std::shared_ptr<const Schedule> before = m_document->schedule();
    m_taking = true;
    Edit change{{SetOrders{schedule.orders()}}};
    if (Offload offload = m_document->project().offload; offload.cells != offloaded) {
        offload.cells = offloaded;
        change.changes.emplace_back(SetOffload{std::move(offload)});
    }
    const Result<void> done =
        m_document->improve(m_document->onOwnOrders(std::move(change)),
                            tr("Improve to %1").arg(text(timeText(objective))));
    m_taking = false;
    if (!done)
        return leave(coreSentence(done.error().message), true);
    m_lanes = m_document->lanes();
    ImproveStep step{seconds, m_state.best, objective, {}};
    if (schedule.entryCount() <= toldAtOnce && before != nullptr) {
        step.moves = coreSentence(orderStory(*before, schedule));
        m_state.story = coreSentence(orderStory(*m_search->given, schedule));
    }
    m_state.best = objective;
    m_state.steps.push_back(std::move(step));
    Q_EMIT changed();
}

void Improver::finish(const Result<OptimiseOutcome>& outcome)
{
    if (!outcome)
        return leave(coreSentence(outcome.error().message), true);
    if (m_state.betters(outcome->objective)) {
        take(outcome->schedule, outcome->offloaded, outcome->objective, outcome->seconds);
        if (!m_search)
            return; // refused, and said so
    }
    m_state.bound = outcome->bound;
    if (m_state.wish.anyOrder())
        searchedBounds().add({m_search->given, m_search->costs, outcome->bound});
    m_state.proven = outcome->proven;
    m_state.story = coreSentence(outcome->story);
    leave(endSentence(), false);
}

QString Improver::endSentence() const
{
    const QString bound = text(timeText(m_state.bound));
    const Ticks saved = m_state.given - m_state.best;
    QString sentence =
        !m_state.givenFits ? tr("%1, within the memory.").arg(text(timeText(m_state.best)))
        : saved > 0 ? tr("%1 shorter: %2.").arg(text(timeText(saved)), text(timeText(m_state.best)))
                    : tr("No shorter order was found.");
    if (m_state.proven)
        sentence += tr(" Nothing is better, that is proven.");
    else
        sentence += tr(" At most %1 are left above the bound of %2.")
                        .arg(percentText(m_state.gap()), bound);
    return sentence;
}

/// What somebody else changes ends the search.
void Improver::noticeChange()
{
    if (!m_search || m_taking || m_document->lanes() == m_lanes)
        return;
    leave(tr("The schedule was changed meanwhile: the search has ended, what it found stays in the "
             "history."),
          false);
}

void Improver::leave(const QString& sentence, bool refusal)
{
    m_search->stop = true;
    m_search = nullptr;
    m_timer.stop();
    Q_EMIT changed();
    if (!sentence.isEmpty())
        Q_EMIT ended(sentence, refusal);
}

} // namespace pw::ui
