// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/drop_controller.h"

#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/timeline/time_axis.h"

#include <QDropEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QScopedValueRollback>

#include <algorithm>

namespace pw::ui {

namespace {

/// More ghosts than a view has pixels to tell them apart.
constexpr std::size_t mostGhosts = 20'000;

std::optional<PaletteItem> itemOf(const QDropEvent& event)
{
    return event.mimeData() != nullptr ? PaletteItem::of(*event.mimeData()) : std::nullopt;
}

} // namespace

std::vector<Ghost> ghostsOf(const Proposal& proposal)
{
    std::vector<Ghost> ghosts;
    if (proposal.added.size() > mostGhosts)
        return ghosts;
    const EntryLooks looks(proposal.draft.spec);
    DeviceId device(0);
    for (const EntryId entry : proposal.added) {
        while (proposal.times.begin[device.index() + 1] <= entry)
            ++device;
        const std::size_t lane = device.index();
        const std::size_t at = entry.index();
        const OrderEntry& passes =
            proposal.draft.orders[lane][at - static_cast<std::size_t>(proposal.times.begin[lane])];
        ghosts.push_back({device, proposal.times.times.start[at], proposal.times.times.end[at],
                          looks.look(passes), passes.pass, passes.partner});
    }
    return ghosts;
}

DropController::DropController(ScheduleDocument& document, TimelineView& timeline, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_timeline(timeline)
{
    m_timeline.setAcceptDrops(true);
    m_timeline.viewport()->setAcceptDrops(true);
    m_timeline.viewport()->installEventFilter(this);
    connect(&m_timeline, &TimelineView::movedUnderDrag, this, [this] {
        if (m_held)
            moveTo(m_point);
    });
    connect(&m_document, &ScheduleDocument::resultChanged, this, [this] {
        m_ready.clear();
        m_spot.reset();
        if (!m_committing)
            forgetChoices();
    });
}

bool DropController::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove: {
        auto* drag = static_cast<QDragMoveEvent*>(event);
        const std::optional<PaletteItem> item = itemOf(*drag);
        if (!item)
            return false;
        if (m_held != item)
            take(*item);
        moveTo(drag->position());
        // Also a refused place is asked again while the pointer moves on.
        if (event->type() == QEvent::DragEnter || m_refusal.isEmpty()) {
            drag->setDropAction(Qt::CopyAction);
            drag->accept();
        } else {
            drag->ignore();
        }
        return true;
    }
    case QEvent::DragLeave:
        if (!m_held)
            return false;
        letGo();
        return true;
    case QEvent::Drop: {
        auto* dropped = static_cast<QDropEvent*>(event);
        const std::optional<PaletteItem> item = itemOf(*dropped);
        if (!item)
            return false;
        if (m_held != item)
            take(*item);
        dropped->setDropAction(Qt::CopyAction);
        dropped->setAccepted(drop(dropped->position()));
        return true;
    }
    default:
        return QObject::eventFilter(watched, event);
    }
}

void DropController::take(const PaletteItem& item)
{
    m_held = item;
    m_drop.reset();
    m_spot.reset();
    m_ready.clear();
    m_trialCount = 0;
}

DropPlace DropController::placeAt(QPointF point) const
{
    DropPlace place;
    if (point.x() >= TimeAxis::margin())
        place.device = DeviceId(m_timeline.laneAt(point));
    place.time = std::max<Ticks>(0, static_cast<Ticks>(m_timeline.timeAt(point.x())));
    place.free = m_document.freeEdit();
    return place;
}

DropController::Spot DropController::spotOf(const DropPlace& place)
{
    // Only a pass cares where it is held.
    const DraftTimes& times = m_document.times();
    if (m_held->kind != PaletteKind::Pass || !place.device.valid())
        return {};
    const std::size_t lane = place.device.index();
    if (lane + 1 >= times.begin.size())
        return {};
    m_ready.resize(times.begin.size() - 1);
    std::vector<Ticks>& ready = m_ready[lane];
    if (ready.empty()) {
        if (const auto found = suggestions(m_document.project(), place.device, place.time); found)
            for (const Suggestion& one : *found)
                ready.push_back(one.ready);
        std::sort(ready.begin(), ready.end());
        ready.push_back(std::numeric_limits<Ticks>::max());
    }
    Spot spot{place.device, 0, 0};
    // As `insertPass` counts: those that have their middle before.
    auto first = static_cast<std::ptrdiff_t>(times.begin[lane]);
    const auto begin = first;
    auto end = static_cast<std::ptrdiff_t>(times.begin[lane + 1]);
    while (first < end) {
        const std::ptrdiff_t middle = first + (end - first) / 2;
        const auto at = static_cast<std::size_t>(middle);
        if (times.times.start[at] + times.times.end[at] > 2 * place.time)
            end = middle;
        else
            first = middle + 1;
    }
    spot.position = first - begin;
    spot.ready = std::upper_bound(ready.begin(), ready.end(), place.time) - ready.begin();
    return spot;
}

