// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/pass_rows.h"

#include "core/base/text.h"
#include "core/edit/present.h"
#include "core/sim/dependencies.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/models/number_table.h"
#include "ui/timeline/time_scale.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace pw::ui {

namespace {

struct Passes
{
    Q_DECLARE_TR_FUNCTIONS(InspectorPanel)
};

QString duration(Ticks ticks)
{
    return durationText(static_cast<double>(ticks));
}

/// Position of a stage among those of its device; −1 where there is but one.
int chunkOf(const Pass& pass, const PipelineSpec& spec)
{
    if (pass.route >= spec.routeCount() || pass.stage < 0 || pass.stage >= spec.stages())
        return -1;
    const DeviceId device = spec.device(pass.route, pass.stage);
    int before = 0, all = 0;
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) != device)
                continue;
            ++all;
            if (std::pair(route, stage) < std::pair(static_cast<int>(pass.route), pass.stage))
                ++before;
        }
    }
    return all > 1 ? before : -1;
}

/// An amount of activation: bytes where they are known, else micro-batches.
QString amount(Bytes bytes, Share share)
{
    return bytes != 0 ? text(byteText(bytes)) : microBatchText(microBatchesFromShare(share));
}

/// A schedule's pass: the exact rows.
class ScheduledPass
{
public:
    ScheduledPass(const ScheduleDocument& document, EntryId entry)
        : m_schedule(*document.schedule())
        , m_costs(document.costs())
        , m_result(document.result())
        , m_entry(entry)
        , m_pass(m_schedule.entry(m_entry).pass)
    {
    }

    NumberRow waited() const
    {
        const EntryId before(m_entry - 1);
        const bool first = m_entry == m_schedule.begin(device());
        const Ticks free = first ? 0 : m_result.end[static_cast<std::size_t>(before)];
        std::vector<Dependency> needs;
        Dependencies(m_schedule).append(m_schedule.table().id(m_pass), needs);
        const Dependency* last = nullptr;
        Ticks there = -1;
        for (const Dependency& need : needs) {
            const Ticks at = arrivalOf(need);
            if (at > there) {
                there = at;
                last = &need;
            }
        }
        NumberRow row{Passes::tr("Waited for"), Passes::tr("nothing")};
        if (last != nullptr && there >= free) {
            const Pass producer = m_schedule.pass(last->producer);
            const Ticks flight = there - endOf(last->producer);
            row.value = Passes::tr("%1 of stage %2 on device %3")
                            .arg(label(producer))
                            .arg(producer.stage)
                            .arg(m_schedule.device(last->producer));
            if (flight > 0)
                row.note = Passes::tr("and %1 for its message").arg(duration(flight));
        } else if (!first) {
            row.value =
                Passes::tr("its device, busy with %1").arg(label(m_schedule.entry(before).pass));
        }
        return row;
    }

    NumberRow memory() const
    {
        const PipelineSpec& spec = m_schedule.spec();
        if (m_pass.kind == PassKind::U)
            return {Passes::tr("Frees"), QStringLiteral("—")};
        const ActivationCost& cost =
            m_costs.activation[cellIndex(spec, m_pass.stage, m_pass.segment)];
        const ActivationChange change =
            activationChange(cost, m_pass.kind, m_schedule.recomputed(m_pass));
        if (m_pass.kind == PassKind::F || m_pass.kind == PassKind::R) {
            NumberRow row{Passes::tr("Holds"), amount(change.bytes, change.share)};
            if (const auto until = end(PassKind::B); until)
                row.note = Passes::tr("until %1").arg(duration(*until));
            return row;
        }
        const bool nothing = change.bytes == 0 && change.share == 0;
        NumberRow row{Passes::tr("Frees"),
                      nothing ? QStringLiteral("—") : amount(-change.bytes, -change.share)};
        if (m_pass.kind == PassKind::B && cost.keptForWeightShare > 0) {
            const auto until = end(PassKind::W);
            row.note = Passes::tr("%1 held for W")
                           .arg(amount(cost.keptForWeight, cost.keptForWeightShare));
            if (until)
                row.note += Passes::tr(" until %1").arg(duration(*until));
        }
        return row;
    }

private:
    DeviceId device() const { return m_schedule.device(m_schedule.table().id(m_pass)); }

