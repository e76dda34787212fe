// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/against_rows.h"

#include "core/base/text.h"
#include "core/cost/accelerator.h"
#include "core/edit/fit_costs.h"
#include "core/families/closed_forms.h"
#include "core/families/family.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/models/number_table.h"
#include "ui/plural.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::ui {

namespace {

struct Against
{
    Q_DECLARE_TR_FUNCTIONS(InspectorPanel)
};

bool isTime(Quantity quantity)
{
    return quantity != Quantity::PeakActivation && quantity != Quantity::WeightVersions;
}

QString nameOf(Quantity quantity)
{
    switch (quantity) {
    case Quantity::SpanBubble:
        return Against::tr("Span bubble");
    case Quantity::WallBubble:
        return Against::tr("Wall bubble");
    case Quantity::Makespan:
        return Against::tr("Makespan");
    case Quantity::PeakActivation:
        return Against::tr("Peak activation");
    case Quantity::WeightVersions:
        return Against::tr("Weight versions");
    }
    return {};
}

double simulated(const ScheduleDocument& document, Quantity quantity)
{
    const SimResult& result = document.result();
    const Schedule& schedule = *document.schedule();
    switch (quantity) {
    case Quantity::SpanBubble:
        return static_cast<double>(spanBubble(result).idle);
    case Quantity::WallBubble:
        return static_cast<double>(wallBubble(result).idle);
    case Quantity::Makespan:
        return static_cast<double>(result.makespan);
    case Quantity::PeakActivation:
        return peakMicroBatches(result);
    case Quantity::WeightVersions:
        break;
    }
    int most = 0;
    const PipelineSpec& spec = schedule.spec();
    for (int route = 0; route < spec.routeCount(); ++route)
        for (const StageId stage : Ids<StageId>(spec.stages()))
            most = std::max(most, weightVersionsAlive(schedule, result, route, stage));
    return most;
}

QString valueText(Quantity quantity, double value)
{
    if (isTime(quantity))
        return durationText(value);
    return quantity == Quantity::PeakActivation ? microBatchText(value) : shortNumber(value);
}

/// Thousands of passes that are each rounded to a nanosecond may add up to a microsecond.
bool agrees(double one, double other)
{
    constexpr double relative = 1e-6;
    return std::abs(one - other) <= relative * std::max(std::abs(other), 1.0) + 2;
}

NumberRow formRow(const ScheduleDocument& document, const ClosedForm& form, double value)
{
    const double own = simulated(document, form.quantity);
    NumberRow row{nameOf(form.quantity), valueText(form.quantity, value)};
    const bool met = isTime(form.quantity) ? agrees(own, value) : std::abs(own - value) < 1e-6;
    row.good = met;
    row.verdict = met ? Against::tr("= simulated")
                      : Against::tr("simulated %1").arg(valueText(form.quantity, own));
    row.note = form.estimate ? Against::tr("as published: %1").arg(text(form.formula))
                             : QStringLiteral("= %1").arg(text(form.formula));
    if (form.estimate && !form.condition.empty())
        row.note += Against::tr(" (%1)").arg(text(form.condition));
    return row;
}

void addForms(const ScheduleDocument& document, std::vector<NumberRow>& rows)
{
    const Project& project = document.project();
    const std::optional<EqualStages> equal = equalStagesOf(project);
    const UniformCosts* uniform = equal ? &equal->costs : nullptr;
    const Result<const Family*> family =
        findFamily(project.family ? project.family->id : std::string());
    if (!family || (*family)->closedForms.empty())
        return;
    if (uniform == nullptr) {
        rows.push_back({Against::tr("Formula"), Against::tr("is for equal stages")});
        return;
    }
    if (!project.offload.cells.empty()) {
        rows.push_back({Against::tr("Formula"), Against::tr("knows no copies to the host")});
        return;
    }
    const ClosedFormInput input = closedFormInput(**family, project.family->options, *uniform);
    std::vector<Quantity> seen;
    for (const ClosedForm& form : (*family)->closedForms) {
        const std::optional<double> value = valueOf(form, input);
        const bool known = std::find(seen.begin(), seen.end(), form.quantity) != seen.end();
        if (!value || (known && !form.estimate))
            continue;
        rows.push_back(formRow(document, form, *value));
        seen.push_back(form.quantity);
    }
    if (seen.empty())
        rows.push_back({Against::tr("Formula"),
                        Against::tr("holds for other costs"),
                        {},
                        false,
                        text((*family)->closedForms.front().condition)});
}

/// "as 1F1B", "12.5 % less", "20 % more".
QString peakVerdict(double own, double other, const QString& whose)
{
    if (other <= 0 || std::abs(own - other) < 1e-6 * other)
        return Against::tr("as %1").arg(whose);
    return own < other ? Against::tr("%1 less").arg(percentText(1 - own / other))
                       : Against::tr("%1 more").arg(percentText(own / other - 1));
}

/// What a schedule that others are held against holds.
struct OtherPeak
{
    const WholePeak& memory;
    Bytes activation = 0;
    double microBatches = 0;
    QString whose;
};

/// All that the fullest device of the other one holds. @param own  null: not known yet
NumberRow memoryRow(const QString& name, const WholePeak* own, const OtherPeak& other)
{
    NumberRow row{name, text(byteText(other.memory.total))};
    if (own == nullptr || !own->known())
        return row;
    row.verdict = peakVerdict(static_cast<double>(own->total),
                              static_cast<double>(other.memory.total), other.whose);
    row.good = own->total <= other.memory.total;
    row.note = Against::tr("%1 on the fullest device here: %2")
                   .arg(text(byteText(own->total)), kindsText(*own));
    return row;
}

/// Activations in bytes where they are known, else in micro-batches.
NumberRow activationRow(const QString& name, const SimResult& own, const OtherPeak& other)
{
    const Bytes bytes = other.activation;
    const bool known = bytes > 0 && peakActivation(own) > 0;
    NumberRow row{name, known ? text(byteText(bytes)) : microBatchText(other.microBatches)};
    row.verdict = known ? peakVerdict(static_cast<double>(peakActivation(own)),
                                      static_cast<double>(bytes), other.whose)
                        : peakVerdict(peakMicroBatches(own), other.microBatches, other.whose);
    row.note = Against::tr("most activation of %1 on a device").arg(other.whose);
    row.good =
        known ? peakActivation(own) <= bytes : peakMicroBatches(own) <= other.microBatches + 1e-9;
    return row;
}

/// The whole peak where more than activations has a size, and the activations.
void addPeaks(std::vector<NumberRow>& rows, const ScheduleDocument& document,
              const ScheduleFindings* found, const OtherPeak& other,
              const std::array<QString, 2>& names)
{
    if (other.memory.total > other.activation)
        rows.push_back(memoryRow(names[0], found != nullptr ? &found->memory : nullptr, other));
    rows.push_back(activationRow(names[1], document.result(), other));
}

/// What no order goes below, and why.
NumberRow boundRow(double own, const ProvenBound& proven)
{
    const auto bound = static_cast<double>(proven.time);
    NumberRow row{Against::tr("Lower bound"), durationText(bound)};
    row.good = proven.fits && agrees(own, bound);
    if (!proven.fits)
        row.verdict = Against::tr("needs more memory");
    else
        row.verdict = row.good ? Against::tr("met")
                               : Against::tr("%1 above").arg(percentText(own / bound - 1));
    row.note =
        QStringLiteral("%1: %2").arg(coreSentence(ordersOf(proven)), coreSentence(proofOf(proven)));
    return row;
}

double perSecond(double count, Ticks makespan)
{
    return makespan > 0 ? count / (static_cast<double>(makespan) / 1e9) : 0;
}

QString bubbleText(const Bubble& bubble)
{
    return QStringLiteral("%1 (%2)").arg(durationText(static_cast<double>(bubble.idle)),
                                         percentText(bubble.rate()));
}

/// The device that comes nearest to its cap, or without caps holds most: "8.2 of 10 GiB".
QString memoryText(const ScheduleDocument& document)
{
    const std::vector<Bytes> held =
        document.schedule() != nullptr
            ? heldAtMost(*document.schedule(), document.costs(), document.result())
            : heldAtMost(document.project().draft.spec, document.costs(), document.result());
    const std::vector<Bytes>& caps = document.costs().memoryCap;
    double worst = -1;
    QString said;
    for (std::size_t device = 0; device < held.size(); ++device) {
        const Bytes bytes = held[device];
        const Bytes cap = caps.empty() ? 0 : caps[device];
        const double part = static_cast<double>(bytes) /
                            (cap > 0 ? static_cast<double>(cap) : static_cast<double>(1LL << 62));
        if (bytes <= 0 || part <= worst)
            continue;
        worst = part;
        if (cap > 0) {
            const Unit unit = byteUnit(std::max(bytes, cap));
            said = Against::tr("%1 of %2 %3")
                       .arg(shortNumber(static_cast<double>(bytes) / unit.size),
                            shortNumber(static_cast<double>(cap) / unit.size), text(unit.name));
        } else {
            said = text(byteText(bytes));
        }
    }
    return said;
}

std::int64_t passCount(const Draft& draft)
{
    std::int64_t count = 0;
    for (const auto& order : draft.orders)
        for (const OrderEntry& entry : order)
            count += entry.paired ? 2 : 1;
    return count;
}

} // namespace

