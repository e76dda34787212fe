// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/stage_table.h"

#include "core/base/try.h"
#include "core/model/longest_pass.h"

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

using Table = std::vector<std::int64_t>;

constexpr double bytesPerMebibyte = 1024.0 * 1024.0;
constexpr double mostMebibytes = 1024.0 * 1024 * 1024; // a pebibyte

/// Where a column stands in the costs.
struct Place
{
    Table Costs::*table = nullptr;
    Bytes ActivationCost::*activation = nullptr;
    bool time = true;
    bool perStage = false;
};

Place placeOf(int column)
{
    switch (column) {
    case StageTable::Forward:
        return {.table = &Costs::forward};
    case StageTable::Backward:
        return {.table = &Costs::backward};
    case StageTable::Weight:
        return {.table = &Costs::weight};
    case StageTable::Fused:
        return {.table = &Costs::fused};
    case StageTable::Recompute:
        return {.table = &Costs::recompute};
    case StageTable::Pair:
        return {.table = &Costs::pair};
    case StageTable::Update:
        return {.table = &Costs::update, .perStage = true};
    case StageTable::Activation:
        return {.activation = &ActivationCost::activation, .time = false};
    case StageTable::KeptForWeight:
        return {.activation = &ActivationCost::keptForWeight, .time = false};
    case StageTable::Stash:
        return {.activation = &ActivationCost::stash, .time = false};
    case StageTable::ForwardMessage:
        return {.table = &Costs::forwardMessage, .time = false};
    case StageTable::BackwardMessage:
        return {.table = &Costs::backwardMessage, .time = false};
    case StageTable::Weights:
        return {.table = &Costs::weights, .time = false, .perStage = true};
    case StageTable::Gradients:
        return {.table = &Costs::gradients, .time = false, .perStage = true};
    default:
        return {.table = &Costs::optimizer, .time = false, .perStage = true};
    }
}

double shown(std::int64_t value, bool time)
{
    return time ? msFromTicks(value) : static_cast<double>(value) / bytesPerMebibyte;
}

std::int64_t stored(double value, bool time)
{
    return time ? ticksFromMs(value)
                : static_cast<std::int64_t>(std::llround(value * bytesPerMebibyte));
}

QStringList rowTitles(const PipelineSpec& spec)
{
    QStringList titles;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int segment = 0; segment < spec.segments(); ++segment)
            titles << (spec.segments() > 1
                           ? StageTable::tr("stage %1, segment %2").arg(stage).arg(segment)
                           : StageTable::tr("stage %1").arg(stage));
    return titles;
}

} // namespace

StageTable::StageTable(const Costs& costs, const PipelineSpec& spec, QObject* parent)
    : NumberTable(columns(this, spec), rowTitles(spec), parent)
    , m_costs(costs)
    , m_spec(spec)
{
    const int segments = spec.segments();
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < ColumnCount; ++column) {
            const Place place = placeOf(column);
            if (place.activation != nullptr) {
                const ActivationCost& cost = costs.activation[static_cast<std::size_t>(row)];
                setValue(row, column, shown(cost.*place.activation, false));
                continue;
            }
            const Table& table = costs.*place.table;
            const bool here = !table.empty() && (!place.perStage || row % segments == 0);
            if (here)
                setValue(
                    row, column,
                    shown(table[static_cast<std::size_t>(place.perStage ? row / segments : row)],
                          place.time));
        }
    }
}

