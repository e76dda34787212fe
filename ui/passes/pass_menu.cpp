// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/passes/pass_menu.h"

#include "core/edit/pass_edits.h"
#include "core/model/known_sizes.h"
#include "core/sim/host_copies.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/pass_rows.h"
#include "ui/passes/one_number_dialog.h"
#include "ui/plural.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double mostPassMs = 1e9;
constexpr double mostCapGib = 1e6;
constexpr double bytesPerGib = 1024.0 * 1024.0 * 1024.0;

/// "F of micro-batch 3 on stage 1", "4 passes".
QString calledTogether(const std::vector<Pass>& passes, const PipelineSpec& spec)
{
    return passes.size() == 1 ? shortName(passes.front(), spec)
                              : plural(static_cast<qint64>(passes.size()), Noun::Pass);
}

} // namespace

PassMenu::PassMenu(ScheduleDocument& document, TimelineView& timeline,
                   std::function<void(QMenu&)> more, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_timeline(timeline)
    , m_more(std::move(more))
{
    timeline.viewport()->installEventFilter(this);
    timeline.installEventFilter(this);
    connect(&timeline, &TimelineView::activated, this, [this](SpanRef span) {
        // A double click in a level means something else there.
        if (!m_document.lanes()->holds(span) || (m_locked && !m_locked().isEmpty()))
            return;
        makeSelected(span);
        askTime();
    });
}

std::vector<Pass> PassMenu::passes() const
{
    std::vector<Pass> found;
    const auto& orders = m_document.draft().orders;
    for (const SpanRef span : m_timeline.selection()) {
        if (!m_document.lanes()->holds(span))
            continue;
        const OrderEntry& entry =
            orders[static_cast<std::size_t>(span.lane)][static_cast<std::size_t>(span.index)];
        found.push_back(entry.pass);
        if (entry.paired)
            found.push_back(entry.partner);
    }
    return found;
}

/// What is clicked is meant: alone, or with the others that are selected.
void PassMenu::makeSelected(SpanRef span)
{
    const std::vector<SpanRef>& selected = m_timeline.selection();
    if (std::find(selected.begin(), selected.end(), span) == selected.end())
        m_timeline.select(span);
}

DeviceId PassMenu::device() const
{
    const SpanRef current = m_timeline.current();
    return m_document.lanes()->holds(current) ? DeviceId(current.lane) : DeviceId::none();
}

QString PassMenu::whyNot() const
{
    if (m_locked)
        if (const QString why = m_locked(); !why.isEmpty())
            return why;
    return !device().valid() ? tr("No pass is selected.") : QString();
}

bool PassMenu::mayNot()
{
    const QString why = whyNot();
    if (!why.isEmpty())
        Q_EMIT refused(why);
    return !why.isEmpty();
}

void PassMenu::take(const Result<Edit>& edit, const QString& text, bool ownOrders)
{
    if (!edit) {
        Q_EMIT refused(coreSentence(edit.error().message));
        return;
    }
    const Result<void> done =
        m_document.edit(ownOrders ? m_document.onOwnOrders(*edit) : *edit, text);
    if (!done)
        Q_EMIT refused(coreSentence(done.error().message));
}

void PassMenu::askTime()
{
    if (mayNot())
        return;
    const std::vector<Pass> which = passes();
    const PipelineSpec& spec = m_document.draft().spec;
    const Costs& costs = m_document.costs();
    const bool own = std::any_of(which.begin(), which.end(),
                                 [&](const Pass& pass) { return hasOwnTime(costs, pass); });
    const double table = msFromTicks(tableTime(costs, spec, which.front()));
    OneNumberDialog::Words words;
    words.title = tr("Time of %1").arg(calledTogether(which, m_document.draft().spec));
    words.sentence =
        which.size() == 1
            ? tr("%1 alone takes, whatever others of its stage take:")
                  .arg(calledTogether(which, m_document.draft().spec))
            : tr("Each of the %1 takes:").arg(calledTogether(which, m_document.draft().spec));
    words.unit = tr("ms");
    if (own)
        words.none =
            which.size() == 1
                ? tr("As in the table (%1)").arg(durationText(std::round(table * ticksPerMs)))
                : tr("As in the table");
    auto* dialog = new OneNumberDialog(words, msFromTicks(passTime(costs, spec, which.front())),
                                       mostPassMs, 6, m_timeline.window());
    dialog->setObjectName(QStringLiteral("pass-time"));
    connect(dialog, &OneNumberDialog::chosen, this, [this, which](std::optional<double> ms) {
        const std::optional<Ticks> time =
            ms ? std::optional<Ticks>(ticksFromMs(*ms)) : std::nullopt;
        take(passTimeEdit(m_document.project(), which, time),
             tr("Time of %1").arg(calledTogether(which, m_document.draft().spec)), false);
    });
    dialog->open();
}

void PassMenu::askCap()
{
    if (mayNot())
        return;
    if (!hasSizes(m_document.costs()))
        return askShareCap();
    const DeviceId which = device();
    const std::vector<Bytes>& caps = m_document.costs().memoryCap;
    const Bytes now = caps.empty() ? 0 : caps[static_cast<std::size_t>(which)];
    OneNumberDialog::Words words;
    words.title = tr("Memory limit of device %1").arg(which);
    words.sentence = tr("Device %1 holds at most:").arg(which);
    words.unit = tr("GiB");
    words.none = now > 0 ? tr("No limit") : QString();
    auto* dialog = new OneNumberDialog(words, static_cast<double>(now) / bytesPerGib, mostCapGib, 3,
                                       m_timeline.window());
    dialog->setObjectName(QStringLiteral("device-cap"));
    connect(dialog, &OneNumberDialog::chosen, this, [this, which](std::optional<double> gib) {
        std::optional<Bytes> cap;
        if (gib && *gib > 0)
            cap = std::max<Bytes>(1, static_cast<Bytes>(std::llround(*gib * bytesPerGib)));
        take(deviceCapEdit(m_document.project(), which, cap),
             tr("Memory limit of device %1").arg(which), false);
    });
    dialog->open();
}

void PassMenu::askShareCap()
{
    constexpr double mostMicroBatches = 1e6;
    const Share now = m_document.costs().shareCap;
    OneNumberDialog::Words words;
    words.title = tr("Memory limit of every device");
    words.sentence = tr("Nothing has a size in bytes here, so activations are capped, of all "
                        "devices alike. Each holds at most:");
    words.unit = tr("micro-batches");
    words.none = now > 0 ? tr("No limit") : QString();
    auto* dialog = new OneNumberDialog(words, microBatchesFromShare(now), mostMicroBatches, 3,
                                       m_timeline.window());
    dialog->setObjectName(QStringLiteral("device-cap"));
    connect(dialog, &OneNumberDialog::chosen, this, [this](std::optional<double> microBatches) {
        std::optional<Share> cap;
        if (microBatches && *microBatches > 0)
            cap = std::max<Share>(1, shareLimit(*microBatches));
        take(shareCapEdit(m_document.project(), cap), tr("Memory limit of every device"), false);
    });
    dialog->open();
}

void PassMenu::recompute(bool on, bool stage)
{
    if (mayNot())
        return;
    const Draft& draft = m_document.draft();
    const std::vector<Pass> chosen = passes();
    const std::vector<Pass> cells =
        stage ? cellsOfStage(draft, chosen.back().stage) : cellsOf(chosen);
    take(recomputeEdit(draft, cells, on),
         on ? tr("Recompute %1")
                  .arg(stage ? tr("stage %1").arg(chosen.back().stage)
                             : calledTogether(cells, m_document.draft().spec))
            : tr("No recomputation"),
         true);
}

void PassMenu::offload(bool on, bool stage)
{
    if (mayNot())
        return;
    const std::vector<Pass> chosen = passes();
    const std::vector<Pass> cells =
        stage ? cellsOfStage(m_document.draft(), chosen.back().stage) : cellsOf(chosen);
    const QString what = stage ? tr("stage %1").arg(chosen.back().stage)
                               : calledTogether(cells, m_document.draft().spec);
    take(offloadEdit(m_document.project(), cells, on),
         on ? tr("Offload %1").arg(what) : tr("Keep %1 on the device").arg(what), false);
}

std::shared_ptr<const Schedule> PassMenu::wholeSchedule()
{
    if (m_locked)
        if (const QString why = m_locked(); !why.isEmpty()) {
            Q_EMIT refused(why);
            return nullptr;
        }
    std::shared_ptr<const Schedule> schedule = m_document.schedule();
    if (schedule == nullptr)
        Q_EMIT refused(tr("Only of a whole schedule it is known which copies no pass waits for."));
    return schedule;
}

void PassMenu::offloadHidden()
{
    const std::shared_ptr<const Schedule> schedule = wholeSchedule();
    if (schedule == nullptr)
        return;
    Offload next = m_document.project().offload;
    next.cells = hiddenOffload(*schedule, m_document.costs());
    if (next == m_document.project().offload) {
        Q_EMIT refused(next.cells.empty()
                           ? tr("No activation could go to the host and be back in time: the "
                                "passes between are too short for the copies.")
                           : tr("These activations go to the host already."));
        return;
    }
    Edit edit;
    edit.changes.emplace_back(SetOffload{std::move(next)});
    take(edit, tr("Offload what is hidden"), false);
}

void PassMenu::offloadFitting()
{
    const std::shared_ptr<const Schedule> schedule = wholeSchedule();
    if (schedule == nullptr)
        return;
    Result<std::vector<Pass>> cells = fittingOffload(*schedule, m_document.costs());
    if (!cells) {
        Q_EMIT refused(coreSentence(cells.error().message));
        return;
    }
    Offload next = m_document.project().offload;
    next.cells = *std::move(cells);
    if (next == m_document.project().offload) {
        Q_EMIT refused(next.cells.empty()
                           ? tr("Nothing has to go: all devices are within their limits.")
                           : tr("These activations go to the host already."));
        return;
    }
    Edit edit;
    edit.changes.emplace_back(SetOffload{std::move(next)});
    take(edit, tr("Offload as much as the limits need"), false);
}

void PassMenu::askHostLink()
{
    if (mayNot())
        return;
    constexpr double bytesPerGb = 1e9, mostGb = 1e6;
    const Link now = m_document.project().offload.link;
    OneNumberDialog::Words words;
    words.title = tr("Link to the host");
    words.sentence = tr("Between a device and its host, in either direction:");
    words.unit = tr("GB/s");
    words.none = tr("Usual (%1 GB/s)").arg(Offload::usualRate / bytesPerGb);
    auto* dialog =
        new OneNumberDialog(words, now.bytesPerSecond / bytesPerGb, mostGb, 3, m_timeline.window());
    dialog->setObjectName(QStringLiteral("host-link"));
    connect(dialog, &OneNumberDialog::chosen, this, [this, now](std::optional<double> rate) {
        const Link next{now.latency, rate ? *rate * bytesPerGb : Offload::usualRate};
        take(hostLinkEdit(m_document.project(), next), tr("Link to the host"), false);
    });
    dialog->open();
}

void PassMenu::add(QMenu& menu, const QString& words, bool can, const std::function<void()>& run)
{
    const QString why = whyNot();
    QAction* action = menu.addAction(words);
    action->setEnabled(can && why.isEmpty());
    action->setToolTip(why);
    connect(action, &QAction::triggered, this, run);
}

/// @param what  the cells in words
void PassMenu::fillOffload(QMenu& menu, const std::vector<Pass>& cells, const QString& what,
                           StageId stage)
{
    const Offload& own = m_document.project().offload;
    const auto some = [](const std::vector<bool>& marks, bool on) {
        return std::find(marks.begin(), marks.end(), on) != marks.end();
    };
    const std::vector<bool> chosen = offloadedOf(own, cells);
    const std::vector<bool> all = offloadedOf(own, cellsOfStage(m_document.draft(), stage));
    QMenu* more = menu.addMenu(tr("&Offload to the host"));
    more->setToolTipsVisible(true);
    add(*more, tr("&Offload %1 to the host").arg(what), some(chosen, false),
        [this] { offload(true, false); });
    add(*more, tr("&Keep %1 on the device").arg(what), some(chosen, true),
        [this] { offload(false, false); });
    add(*more, tr("Offload the whole &stage %1").arg(stage), some(all, false),
        [this] { offload(true, true); });
    add(*more, tr("Keep stage %1 on the &device").arg(stage), some(all, true),
        [this] { offload(false, true); });
    add(*more, tr("Offload what is &hidden, everywhere"), true, [this] { offloadHidden(); });
    add(*more, tr("Offload as much as the limits &need"), true, [this] { offloadFitting(); });
    more->addSeparator();
    add(*more, tr("&Link to the host…"), true, [this] { askHostLink(); });
}

void PassMenu::fill(QMenu& menu)
{
    const std::vector<Pass> chosen = passes();
    const auto add = [&](const QString& words, bool can, const std::function<void()>& run) {
        this->add(menu, words, can, run);
    };
    add(tr("&Time of %1…").arg(calledTogether(chosen, m_document.draft().spec)), true,
        [this] { askTime(); });
    menu.addSeparator();
    const std::vector<Pass> cells = cellsOf(chosen);
    const std::vector<bool> again = recomputedCells(m_document.draft(), cells);
    const auto count = std::count(again.begin(), again.end(), true);
    const QString what = cells.size() == 1 ? tr("micro-batch %1 on stage %2")
                                                 .arg(cells.front().microBatch)
                                                 .arg(cells.front().stage)
                                           : tr("%1 forwards").arg(cells.size());
    add(tr("&Recompute %1").arg(what), count < static_cast<std::ptrdiff_t>(cells.size()),
        [this] { recompute(true, false); });
    add(tr("&Keep activations of %1").arg(what), count > 0, [this] { recompute(false, false); });
    if (!cells.empty()) {
        const StageId stage = chosen.back().stage;
        const std::vector<bool> all =
            recomputedCells(m_document.draft(), cellsOfStage(m_document.draft(), stage));
        const auto recomputed = std::count(all.begin(), all.end(), true);
        add(tr("Recompute the whole &stage %1").arg(stage),
            recomputed < static_cast<std::ptrdiff_t>(all.size()),
            [this] { recompute(true, true); });
        add(tr("Keep &activations of stage %1").arg(stage), recomputed > 0,
            [this] { recompute(false, true); });
        fillOffload(menu, cells, what, stage);
    }
    menu.addSeparator();
    add(tr("&Memory limit of device %1…").arg(device()), true, [this] { askCap(); });
    if (m_more) {
        menu.addSeparator();
        m_more(menu);
    }
}

bool PassMenu::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ContextMenu)
        return QObject::eventFilter(watched, event);
    auto* asked = static_cast<QContextMenuEvent*>(event);
    const bool keyboard = asked->reason() == QContextMenuEvent::Keyboard;
    // Of the keyboard it comes to the view, of the mouse to its viewport.
    if (!keyboard && watched == m_timeline.viewport()) {
        const SpanRef span = m_timeline.spanAt(asked->pos());
        if (!m_document.lanes()->holds(span))
            return false;
        makeSelected(span);
    } else if (!keyboard) {
        return false;
    }
    if (!device().valid())
        return false;
    auto* menu = new QMenu(m_timeline.window());
    menu->setObjectName(QStringLiteral("pass-menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    fill(*menu);
    menu->popup(keyboard ? m_timeline.viewport()->mapToGlobal(
                               m_timeline.rectangleOf(m_timeline.current()).center().toPoint())
                         : asked->globalPos());
    return true;
}

} // namespace pw::ui