Pinned pinnedOf(const ScheduleDocument& document)
{
    const SimResult& result = document.result();
    return {document.title(), result.makespan, peakMicroBatches(result), peakActivation(result),
            wholePeak(*document.schedule(), document.costs(), result)};
}

std::vector<NumberRow> againstRows(const ScheduleDocument& document, const ScheduleFindings* found,
                                   const std::optional<Pinned>& pinned)
{
    std::vector<NumberRow> rows;
    addForms(document, rows);
    const SimResult& result = document.result();
    const auto own = static_cast<double>(result.makespan);
    const QString whose = Against::tr("1F1B");
    if (found == nullptr) {
        rows.push_back({whose, QStringLiteral("…")});
        rows.push_back({Against::tr("Lower bound"), QStringLiteral("…")});
    } else {
        if (found->oneFOneB) {
            const auto other = static_cast<double>(found->oneFOneB->makespan);
            rows.push_back({whose, durationText(other), lengthVerdict(own, other), own <= other,
                            Against::tr("with the same work")});
        } else {
            rows.push_back({whose, QStringLiteral("—"), {}, false, found->noOneFOneB});
        }
        rows.push_back(boundRow(own, found->bound));
        if (found->oneFOneB)
            addPeaks(
                rows, document, found,
                {found->oneFOneB->memory, found->oneFOneB->peakBytes, found->oneFOneB->peak, whose},
                {Against::tr("Memory"), Against::tr("Activations")});
    }
    if (pinned) {
        const auto other = static_cast<double>(pinned->makespan);
        rows.push_back(
            {pinned->title, durationText(other), lengthVerdict(own, other), own <= other});
        addPeaks(rows, document, found,
                 {pinned->memory, pinned->peakBytes, pinned->peak, Against::tr("it")},
                 {Against::tr("its memory"), Against::tr("its activations")});
    }
    return rows;
}

