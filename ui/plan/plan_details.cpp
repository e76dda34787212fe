// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_details.h"

#include "core/base/text.h"
#include "core/plan/plan_words.h"
#include "ui/core_words.h"
#include "ui/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

struct PlanDetailsWords
{
    Q_DECLARE_TR_FUNCTIONS(PlanPage)
};

constexpr double msOfSecond = 1e3;

QString rankGibibytes(double bytes)
{
    return text(plainNumber(bytes / plan::gibibyte, 4));
}

/// Of every kind its ranks, and the fullest of them beside what a device of the kind has.
void addKinds(PageDetails& details, const plan::Cluster& cluster, const plan::Evaluation& row)
{
    const int ranks = static_cast<int>(row.memory.size());
    DetailsPart part;
    part.heading = PlanDetailsWords::tr("Kinds of accelerators");
    for (std::size_t kind = 0; kind < cluster.groups.size(); ++kind) {
        int first = ranks, last = -1;
        double fullest = 0;
        for (const DeviceId rank : Ids<DeviceId>(ranks)) {
            if (plan::kindOfRank(cluster, row.configuration, rank) != kind)
                continue;
            first = std::min<int>(first, rank);
            last = rank;
            fullest = std::max(fullest, row.memory[rank.index()].total());
        }
        if (last < 0)
            continue;
        const plan::Cluster& group = cluster.groups[kind];
        part.rows.push_back(
            {text(group.device.name),
             first == last ? PlanDetailsWords::tr("rank %1").arg(first)
                           : PlanDetailsWords::tr("ranks %1 to %2").arg(first).arg(last),
             PlanDetailsWords::tr("%1 of %2 GiB")
                 .arg(rankGibibytes(fullest), rankGibibytes(group.usableMemory()))});
    }
    if (!part.rows.empty())
        details.parts.push_back(std::move(part));
}

void addTimes(PageDetails& details, const plan::Evaluation& row)
{
    DetailsPart time;
    time.heading = PlanDetailsWords::tr("What the iteration takes");
    for (const plan::NamedPart& part : plan::namedParts(row))
        if (part.seconds > 0)
            time.rows.push_back(
                {coreWords(part.name),
                 text(plainNumber(msOfSecond * part.seconds)) + PlanDetailsWords::tr(" ms"),
                 text(plainNumber(100 * part.seconds / row.seconds(), 3)) + QStringLiteral(" %")});
    time.rows.push_back(
        {PlanDetailsWords::tr("all"),
         text(plainNumber(msOfSecond * row.seconds(), 5)) + PlanDetailsWords::tr(" ms")});
    details.parts.push_back(std::move(time));
}

void addMemory(PageDetails& details, const plan::Evaluation& row)
{
    const auto fullest =
        std::max_element(row.memory.begin(), row.memory.end(),
                         [](const auto& a, const auto& b) { return a.total() < b.total(); });
    if (fullest != row.memory.end()) {
        DetailsPart bytes;
        bytes.heading =
            PlanDetailsWords::tr("What rank %1 holds").arg(fullest - row.memory.begin());
        const auto add = [&bytes](const QString& name, double value) {
            if (value > 0)
                bytes.rows.push_back({name, text(plainNumber(value / plan::gibibyte)) +
                                                PlanDetailsWords::tr(" GiB")});
        };
        add(PlanDetailsWords::tr("weights"), fullest->weights);
        add(PlanDetailsWords::tr("further versions"), fullest->versions);
        add(PlanDetailsWords::tr("gradients"), fullest->gradients);
        add(PlanDetailsWords::tr("optimizer"), fullest->optimizer);
        add(PlanDetailsWords::tr("activations"), fullest->activations);
        add(PlanDetailsWords::tr("working"), fullest->working);
        add(PlanDetailsWords::tr("buffers"), fullest->buffers);
        add(PlanDetailsWords::tr("fragments"), fullest->fragments);
        add(PlanDetailsWords::tr("all"), fullest->total());
        details.parts.push_back(std::move(bytes));
    }
}

} // namespace

void addPlanParts(PageDetails& details, const PlanAsked& asked, const plan::Evaluation& row,
                  const plan::Evaluation& best)
{
    DetailsPart what;
    what.heading = text(row.configuration.family + " " + plan::degreesText(row.configuration));
    what.rows.push_back({PlanDetailsWords::tr("Why"), coreWords(plan::reasonText(row, best))});
    what.rows.push_back({PlanDetailsWords::tr("Layers"),
                         text(plan::placedSplitText(asked.cluster, row.configuration))});
    details.parts.push_back(std::move(what));
    addKinds(details, asked.cluster, row);
    addTimes(details, row);
    addMemory(details, row);
}

void addPlanHelp(PageDetails& details, const plan::PlanTable& found, bool second,
                 const QStringList& help)
{
    if (second) {
        DetailsPart runnerUp;
        runnerUp.heading = PlanDetailsWords::tr("Why not the second");
        runnerUp.rows.push_back({{}, text(plan::runnerUpText(found))});
        details.parts.push_back(std::move(runnerUp));
    }
    if (help.isEmpty())
        return;
    DetailsPart helps;
    helps.heading = PlanDetailsWords::tr("What would help");
    for (const QString& line : help)
        helps.rows.push_back(
            {line.section(QStringLiteral(": "), 0, 0), line.section(QStringLiteral(": "), 1)});
    details.parts.push_back(std::move(helps));
}

std::vector<ScatterPoint> planPoints(const std::vector<plan::Evaluation>& rows,
                                     const plan::PlanTable& found)
{
    std::vector<ScatterPoint> points;
    for (const plan::Evaluation& row : rows) {
        const bool pareto =
            std::find(found.pareto.begin(), found.pareto.end(), row) != found.pareto.end();
        const bool older =
            std::find(found.unflushed.begin(), found.unflushed.end(), row) != found.unflushed.end();
        points.push_back(
            {msOfSecond * row.seconds(), row.peakBytes() / plan::gibibyte,
             text(row.configuration.family + " " + plan::degreesText(row.configuration)), older,
             pareto});
    }
    return points;
}

} // namespace pw::ui
