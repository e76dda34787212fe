// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/alternative.h"

#include "core/base/text.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pw::ui {

namespace {

struct AlternativeWords
{
    Q_DECLARE_TR_FUNCTIONS(Alternatives)
};

/// What is over the cap in a row that no simulation held against it.
void holdAgainstCap(Alternative& row, const RankQuestion& question)
{
    if (row.ranked != nullptr)
        return;
    const bool bytes = question.capBytes > 0 && row.peakBytes > question.capBytes;
    const bool share = question.capShare > 0 &&
                       row.peakMicroBatches > microBatchesFromShare(question.capShare) + 1e-9;
    row.overCap = bytes || share ? AlternativeWords::tr("above the memory limit") : QString();
}

QString reasonOf(const Alternative& one, const Alternative& best, bool first)
{
    if (!one.problem.isEmpty())
        return one.problem;
    if (!one.made())
        return AlternativeWords::tr("reading…");
    if (!one.overCap.isEmpty())
        return one.overCap;
    QString reason;
    if (!first && one.time() > best.time())
        reason = AlternativeWords::tr("slower by %1").arg(text(timeText(one.time() - best.time())));
    else if (!first)
        reason = one.memory() > best.memory() ? AlternativeWords::tr("as fast, with more memory")
                                              : AlternativeWords::tr("as fast");
    const bool sameUnit = (one.peakBytes > 0) == (best.peakBytes > 0);
    if (!first && sameUnit && one.memory() < best.memory() * (1 - 1e-9))
        reason = AlternativeWords::tr("%1, %2 % less memory")
                     .arg(reason, text(plainNumber(100 * (1 - one.memory() / best.memory()), 2)));
    if (one.asynchronous) {
        const QString older = AlternativeWords::tr("asynchronous: gradients of older weights");
        reason = reason.isEmpty() ? older : AlternativeWords::tr("%1; %2").arg(reason, older);
    }
    return reason;
}

} // namespace

QString kindWord(AlternativeKind kind)
{
    switch (kind) {
    case AlternativeKind::Family:
        return AlternativeWords::tr("family");
    case AlternativeKind::Schedule:
        return AlternativeWords::tr("schedule");
    case AlternativeKind::WhatIf:
        return AlternativeWords::tr("what if");
    case AlternativeKind::Found:
        return AlternativeWords::tr("found order");
    case AlternativeKind::Run:
        return AlternativeWords::tr("run");
    case AlternativeKind::Plan:
        return AlternativeWords::tr("plan of a run");
    }
    return {};
}

Alternative alternativeOf(std::shared_ptr<const Ranked> ranked)
{
    Alternative row;
    row.name = text(ranked->candidate.name);
    row.tip = coreWords(ranked->candidate.family->summary);
    row.problem = coreSentence(ranked->refusal);
    row.overCap = coreSentence(ranked->overCap);
    row.makespan = ranked->makespan;
    row.low = ranked->low;
    row.high = ranked->high;
    row.wallBubble = ranked->wallBubble;
    row.peakMicroBatches = ranked->peakMicroBatches;
    row.peakBytes = ranked->peakBytes;
    row.asynchronous = ranked->asynchronous;
    row.ranked = std::move(ranked);
    return row;
}

void takeTimeline(Alternative& row, ComparedPtr timeline)
{
    row.name = timeline->title;
    row.tip = timeline->about;
    row.problem.clear();
    row.makespan = timeline->times.makespan;
    row.low = row.high = 0;
    row.wallBubble = wallBubble(timeline->times).rate();
    row.peakMicroBatches = peakMicroBatches(timeline->times);
    row.peakBytes = timeline->memory.total;
    row.asynchronous = timeline->schedule->spec().updateRule != UpdateRule::Flush;
    row.timeline = std::move(timeline);
}

ComparedPtr timelineOf(const Ranked& ranked)
{
    auto made = std::make_shared<Compared>();
    made->title = text(ranked.candidate.name);
    made->schedule = ranked.schedule;
    made->times = ranked.result;
    made->lanes = lanesOf(made->schedule, made->times);
    made->memory = wholePeak(*made->schedule, ranked.costs, made->times);
    made->costs = std::make_shared<const Costs>(ranked.costs);
    return made;
}

void orderAlternatives(std::vector<Alternative>& all, const RankQuestion& question)
{
    for (Alternative& row : all)
        holdAgainstCap(row, question);
    const auto group = [](const Alternative& row) { return row.fits() ? 0 : row.made() ? 1 : 2; };
    std::stable_sort(all.begin(), all.end(), [&](const Alternative& a, const Alternative& b) {
        if (group(a) != group(b))
            return group(a) < group(b);
        if (!a.made())
            return false;
        return a.time() != b.time() ? a.time() < b.time() : a.memory() < b.memory();
    });
    // Sorted by time, so only less memory than everything before is worth more time.
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < all.size(); ++i) {
        Alternative& row = all[i];
        row.pareto = row.fits() && row.memory() < least * (1 - 1e-9);
        if (row.pareto)
            least = row.memory();
        row.reason = reasonOf(row, all.front(), i == 0);
    }
}

QString againstWords(const Alternative& row, const Alternative* base, bool& good)
{
    good = false;
    if (!row.overCap.isEmpty())
        return AlternativeWords::tr("above the memory limit");
    if (base == nullptr || base->id == row.id || base->memory() <= 0 || base->makespan <= 0)
        return row.asynchronous ? AlternativeWords::tr("asynchronous") : QString();
    const double time = static_cast<double>(row.makespan) / static_cast<double>(base->makespan);
    const double memory = row.memory() / base->memory();
    const auto than = [](double part, const QString& less, const QString& more,
                         const QString& same) {
        constexpr double noticed = 0.0005;
        return std::abs(part - 1) < noticed ? same
               : part < 1                   ? less.arg(percentText(1 - part))
                                            : more.arg(percentText(part - 1));
    };
    const QString shorter =
        than(time, AlternativeWords::tr("%1 shorter"), AlternativeWords::tr("%1 longer"),
             AlternativeWords::tr("as long"));
    if ((row.peakBytes > 0) != (base->peakBytes > 0))
        return AlternativeWords::tr("against 1F1B: %1").arg(shorter);
    good = time <= 1 && memory <= 1 + 1e-9;
    return AlternativeWords::tr("against 1F1B: %1, %2")
        .arg(shorter,
             than(memory, AlternativeWords::tr("%1 less memory"),
                  AlternativeWords::tr("%1 more memory"), AlternativeWords::tr("same memory")));
}

std::vector<int> firstSideBySide(const std::vector<Alternative>& all)
{
    std::vector<int> ids;
    const auto add = [&](const auto& wanted) {
        const auto found = std::find_if(all.begin(), all.end(), wanted);
        if (found != all.end() && std::find(ids.begin(), ids.end(), found->id) == ids.end())
            ids.push_back(found->id);
    };
    add([](const Alternative& row) { return row.kind == AlternativeKind::Schedule; });
    add([](const Alternative& row) { return row.fits(); });
    return ids;
}

QString figuresOf(const Alternative& row)
{
    QStringList parts = {text(timeText(row.makespan)),
                         AlternativeWords::tr("bubble %1").arg(percentText(row.wallBubble)),
                         text(plainNumber(row.peakMicroBatches)) + AlternativeWords::tr(" mb")};
    if (row.peakBytes > 0)
        parts << text(byteText(row.peakBytes));
    return parts.join(QStringLiteral(" · "));
}

} // namespace pw::ui