std::vector<NumberRow> throughputRows(const ScheduleDocument& document,
                                      const ScheduleFindings* found)
{
    const PipelineSpec& spec = document.project().draft.spec;
    const Ticks makespan = document.result().makespan;
    const int count = spec.totalMicroBatches();
    std::vector<NumberRow> rows;
    NumberRow rate{Against::tr("Throughput"),
                   Against::tr("%1 micro-batches/s").arg(shortNumber(perSecond(count, makespan)))};
    if (found != nullptr && found->oneFOneB && makespan > 0) {
        const double faster =
            static_cast<double>(found->oneFOneB->makespan) / static_cast<double>(makespan);
        rate.note = Against::tr("%1 × 1F1B").arg(QString::fromStdString(plainNumber(faster, 3)));
    }
    rows.push_back(rate);
    if (!document.project().origin)
        return rows;
    const CostOrigin& origin = *document.project().origin;
    const TransformerModel& dense = origin.model.dense;
    const double tokens =
        static_cast<double>(tokensOfMicroBatch(origin.model)) * count * dense.dataParallel;
    rows.push_back({Against::tr("Tokens"),
                    Against::tr("%1 tokens/s").arg(shortNumber(perSecond(tokens, makespan))),
                    {},
                    false,
                    dense.dataParallel > 1 ? Against::tr("over %1 replicas").arg(dense.dataParallel)
                                           : QString()});
    if (const Result<Accelerator> device = findAccelerator(origin.hardware);
        device && makespan > 0) {
        const double samples = static_cast<double>(dense.microBatch) * count;
        const double used = utilisation(
            sampleFlops(origin.model) * samples, static_cast<double>(makespan) / 1e9,
            static_cast<double>(spec.devices) * dense.tensorParallel, device->peakFlops);
        rows.push_back({Against::tr("Utilisation"),
                        percentText(used),
                        {},
                        false,
                        Against::tr("of the peak rate, MFU")});
    }
    return rows;
}

QString noMakespanText()
{
    return Against::tr("deadlock: no makespan");
}

QString figuresText(const ScheduleDocument& document, bool problems)
{
    const SimResult& result = document.result();
    if (result.devices.empty())
        return {};
    const QLocale numbers = QLocale::c();
    QStringList parts;
    // Times of a ring are those of the passes before it, and nothing ends.
    const bool ends = document.times().ring.empty();
    parts
        << (ends
                ? Against::tr("makespan %1").arg(durationText(static_cast<double>(result.makespan)))
                : noMakespanText());
    const std::int64_t passes = document.schedule() != nullptr ? document.schedule()->passCount()
                                                               : passCount(document.draft());
    if (passes > 0 && ends) {
        parts << Against::tr("span bubble %1").arg(bubbleText(spanBubble(result)))
              << Against::tr("wall bubble %1").arg(bubbleText(wallBubble(result)));
        const QString bytes = memoryText(document);
        const Share cap = document.costs().shareCap;
        const QString peak =
            cap > 0 ? Against::tr("peak %1 of %2")
                          .arg(shortNumber(peakMicroBatches(result)),
                               microBatchText(microBatchesFromShare(cap)))
                    : Against::tr("peak %1").arg(microBatchText(peakMicroBatches(result)));
        parts << (bytes.isEmpty() ? peak : Against::tr("%1, memory %2").arg(peak, bytes));
    }
    if (document.schedule() == nullptr) {
        const std::int64_t wrong = document.problems().count;
        parts << Against::tr("%1 so far").arg(plural(passes, Noun::Pass));
        if (problems && wrong > 0)
            parts << Against::tr("%1 missing or wrong").arg(numbers.toString(qlonglong(wrong)));
    } else {
        parts << Against::tr("%1, simulated in %2")
                     .arg(plural(passes, Noun::Pass),
                          durationText(static_cast<double>(document.simulationTime())));
    }
    return parts.join(QStringLiteral("     "));
}

} // namespace pw::ui
