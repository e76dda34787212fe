// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/drag_controller.h"

#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/plural.h"

#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>

namespace pw::ui {

namespace {

/// Pushed passes narrower than this are not told apart; the grabbed ones are always shown.
constexpr double leastPixels = 1.5;

SpanRef spanOf(const EntryAt& at)
{
    return {at.device, at.position};
}

/// For the positions of a device from `first` on, where they were before the moves.
struct Rearranged
{
    std::int32_t first = 0;
    std::vector<std::int32_t> from;

    explicit Rearranged(const MoveEntries* moves)
    {
        if (moves == nullptr || moves->moves.empty())
            return;
        std::int32_t last = 0;
        first = moves->moves.front().from;
        for (const EntryMove& move : moves->moves) {
            first = std::min({first, move.from, move.to});
            last = std::max({last, move.from, move.to});
        }
        from.assign(static_cast<std::size_t>(last - first) + 1, -1);
        std::vector<bool> left(from.size(), false);
        for (const EntryMove& move : moves->moves) {
            from[static_cast<std::size_t>(move.to - first)] = move.from;
            left[static_cast<std::size_t>(move.from - first)] = true;
        }
        std::size_t rest = 0;
        for (std::int32_t& source : from) {
            if (source >= 0)
                continue;
            while (left[rest])
                ++rest;
            source = first + static_cast<std::int32_t>(rest++);
        }
    }

    std::int32_t before(std::int32_t position) const
    {
        const std::int32_t at = position - first;
        return at >= 0 && at < static_cast<std::int32_t>(from.size())
                   ? from[static_cast<std::size_t>(at)]
                   : position;
    }
};

const MoveEntries* movesOf(const Edit& edit, std::size_t device)
{
    for (const Change& change : edit.changes)
        if (const auto* moves = change.as<MoveEntries>();
            moves != nullptr && static_cast<std::size_t>(moves->device) == device)
            return moves;
    return nullptr;
}

QString differenceText(Ticks difference)
{
    if (difference == 0)
        return DragController::tr("±0");
    return (difference > 0 ? QStringLiteral("+") : QStringLiteral("−")) +
           durationText(static_cast<double>(std::abs(difference)));
}

/// Moves that take entries one place on; those at an end, or behind one that stays, stay.
std::vector<EntryMove> movesByOne(const std::vector<std::int32_t>& positions, std::int32_t count,
                                  int direction)
{
    std::vector<EntryMove> moves;
    std::int32_t edge = direction > 0 ? count : -1; // the nearest place that is taken
    const auto move = [&](std::int32_t position) {
        const std::int32_t to = position + direction == edge ? position : position + direction;
        moves.push_back({position, to});
        edge = to;
    };
    if (direction > 0)
        std::for_each(positions.rbegin(), positions.rend(), move);
    else
        std::for_each(positions.begin(), positions.end(), move);
    std::sort(moves.begin(), moves.end(),
              [](const EntryMove& a, const EntryMove& b) { return a.from < b.from; });
    return moves;
}

} // namespace

DragController::DragController(ScheduleDocument& document, TimelineView& timeline, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_timeline(timeline)
{
    connect(&timeline, &TimelineView::dragBegun, this, &DragController::begin);
    connect(&timeline, &TimelineView::dragMoved, this, [this](double ticks, int) { move(ticks); });
    connect(&timeline, &TimelineView::dragEnded, this, &DragController::end);
    // Other lanes have come into view, and so other passes that make way.
    connect(timeline.verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m_trial != nullptr)
            showTrial();
    });
    connect(&timeline.range(), &ViewRange::changed, this, [this] {
        if (m_trial != nullptr)
            showTrial();
    });
    // What is dragged is of a draft that is no longer there.
    connect(&document, &ScheduleDocument::resultChanged, this, [this] {
        if (!m_committing)
            letGo();
    });
}

DragController::~DragController() = default;

std::vector<EntryAt> DragController::grabbedBy(SpanRef span) const
{
    if ((m_timeline.pressModifiers() & Qt::ShiftModifier) != 0) {
        const Pass pass = m_document.lanes()->pass(span);
        if (pass.kind != PassKind::U)
            return strandOf(m_document.draft(), pass.microBatch);
    }
    std::vector<EntryAt> entries;
    for (const SpanRef one : m_timeline.overlay().selected)
        entries.push_back({DeviceId(one.lane), static_cast<std::int32_t>(one.index)});
    const EntryAt own{DeviceId(span.lane), static_cast<std::int32_t>(span.index)};
    if (std::find(entries.begin(), entries.end(), own) == entries.end())
        return {own};
    return entries;
}