std::vector<NumberColumn> StageTable::columns(const StageTable* table, const PipelineSpec& spec)
{
    const int segments = spec.segments();
    const auto time = [](const QString& title, const QString& name, const QString& tip) {
        return NumberColumn{
            .title = title, .unit = tr("ms"), .name = name, .tip = tip, .most = longestPassMs};
    };
    const auto bytes = [](const QString& title, const QString& name, const QString& tip) {
        return NumberColumn{.title = title,
                            .unit = tr("MiB"),
                            .name = name,
                            .tip = tip,
                            .most = mostMebibytes,
                            .optional = true,
                            .fallback = [](int) { return std::optional(0.0); }};
    };
    const auto sum = [table](int row, std::initializer_list<int> of) -> std::optional<double> {
        double total = 0;
        for (const int column : of) {
            const std::optional<double> one = table->value(row, column);
            if (!one)
                return std::nullopt;
            total += *one;
        }
        return total;
    };
    const auto atStage = [segments](int row) { return row % segments == 0; };

    std::vector<NumberColumn> all(ColumnCount);
    all[Forward] = time(tr("F"), tr("the time of F"), tr("Forward of one micro-batch"));
    all[Backward] = time(tr("B"), tr("the time of B"), tr("Backward for the input"));
    all[Weight] = time(tr("W"), tr("the time of W"), tr("Backward for the weights"));
    all[Fused] =
        time(tr("BW"), tr("the time of BW"), tr("Backward for both, unsplit. Empty: B + W"));
    all[Recompute] = time(tr("R"), tr("the time of R"), tr("Recomputation. Empty: as F"));
    all[Pair] = time(tr("F+BW"), tr("the time of a pair"),
                     tr("An F and a BW that run overlapped. Empty: the sum of both"));
    all[Update] =
        time(tr("U"), tr("the time of U"), tr("Update of a stage's weights. Empty: no time"));
    for (const int column : {Fused, Recompute, Pair, Update})
        all[static_cast<std::size_t>(column)].optional = true;
    all[Fused].fallback = [sum](int row) { return sum(row, {Backward, Weight}); };
    all[Recompute].fallback = [sum](int row) { return sum(row, {Forward}); };
    all[Pair].fallback = [table, sum](int row) {
        return table->value(row, Fused) ? sum(row, {Forward, Fused})
                                        : sum(row, {Forward, Backward, Weight});
    };
    all[Update].fallback = [](int) { return std::optional(0.0); };
    all[Activation] = bytes(tr("Activation"), tr("the activation"),
                            tr("What one micro-batch keeps from its F on"));
    all[KeptForWeight] = bytes(tr("Kept for W"), tr("what is kept for W"),
                               tr("What of it is still held between B and W"));
    all[Stash] = bytes(tr("Stash"), tr("the stash"),
                       tr("What of it F leaves where an R pass computes it again"));
    all[ForwardMessage] =
        bytes(tr("F sends"), tr("the message of F"), tr("What F sends to the next stage"));
    all[BackwardMessage] = bytes(tr("B sends"), tr("the message of B"),
                                 tr("What the backward sends to the stage before"));
    all[Weights] = bytes(tr("Weights"), tr("the weights"), tr("One version of them"));
    all[Gradients] = bytes(tr("Gradients"), tr("the gradients"), tr("Of the stage's weights"));
    all[Optimizer] =
        bytes(tr("Optimizer"), tr("the optimizer's bytes"), tr("States and master weights"));
    for (const int column : {Update, Weights, Gradients, Optimizer})
        all[static_cast<std::size_t>(column)].has = atStage;
    return all;
}

Result<Costs> StageTable::costs() const
{
    if (const QString wrong = firstReason(); !wrong.isEmpty())
        return fail(ErrorCode::BadValue, wrong.toStdString());
    Costs costs = m_costs;
    const int segments = m_spec.segments();
    for (int column = 0; column < ColumnCount; ++column) {
        const Place place = placeOf(column);
        if (place.activation != nullptr) {
            for (int row = 0; row < rowCount(); ++row)
                costs.activation[static_cast<std::size_t>(row)].*place.activation =
                    stored(value(row, column).value_or(0), false);
            continue;
        }
        // A column of which nothing is given stays a table that is not there.
        Table table;
        bool any = false;
        for (int row = 0; row < rowCount(); row += place.perStage ? segments : 1) {
            const std::optional<double> given = value(row, column);
            any = any || given.has_value();
            table.push_back(given ? stored(*given, place.time)
                                  : stored(fallback(row, column).value_or(0), place.time));
        }
        costs.*place.table = any ? std::move(table) : Table();
    }
    for (std::size_t i = 0; i < costs.activation.size(); ++i) {
        ActivationCost& cost = costs.activation[i];
        const QString row = headerData(static_cast<int>(i), Qt::Vertical).toString();
        // Of a model whose B computes the forward again more is there for W than F has left.
        const ActivationCost& before = m_costs.activation[i];
        if (cost.keptForWeight > cost.activation && before.keptForWeight <= before.activation)
            return fail(
                ErrorCode::BadValue,
                tr("%1: more is kept for W than the activation has").arg(row).toStdString());
        if (cost.stash > cost.activation)
            return fail(ErrorCode::BadValue,
                        tr("%1: the stash is larger than the activation").arg(row).toStdString());
        // Shares follow the bytes, where bytes are known.
        const auto part = [&](Bytes of) {
            return static_cast<Share>(
                std::llround(static_cast<double>(cost.share) * static_cast<double>(of) /
                             static_cast<double>(cost.activation)));
        };
        if (cost.activation > 0) {
            cost.keptForWeightShare = std::min(part(cost.keptForWeight), cost.share);
            cost.stashShare = part(cost.stash);
        }
    }
    PW_DO(check(costs, m_spec));
    return costs;
}

} // namespace pw::ui