void DropController::tryAt(const DropPlace& place)
{
    const Spot spot = spotOf(place);
    if (m_spot == spot)
        return;
    m_spot = spot;
    ++m_trialCount;
    Result<PaletteDrop> drop = dropOf(m_document.project(), *m_held, place);
    if (drop) {
        m_drop = *std::move(drop);
        m_hint = m_drop->hint;
        m_refusal.clear();
        m_ghosts = m_drop->later ? std::vector<Ghost>{} : ghostsOf(m_drop->proposal);
    } else {
        m_drop.reset();
        m_ghosts.clear();
        m_refusal = coreSentence(drop.error().message);
        m_hint = m_refusal;
    }
    Q_EMIT trialChanged();
}

void DropController::moveTo(QPointF point)
{
    m_point = point;
    m_timeline.setDraggedAt(point);
    tryAt(placeAt(point));
    m_timeline.setHint(m_hint, !m_refusal.isEmpty(), point);
}

void DropController::leave()
{
    m_held.reset();
    m_timeline.setDraggedAt({});
    m_drop.reset();
    m_spot.reset();
    m_ghosts.clear();
    m_hint.clear();
    m_refusal.clear();
    m_timeline.setHint({}, false);
    Q_EMIT trialChanged();
}

/// The pointer has gone on, or what it held was let go where it is refused: that comes without a
/// drop.
void DropController::letGo()
{
    const QString refusal = QGuiApplication::mouseButtons() == Qt::NoButton ? m_refusal : QString();
    leave();
    if (!refusal.isEmpty())
        Q_EMIT refused(refusal);
}

bool DropController::drop(QPointF point)
{
    const DropPlace place = placeAt(point);
    tryAt(place);
    std::optional<PaletteDrop> drop = std::exchange(m_drop, std::nullopt);
    const QString refusal = m_refusal;
    leave();
    if (!drop) {
        Q_EMIT refused(refusal);
        return false;
    }
    const std::optional<QString> why = commit(*std::move(drop), place);
    if (why)
        Q_EMIT refused(*why);
    else
        m_timeline.setFocus(Qt::OtherFocusReason);
    return !why;
}

void DropController::place(const PaletteItem& item)
{
    const SpanRef current = m_timeline.current();
    const EntryAt selected{DeviceId(current.lane), static_cast<std::int32_t>(current.index)};
    const bool any = m_document.lanes()->holds(current);
    DropPlace place = placeFor(m_document.project(), item, any ? &selected : nullptr);
    place.free = m_document.freeEdit();
    Result<PaletteDrop> drop = dropOf(m_document.project(), item, place);
    if (!drop) {
        Q_EMIT refused(coreSentence(drop.error().message));
        return;
    }
    if (const std::optional<QString> why = commit(*std::move(drop), place); why)
        Q_EMIT refused(*why);
}

std::optional<QString> DropController::commit(PaletteDrop drop, const DropPlace& place)
{
    std::vector<Pass> choices = choicesWith(m_document.project(), drop.choices);
    {
        const QScopedValueRollback<bool> own(m_committing, true);
        if (const Result<void> done = m_document.edit(drop.proposal.edit, drop.step); !done)
            return coreSentence(done.error().message);
    }
    select(drop);
    offer(std::move(choices), place);
    Q_EMIT placed(drop.hint);
    return std::nullopt;
}

void DropController::select(const PaletteDrop& drop)
{
    if (drop.choices.empty() || drop.proposal.added.size() != 1) {
        m_timeline.select({});
        return;
    }
    const EntryId entry = drop.proposal.added.front();
    const DeviceId device = drop.proposal.times.deviceOf(entry);
    m_timeline.select({device, entry - drop.proposal.times.begin[device.index()]});
}

void DropController::offer(std::vector<Pass> choices, const DropPlace& place)
{
    m_choices = std::move(choices);
    m_choice = 0;
    m_choicePlace = place;
    Q_EMIT choicesChanged();
}

void DropController::forgetChoices()
{
    if (m_choices.empty())
        return;
    m_choices.clear();
    Q_EMIT choicesChanged();
}

void DropController::choose(std::size_t choice)
{
    if (choice >= m_choices.size() || choice == m_choice)
        return;
    std::vector<Pass> choices = m_choices;
    const DropPlace place = m_choicePlace;
    const QScopedValueRollback<bool> own(m_committing, true);
    QUndoStack& history = m_document.undoStack();
    history.undo();
    Result<PaletteDrop> drop = dropOf(m_document.project(), choices[choice], place);
    Result<void> done;
    if (drop)
        done = m_document.edit(drop->proposal.edit, drop->step);
    if (!drop || !done) {
        history.redo();
        Q_EMIT refused(coreSentence(drop ? done.error().message : drop.error().message));
        return;
    }
    select(*drop);
    offer(std::move(choices), place);
    m_choice = choice;
    Q_EMIT choicesChanged();
    Q_EMIT placed(drop->hint);
}

} // namespace pw::ui