QString DragController::textOf(const std::vector<EntryAt>& entries, bool strand) const
{
    const Pass pass = m_document.lanes()->pass(spanOf(entries.front()));
    if (strand)
        return tr("Move micro-batch %1").arg(pass.microBatch);
    if (entries.size() == 1)
        return tr("Move %1").arg(passText(pass, m_document.draft().spec));
    return tr("Move %1").arg(plural(static_cast<qint64>(entries.size()), Noun::Pass));
}

void DragController::begin(SpanRef span)
{
    letGo();
    if (!m_document.lanes()->holds(span))
        return;
    const std::vector<EntryAt> grabbed = grabbedBy(span);
    const bool strand = (m_timeline.pressModifiers() & Qt::ShiftModifier) != 0;
    m_text = textOf(grabbed, strand);
    if (strand) {
        std::vector<SpanRef> spans;
        for (const EntryAt& at : grabbed)
            spans.push_back(spanOf(at));
        m_timeline.setSelection(std::move(spans));
    }
    Result<Drag> drag = Drag::begin(m_document.draft(), m_document.costs(), grabbed,
                                    m_document.freeEdit() ? DragMode::Free : DragMode::Strict);
    if (!drag) {
        Q_EMIT refused(coreSentence(drag.error().message));
        return;
    }
    m_drag.emplace(*std::move(drag));
}

void DragController::move(double ticks)
{
    const auto offset = static_cast<Ticks>(ticks);
    if (!m_drag || m_offset == offset)
        return;
    m_offset = offset;
    m_trial = &m_drag->trial(offset);
    showTrial();
}

/// What a trial takes, beside what there is; in a deadlock nothing ends.
QString DragController::makespanText(const DraftTimes& trial, const DraftTimes& now)
{
    if (!trial.ring.empty())
        return tr("deadlock: no makespan");
    const QString takes = durationText(static_cast<double>(trial.times.makespan));
    return now.ring.empty()
               ? tr("makespan %1 (%2)")
                     .arg(takes, differenceText(trial.times.makespan - now.times.makespan))
               : tr("makespan %1").arg(takes);
}

void DragController::showTrial()
{
    findGhosts();
    const DragTrial& trial = *m_trial;
    m_refusal = trial.refused();
    const QString makespan = makespanText(m_drag->times(), m_document.times());
    if (m_refusal)
        m_hint = coreSentence(refusalText(trial.why, m_drag->draft().spec));
    else if (!trial.problems.none())
        m_hint = tr("%1\nBreaks a rule: %2")
                     .arg(makespan, coreSentence(placed(trial.problems.list.front())));
    else
        m_hint = trial.edit.empty() ? QString() : makespan;
    Q_EMIT trialChanged();
}

void DragController::findGhosts()
{
    m_ghosts.clear();
    const DraftTimes& held =
        m_drag->held(static_cast<Ticks>(m_timeline.timeAt(m_timeline.room().right())) + 1);
    const EntryLooks looks(m_drag->draft().spec);
    for (std::size_t device = 0; device < m_drag->draft().orders.size(); ++device)
        if (m_timeline.sees(static_cast<int>(device)))
            addGhosts(device, held, looks);
    // Those that are held lie over what makes way for them.
    for (const EntryAt& at : m_trial->grabbed) {
        const auto entry =
            static_cast<std::size_t>(held.entry(at.device, static_cast<std::size_t>(at.position)));
        const OrderEntry& passes =
            m_drag->draft()
                .orders[static_cast<std::size_t>(at.device)][static_cast<std::size_t>(at.position)];
        m_ghosts.push_back({at.device, held.times.start[entry], held.times.end[entry],
                            looks.look(passes), passes.pass, passes.partner});
    }
}

/// Passes of a device, but the grabbed ones, that would be elsewhere.
void DragController::addGhosts(std::size_t device, const DraftTimes& held, const EntryLooks& looks)
{
    const auto begin = static_cast<std::size_t>(held.begin[device]);
    const auto end = static_cast<std::size_t>(held.begin[device + 1]);
    const QRectF room = m_timeline.room();
    const double left = m_timeline.timeAt(room.left());
    const double right = m_timeline.timeAt(room.right());
    const double least = leastPixels * m_timeline.scale().ticksPerPixel;
    const auto seen = std::upper_bound(held.times.end.begin() + static_cast<std::ptrdiff_t>(begin),
                                       held.times.end.begin() + static_cast<std::ptrdiff_t>(end),
                                       static_cast<Ticks>(left));
    // Where passes are that narrow on average, there is nothing to be seen and much to go through.
    const auto last = std::lower_bound(seen - held.times.end.begin() + held.times.start.begin(),
                                       held.times.start.begin() + static_cast<std::ptrdiff_t>(end),
                                       static_cast<Ticks>(right));
    const auto count = last - held.times.start.begin() - (seen - held.times.end.begin());
    if (static_cast<double>(count) * least > right - left)
        return;
    const DraftTimes& now = m_document.times();
    const Rearranged rearranged(movesOf(m_trial->edit, device));
    for (auto i = static_cast<std::size_t>(seen - held.times.end.begin()); i < end; ++i) {
        const Ticks start = held.times.start[i];
        if (static_cast<double>(start) > right)
            break;
        if (static_cast<double>(held.times.end[i] - start) < least)
            continue;
        const auto position = static_cast<std::int32_t>(i - begin);
        const auto before = static_cast<std::size_t>(
            now.entry(DeviceId(device), static_cast<std::size_t>(rearranged.before(position))));
        const EntryAt at{DeviceId(device), position};
        if (now.times.start[before] == start ||
            std::binary_search(m_trial->grabbed.begin(), m_trial->grabbed.end(), at))
            continue;
        const OrderEntry& passes =
            m_drag->draft().orders[device][static_cast<std::size_t>(position)];
        m_ghosts.push_back({static_cast<std::int32_t>(device), start, held.times.end[i],
                            looks.look(passes), passes.pass, passes.partner});
    }
}