    QString label(const Pass& pass) const
    {
        const bool segments = m_schedule.spec().segments() > 1;
        return QStringLiteral("%1 %2%3").arg(
            text(name(pass.kind)), QString::number(pass.microBatch),
            segments && pass.kind != PassKind::U ? QStringLiteral("/%1").arg(pass.segment)
                                                 : QString());
    }

    Ticks endOf(PassId id) const
    {
        return m_result.end[static_cast<std::size_t>(m_schedule.entryOf(id))];
    }

    Ticks arrivalOf(const Dependency& need) const
    {
        const Ticks sent = endOf(need.producer);
        if (!need.message)
            return sent;
        const Bytes bytes =
            messageBytes(m_costs, m_schedule.spec(), m_schedule.pass(need.producer), m_pass.kind);
        return arrival(m_costs, m_schedule.spec(), m_schedule.device(need.producer), device(),
                       bytes, sent);
    }

    /// When another pass of the cell ends, a BW for a B.
    std::optional<Ticks> end(PassKind kind) const
    {
        const PassId id = m_schedule.table().id(withKind(m_pass, kind));
        if (!m_schedule.has(id))
            return std::nullopt;
        return endOf(id);
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    const SimResult& m_result;
    EntryId m_entry{0};
    Pass m_pass;
};

/// What a pass of an unfinished draft waits for.
NumberRow draftWaited(const ScheduleDocument& document, const Pass& pass)
{
    NumberRow row{Passes::tr("Waited for"), Passes::tr("nothing")};
    const Draft& draft = document.draft();
    const DraftTimes& times = document.times();
    const Present present(draft);
    std::vector<Pass> producers;
    if (belongs(draft.spec, pass, draft.spec.device(pass.route, pass.stage)))
        present.producers(pass, producers);
    Ticks last = -1;
    QStringList missing;
    for (const Pass& producer : producers) {
        const EntryId entry = present.entry(producer);
        if (entry < 0) {
            missing << passText(producer, draft.spec);
        } else if (times.times.end[static_cast<std::size_t>(entry)] > last) {
            last = times.times.end[static_cast<std::size_t>(entry)];
            row.value = Passes::tr("%1 on device %2")
                            .arg(passText(withKind(producer, present.kind(producer)), draft.spec))
                            .arg(times.deviceOf(entry));
        }
    }
    if (!missing.isEmpty())
        row.note = Passes::tr("missing: %1").arg(missing.join(QStringLiteral(", ")));
    return row;
}

bool inside(const PipelineSpec& spec, const Pass& pass)
{
    return pass.route < spec.routeCount() && pass.stage >= 0 && pass.stage < spec.stages();
}

NumberRow slackRow(Ticks least, bool several)
{
    NumberRow row{several ? Passes::tr("Least slack") : Passes::tr("Slack"), duration(least)};
    if (least == 0)
        row.value += Passes::tr(" · on the critical path");
    return row;
}

} // namespace

QString shortName(const Pass& pass, const PipelineSpec& spec)
{
    QString said = QStringLiteral("%1 %2").arg(text(name(pass.kind))).arg(pass.microBatch);
    if (spec.segments() > 1 && pass.kind != PassKind::U)
        said += QStringLiteral("/%1").arg(pass.segment);
    said += Passes::tr(" · stage %1").arg(pass.stage);
    if (spec.routeCount() > 1)
        said += Passes::tr(" · route %1").arg(pass.route);
    if (const int chunk = chunkOf(pass, spec); chunk >= 0)
        said += Passes::tr(" · chunk %1").arg(chunk);
    return said;
}

