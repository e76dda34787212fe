// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "executor/api/recording_sink.h"
#include "executor/api/run_plan.h"
#include "tests/support/family_runs.h"

#include <QtTest>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace pw::test {

/// A plan of a schedule with a model that is just large enough; none where ranks would wait for
/// each other under the message rule.
inline std::optional<exec::RunPlan> planOf(const Schedule& schedule, const Costs& costs,
                                           MessageRule rule = MessageRule::Early)
{
    PipelineSpec spec = schedule.spec();
    spec.messages = rule;
    Result<Schedule> same = Schedule::make(spec, schedule.orders());
    if (!same)
        qFatal("%s", same.error().message.c_str());
    exec::GptModel model;
    model.layers = spec.stages();
    model.sequence = 16 * spec.segments();
    Result<LayerSplit> split = evenSplit(model.layers, spec.stages());
    if (!split)
        qFatal("%s", split.error().message.c_str());
    Result<exec::RunPlan> plan = exec::makePlan(std::move(*same), costs, model, std::move(*split));
    if (!plan && plan.error().code == ErrorCode::Deadlock)
        return {};
    if (!plan)
        qFatal("%s", plan.error().message.c_str());
    return std::move(*plan);
}

/// Options of a family for so many devices and twice as many micro-batches, if it takes them.
inline std::optional<FamilyOptions> optionsFor(const Family& family, int devices)
{
    const FamilyOptions options = sized(devices, 2 * devices);
    return specOf(family, options) ? std::optional(options) : std::nullopt;
}

/// Whether an order cannot be kept where a send waits for its receive, since somewhere two devices
/// both send before either of them receives. Of these families it is so; of an order that is
/// searched for with the costs at hand the simulator says it.
inline bool refusesCommitted(const Family& family, const Schedule& schedule)
{
    if (family.id == "zb-auto") {
        PipelineSpec spec = schedule.spec();
        spec.messages = MessageRule::Committed;
        const Result<Schedule> same = Schedule::make(spec, schedule.orders());
        return same && !simulate(*same, expand(UniformCosts{}, spec));
    }
    constexpr std::string_view refusing[] = {"breadth-first", "dualpipe",
                                             "dualpipe-v",    "gis",
                                             "hanayo",        "interleaved-1f1b",
                                             "kfkb",          "seq1f1b-interleaved",
                                             "v-auto",        "v-half",
                                             "v-min",         "v-zb",
                                             "zb-h2",         "zb-v"};
    return std::find(std::begin(refusing), std::end(refusing), family.id) != std::end(refusing);
}

/// Rows of a test: every family, devices and message rule.
inline void addFamilyRows(std::initializer_list<int> devices, bool committedToo)
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<bool>("committed");
    for (const Family& family : allFamilies()) {
        const QString id = QString::fromUtf8(family.id.data(), static_cast<int>(family.id.size()));
        for (const int p : devices) {
            if (!optionsFor(family, p))
                continue;
            for (const bool committed : {false, true}) {
                if (!committed || committedToo)
                    QTest::addRow("%s on %d devices%s", qPrintable(id), p,
                                  committed ? ", committed" : "")
                        << id << p << committed;
            }
        }
    }
}

} // namespace pw::test
