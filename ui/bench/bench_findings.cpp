// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/check.h"
#include "core/families/family.h"
#include "core/model/schedule.h"
#include "ui/bench/bench_model.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/plural.h"

#include <algorithm>

// What is said of a block that is drawn, and what becomes of it in a timeline.

namespace pw::ui {

namespace {

QString missingText(const BuildingBlock& block)
{
    const std::vector<Pass> missing = missingPasses(block);
    if (missing.empty())
        return {};
    const QString first = passText(missing.front(), specOf(block));
    return missing.size() == 1
               ? BenchModel::tr("Missing: %1.").arg(first)
               : BenchModel::tr("Missing: %1 and %2 more.").arg(first).arg(missing.size() - 1);
}

/// A refusal that a person reads begins with a capital and ends with a full stop.
QString findingSentence(QString text)
{
    if (text.isEmpty())
        return text;
    if (text.size() > 1 && text[1].isLower())
        text[0] = text[0].toUpper();
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

/// Time of all passes of a kind where they take the same; 0 where there are none, −1 else.
Ticks commonTime(const Arrangement& arrangement, PassKind kind)
{
    Ticks common = 0;
    for (const std::vector<BlockPass>& device : arrangement.devices) {
        for (const BlockPass& placed : device) {
            if (placed.pass.kind != kind)
                continue;
            if (common != 0 && common != placed.duration)
                return -1;
            common = placed.duration;
        }
    }
    return common;
}

/// The times as those of a full device share in units, where equal stages have them.
std::optional<UniformCosts> uniformUnits(const Arrangement& arrangement, Ticks unit)
{
    const auto chunks = chunksOfDevices(arrangement.spec);
    const auto count = static_cast<Ticks>(chunks.front().size());
    for (const auto& device : chunks) {
        if (static_cast<Ticks>(device.size()) != count)
            return std::nullopt;
    }
    if (arrangement.spec.segments() > 1 || arrangement.spec.routeCount() > 1)
        return std::nullopt;
    const Ticks forward = commonTime(arrangement, PassKind::F);
    const Ticks backward = commonTime(arrangement, PassKind::B);
    const Ticks weight = commonTime(arrangement, PassKind::W);
    const Ticks fused = commonTime(arrangement, PassKind::BW);
    const Ticks again = commonTime(arrangement, PassKind::R);
    if (forward < 0 || backward < 0 || weight < 0 || fused < 0 ||
        (fused > 0 && backward > 0 && fused != backward + weight) ||
        (again != 0 && again != forward))
        return std::nullopt;
    UniformCosts costs;
    costs.forward = forward * unit * count;
    costs.backward = backward > 0 ? backward * unit * count : fused * unit * count / 2;
    costs.weight = backward > 0 ? weight * unit * count : fused * unit * count - costs.backward;
    return costs;
}

} // namespace

BenchFindings findingsOf(const BuildingBlock& block)
{
    BenchFindings findings;
    findings.work.assign(static_cast<std::size_t>(block.devices), 0);
    for (const BlockPass& placed : block.passes)
        findings.work[static_cast<std::size_t>(block.device(placed.pass))] += placed.duration;
    findings.collisions = collisions(block);
    // Whole or not, whatever the interval: a short one is told by what collides.
    BuildingBlock wide = block;
    wide.interval = maxBlockTicks;
    if (const std::string broken = brokenPlace(block); !broken.empty())
        findings.unfinished = findingSentence(coreSentence(broken));
    else if (const QString missing = missingText(block); !missing.isEmpty())
        findings.unfinished = missing;
    else if (const Result<void> whole = check(wide); !whole)
        findings.unfinished = findingSentence(coreSentence(whole.error().message));
    if (findings.unfinished.isEmpty())
        findings.lifespans = lifespans(block);

    findings.refusal = findings.unfinished;
    if (findings.refusal.isEmpty() && !findings.collisions.empty()) {
        findings.refusal = findingSentence(coreSentence(findings.collisions.front().text(block)));
        if (const std::size_t more = findings.collisions.size() - 1; more > 0)
            findings.refusal += more == 1 ? BenchModel::tr(" One more collision.")
                                          : BenchModel::tr(" %1 more collisions.").arg(more);
    }
    if (findings.refusal.isEmpty()) {
        if (const Result<void> whole = check(block); !whole)
            findings.refusal = findingSentence(coreSentence(whole.error().message));
    }
    return findings;
}

const AssemblyStage& stageOf(const Assembly& assembly, BenchStage stage)
{
    switch (stage) {
    case BenchStage::Repeated:
        return assembly.repeated;
    case BenchStage::Squeezed:
        return assembly.squeezed;
    case BenchStage::Reordered:
        break;
    }
    return assembly.reordered;
}

std::variant<UniformCosts, Costs> drawnCosts(const Arrangement& arrangement)
{
    constexpr Ticks longestDrawn = 100'000; // so that it stays a time that a project may have
    Ticks longest = 1;
    for (const std::vector<BlockPass>& device : arrangement.devices) {
        for (const BlockPass& placed : device)
            longest = std::max(longest, placed.duration);
    }
    const Ticks unit = longest <= longestDrawn ? ticksPerMs : 1;
    if (const std::optional<UniformCosts> uniform = uniformUnits(arrangement, unit))
        return *uniform;
    Costs costs = costsOf(arrangement);
    for (std::vector<Ticks>* table :
         {&costs.forward, &costs.backward, &costs.weight, &costs.fused, &costs.recompute}) {
        for (Ticks& time : *table)
            time *= unit;
    }
    for (PassTime& one : costs.single)
        one.time *= unit;
    return costs;
}

Project projectOf(const BuildingBlock& block, const Arrangement& arrangement)
{
    Project project;
    project.title = block.title;
    project.draft = {arrangement.spec, ordersOf(arrangement)};
    project.costs = drawnCosts(arrangement);
    project.blocks = {block};
    return project;
}

} // namespace pw::ui