void DragController::end(bool dropped)
{
    if (!m_drag)
        return;
    const DragTrial trial = m_trial != nullptr ? *m_trial : DragTrial{};
    letGo();
    if (!dropped)
        return;
    if (trial.refused())
        Q_EMIT refused(coreSentence(refusalText(trial.why, m_document.draft().spec)));
    if (!trial.edit.empty())
        commit(trial.edit, trial.grabbed, m_text);
}

void DragController::letGo()
{
    if (!m_drag)
        return;
    m_drag.reset();
    m_trial = nullptr;
    m_offset.reset();
    m_ghosts.clear();
    m_hint.clear();
    m_refusal = false;
    Q_EMIT trialChanged();
}

/// Does an edit of entries and selects where they have come to.
void DragController::commit(const Edit& edit, const std::vector<EntryAt>& places,
                            const QString& text)
{
    const QScopedValueRollback committing(m_committing, true);
    if (const Result<void> done = m_document.edit(m_document.onOwnOrders(edit), text); !done) {
        Q_EMIT refused(coreSentence(done.error().message));
        return;
    }
    std::vector<SpanRef> spans;
    for (const EntryAt& at : places)
        spans.push_back(spanOf(at));
    m_timeline.setSelection(std::move(spans));
}

void DragController::moveByOne(int direction)
{
    if (m_drag)
        return;
    const std::vector<std::vector<OrderEntry>>& orders = m_document.draft().orders;
    std::vector<std::vector<std::int32_t>> positions(orders.size());
    std::vector<EntryAt> entries;
    for (const SpanRef span : m_timeline.overlay().selected) {
        if (!m_document.lanes()->holds(span))
            continue;
        positions[static_cast<std::size_t>(span.lane)].push_back(
            static_cast<std::int32_t>(span.index));
        entries.push_back({DeviceId(span.lane), static_cast<std::int32_t>(span.index)});
    }
    if (entries.empty()) {
        Q_EMIT refused(tr("No pass is selected that could be moved."));
        return;
    }
    const QString what = textOf(entries, false);
    Edit edit;
    for (std::size_t device = 0; device < positions.size(); ++device) {
        std::vector<std::int32_t>& own = positions[device];
        if (own.empty())
            continue;
        std::sort(own.begin(), own.end());
        auto moves = movesByOne(own, static_cast<std::int32_t>(orders[device].size()), direction);
        const auto to = [&](std::int32_t from) {
            return std::find_if(moves.begin(), moves.end(),
                                [&](const EntryMove& move) { return move.from == from; })
                ->to;
        };
        for (EntryAt& at : entries)
            if (static_cast<std::size_t>(at.device) == device)
                at.position = to(at.position);
        if (std::any_of(moves.begin(), moves.end(),
                        [](const EntryMove& move) { return move.from != move.to; }))
            edit.changes.emplace_back(MoveEntries{DeviceId(device), std::move(moves)});
    }
    if (edit.empty())
        Q_EMIT refused(direction > 0 ? tr("Nothing comes after it on its device.")
                                     : tr("Nothing comes before it on its device."));
    else
        commit(edit, entries, what);
}

void DragController::selectStrand()
{
    const SpanRef current = m_timeline.current();
    if (!m_document.lanes()->holds(current)) {
        Q_EMIT refused(tr("Select a pass; then its whole micro-batch can be selected."));
        return;
    }
    const Pass pass = m_document.lanes()->pass(current);
    if (pass.kind == PassKind::U) {
        Q_EMIT refused(tr("An optimizer update belongs to no micro-batch."));
        return;
    }
    std::vector<SpanRef> spans;
    for (const EntryAt& at : strandOf(m_document.draft(), pass.microBatch))
        if (spanOf(at) != current)
            spans.push_back(spanOf(at));
    spans.push_back(current);
    m_timeline.setSelection(std::move(spans));
}

} // namespace pw::ui