std::vector<NumberRow> passRows(const ScheduleDocument& document, SpanRef span,
                                const ScheduleFindings* found)
{
    const PipelineSpec& spec = document.project().draft.spec;
    const Lane& lane = document.lanes()->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    const Pass pass = document.lanes()->pass(span);
    std::vector<NumberRow> rows;
    rows.push_back({Passes::tr("Pass"), shortName(pass, spec)});
    if (lane.look[index].paired)
        rows.push_back({Passes::tr("Beside"), shortName(document.lanes()->pass(span, true), spec)});
    rows.push_back({Passes::tr("Device"), QString::number(span.lane)});
    rows.push_back({Passes::tr("Start – end"), spanText(static_cast<double>(lane.start[index]),
                                                        static_cast<double>(lane.end[index]))});
    rows.push_back({Passes::tr("Takes"), duration(lane.end[index] - lane.start[index])});
    if (document.schedule() != nullptr) {
        const ScheduledPass scheduled(document, EntryId(lane.entry[index]));
        rows.push_back(scheduled.waited());
        rows.push_back(scheduled.memory());
        const auto entry = static_cast<std::size_t>(lane.entry[index]);
        if (found != nullptr && entry < found->slack.size())
            rows.push_back(slackRow(found->slack[entry], false));
        else
            rows.push_back({Passes::tr("Slack"), QStringLiteral("…")});
        return rows;
    }
    if (inside(spec, pass))
        rows.push_back(draftWaited(document, pass));
    rows.push_back({Passes::tr("Slack"), Passes::tr("known once every pass has its place")});
    const std::int64_t position =
        lane.entry[index] - document.times().begin[static_cast<std::size_t>(span.lane)];
    for (const Problem& problem : document.problems().list) {
        if (problem.device == span.lane && problem.position == position)
            rows.push_back(
                {.name = Passes::tr("Problem"), .value = coreSentence(problem.text), .bad = true});
    }
    return rows;
}

std::vector<NumberRow> selectionRows(const ScheduleDocument& document,
                                     const std::vector<SpanRef>& spans,
                                     const ScheduleFindings* found)
{
    std::array<int, passKindCount> kinds{};
    std::set<int> microBatches, devices;
    Ticks start = std::numeric_limits<Ticks>::max(), end = 0, busy = 0, slack = start;
    for (const SpanRef span : spans) {
        const Lane& lane = document.lanes()->lanes()[static_cast<std::size_t>(span.lane)];
        const auto index = static_cast<std::size_t>(span.index);
        for (const bool partner : {false, true}) {
            if (partner && !lane.look[index].paired)
                break;
            const Pass pass = document.lanes()->pass(span, partner);
            ++kinds[static_cast<std::size_t>(pass.kind)];
            if (pass.kind != PassKind::U)
                microBatches.insert(pass.microBatch);
        }
        devices.insert(span.lane);
        start = std::min(start, lane.start[index]);
        end = std::max(end, lane.end[index]);
        busy += lane.end[index] - lane.start[index];
        const auto entry = static_cast<std::size_t>(lane.entry[index]);
        if (found != nullptr && entry < found->slack.size())
            slack = std::min(slack, found->slack[entry]);
    }
    const auto listed = [](const std::set<int>& numbers) {
        QStringList parts;
        for (auto it = numbers.begin(); it != numbers.end();) {
            auto last = it;
            for (auto next = std::next(it); next != numbers.end() && *next == *last + 1; ++next)
                last = next;
            parts << (last == it ? QString::number(*it)
                                 : QStringLiteral("%1–%2").arg(*it).arg(*last));
            it = std::next(last);
        }
        return parts.join(QStringLiteral(", "));
    };
    QStringList counts;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        if (kinds[kind] > 0)
            counts << QStringLiteral("%1 %2")
                          .arg(kinds[kind])
                          .arg(text(name(static_cast<PassKind>(kind))));
    std::vector<NumberRow> rows;
    rows.push_back({Passes::tr("Passes"), counts.join(QStringLiteral(", "))});
    rows.push_back({Passes::tr("Micro-batches"), listed(microBatches)});
    rows.push_back({Passes::tr("Devices"), listed(devices)});
    rows.push_back(
        {Passes::tr("From – to"), spanText(static_cast<double>(start), static_cast<double>(end))});
    rows.push_back({Passes::tr("Work"), duration(busy)});
    if (document.schedule() != nullptr && found != nullptr)
        rows.push_back(slackRow(slack, true));
    return rows;
}

} // namespace pw::ui
