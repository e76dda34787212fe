// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/plan_words.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/plan/planned_families.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

constexpr double msOfSecond = 1e3;

/// In per cent with three figures, none of them beyond hundredths: a model of cost knows no more.
std::string partText(double part)
{
    constexpr double hundredths = 100;
    const double percent = std::round(100 * hundredths * part) / hundredths;
    if (percent == 0 && part > 0)
        return "less than 0.01 %";
    return plainNumber(percent, 3) + " %";
}

} // namespace

double tokensPerSecond(const LanguageModel& model, const Evaluation& row)
{
    return static_cast<double>(row.configuration.globalBatch) * model.dense.sequence /
           row.seconds();
}

std::string degreesText(const Configuration& c)
{
    std::string text = "pp" + std::to_string(c.pipelineParallel) + " tp" +
                       std::to_string(c.tensorParallel) + " dp" + std::to_string(c.dataParallel);
    if (c.contextParallel > 1)
        text += " cp" + std::to_string(c.contextParallel);
    if (c.expertParallel > 1)
        text += " ep" + std::to_string(c.expertParallel);
    return text;
}

std::string splitText(const std::vector<int>& split)
{
    std::string text;
    for (std::size_t i = 0; i < split.size();) {
        std::size_t end = i;
        while (end < split.size() && split[end] == split[i])
            ++end;
        text += (text.empty() ? "" : " ") + std::to_string(split[i]);
        if (end - i > 1)
            text += "×" + std::to_string(end - i);
        i = end;
    }
    return text;
}

std::string placedSplitText(const Cluster& cluster, const Configuration& c)
{
    const Result<const Family*> family = findFamily(c.family);
    if (cluster.groups.empty() || !family)
        return splitText(c.split);
    const Result<PipelineSpec> spec =
        specOf(**family, familyOptions(**family, c, c.microBatches()));
    if (!spec || spec->stages() != static_cast<int>(c.split.size()))
        return splitText(c.split);
    const auto kindOf = [&](StageId stage) {
        return kindOfRank(cluster, c, spec->device(0, stage));
    };
    std::string text;
    const StageId behind(c.split.size());
    for (StageId stage(0); stage < behind;) {
        StageId end = stage;
        while (end < behind && kindOf(end) == kindOf(stage))
            ++end;
        const std::vector<int> own(c.split.begin() + stage, c.split.begin() + end);
        text += (text.empty() ? "" : ", ") +
                std::string(cluster.groups[kindOf(stage)].device.name) + " " + splitText(own);
        stage = end;
    }
    return text;
}

std::string recomputeText(const Configuration& c)
{
    std::string text(name(c.recompute));
    if (c.recomputedLayers > 0 && c.recompute != RecomputePolicy::None)
        text += ", " + countText(c.recomputedLayers, "layer");
    return text;
}

std::string rowName(const Evaluation& row)
{
    const Configuration& c = row.configuration;
    std::string text =
        c.family + " " + degreesText(c) + ", micro-batches of " + std::to_string(c.microBatchSize);
    if (c.chunks > 1)
        text += ", " + std::to_string(c.chunks) + " chunks";
    if (c.recompute != RecomputePolicy::None)
        text += ", recompute " + recomputeText(c);
    if (c.offload != OffloadPolicy::None)
        text += ", offload " + std::string(name(c.offload));
    return text;
}

std::vector<NamedPart> namedParts(const Evaluation& row)
{
    const IterationParts& parts = row.parts;
    constexpr const char* links = "inside_rate, partial_rate, outside_rate, latencies";
    return {{"matrix products", parts.busiest.products,
             "matrix_rate, matrix_start, rate of 8 or 4 bits"},
            {"attention", parts.busiest.attention, "matrix_rate, memory_rate"},
            {"element-wise kernels", parts.busiest.traffic, "memory_rate"},
            {"waiting for the host", parts.busiest.host, "launch_time, host_blend, pass_time"},
            {"tensor collectives", parts.busiest.tensor, links},
            {"expert exchange", parts.busiest.expert, links},
            {"context exchange", parts.busiest.context, links},
            {"copies to the host, exposed", parts.busiest.offload, "data sheet, .85 reached"},
            {"messages between stages", parts.exchange, "exchange_time"},
            {"bubble of the busiest device", parts.idle, "simulated order, hop_rate, latencies"},
            {"barrier of a shared vocabulary", parts.barrier, "an interval of the busiest device"},
            {"sum of gradients", parts.reduction, "reduce_rate, latencies"},
            {"tied embedding", parts.tied, "reduce_rate, latencies"},
            {"optimizer", parts.optimizer, "memory_rate"},
            {"rest of a step", parts.other, "step_time"}};
}

std::string constantsSource(const Cluster& cluster)
{
    std::string text;
    for (const Cluster* kind : kindsOf(cluster)) {
        const std::string_view name = kind->device.name;
        const bool ships = kind->constants == constantsFor(name, true) ||
                           kind->constants == constantsFor(name, false);
        const std::string own(ships ? sourceOfConstants(name) : "given");
        if (text.find(own) == std::string::npos)
            text += (text.empty() ? "" : "; ") + own;
    }
    return text;
}

std::vector<NamedBytes> namedBytes(const MemoryParts& memory)
{
    return {{"weights", "weights", memory.weights},
            {"weight_versions", "versions", memory.versions},
            {"gradients", "gradients", memory.gradients},
            {"optimizer", "optimizer", memory.optimizer},
            {"activations", "activations", memory.activations},
            {"working", "working", memory.working},
            {"buffers", "buffers", memory.buffers},
            {"loss", "loss", memory.loss, true},
            {"slices", "slices", memory.slices, true},
            {"dummy_gradients", "dummies", memory.dummies, true},
            {"fragments", "fragments", memory.fragments}};
}

std::string reasonText(const Evaluation& row, const Evaluation& best)
{
    if (!row.fits)
        return row.reason;
    const auto flushes = [unflushed = unflushedFamilies()](const Evaluation& one) {
        return std::find(unflushed.begin(), unflushed.end(), one.configuration.family) ==
               unflushed.end();
    };
    if (!flushes(row) && flushes(best))
        return "no flush: trains with weights a step old or more";
    if (row.configuration == best.configuration)
        return "fastest that fits";
    const std::vector<NamedPart> mine = namedParts(row), others = namedParts(best);
    std::size_t most = 0;
    for (std::size_t i = 1; i < mine.size(); ++i) {
        if (mine[i].seconds - others[i].seconds > mine[most].seconds - others[most].seconds)
            most = i;
    }
    return partText(row.seconds() / best.seconds() - 1) + " slower: " + mine[most].name + " +" +
           plainNumber(msOfSecond * (mine[most].seconds - others[most].seconds), 4) + " ms";
}

std::string runnerUpText(const PlanTable& table)
{
    if (table.rows.size() < 2)
        return {};
    const Evaluation& best = table.rows[0];
    const Evaluation& second = table.rows[1];
    const std::vector<NamedPart> a = namedParts(best), b = namedParts(second);
    std::vector<std::pair<double, const char*>> differences;
    for (std::size_t i = 0; i < a.size(); ++i)
        differences.emplace_back(b[i].seconds - a[i].seconds, a[i].name);
    std::sort(differences.begin(), differences.end(),
              [](const auto& x, const auto& y) { return std::abs(x.first) > std::abs(y.first); });
    std::string text = "Row 2, " + rowName(second) + ", is " +
                       partText(second.seconds() / best.seconds() - 1) + " slower:";
    constexpr std::size_t named = 3;
    for (std::size_t i = 0; i < named; ++i) {
        const double ms = msOfSecond * differences[i].first;
        constexpr double noticed = 0.01;
        if (std::abs(ms) < noticed)
            break;
        text += std::string(i == 0 ? " " : ", ") + differences[i].second + " " +
                (ms > 0 ? "+" : "") + plainNumber(ms, 4) + " ms";
    }
    return text;
}

std::vector<std::string> whatWouldHelp(const LanguageModel& model, const Cluster& cluster,
                                       const Wish& wish, const PlanTable& table,
                                       const std::atomic<bool>& stop)
{
    std::vector<std::string> lines;
    if (table.rows.empty())
        return lines;
    const double now = table.rows.front().seconds();
    Wish single = wish;
    single.rows = 1;
    constexpr double noticed = 0.0005;
    // What the rows' own search found out is no news to those that follow, where it looked at the
    // usual families alone.
    const bool usual = table.families <= plannedFamilies().size();
    const auto line = [&](const std::string& what, const Cluster& changed,
                          const KnownBefore& known) {
        if (stop.load())
            return;
        const Result<PlanTable> other = search(model, changed, single, &stop, {}, SearchCut::Rows,
                                               usual ? known : KnownBefore{});
        if (stop.load())
            return; // what was found so far says nothing
        if (!other || other->rows.empty()) {
            // A number of devices that nothing divides helps nobody.
            if (what == hostMemoryHelp && other)
                lines.push_back(what + ": nothing");
            else if (changed.devices == cluster.devices)
                lines.push_back(what + ": nothing, for no configuration uses it" +
                                (other ? std::string() : " (" + other.error().message + ")"));
            return;
        }
        const Evaluation& row = other->rows.front();
        const double gain = now / row.seconds() - 1;
        const std::string with =
            plainNumber(msOfSecond * row.seconds(), 5) + " ms with " + rowName(row);
        if (changed.devices != cluster.devices && gain <= noticed)
            return;
        if (what == hostMemoryHelp &&
            (gain <= noticed || row.configuration.offload == OffloadPolicy::None)) {
            lines.push_back(what + ": nothing");
            return;
        }
        lines.push_back(what + ": " +
                        (gain > noticed ? partText(gain) + " more tokens a second, " + with
                                        : "nothing; the best that uses it takes " + with));
    };
    Cluster changed = cluster;
    ++changed.devices;
    if (!changed.groups.empty())
        ++changed.groups.back().devices;
    // Where copies to the host are searched, what is too large without may fit with them.
    const std::vector<TooLarge>* const tooLarge =
        cluster.groups.empty() && wish.offload ? &table.tooLarge : nullptr;
    const double better = now / (1 + noticed);
    line("one more GPU", changed, {.below = better});
    line("10 % more memory",
         withEveryKind(cluster, [](Cluster& kind) { kind.device.memory *= 1.1; }),
         {.tooLarge = tooLarge});
    line("links twice as fast",
         withEveryKind(cluster,
                       [](Cluster& kind) {
                           kind.device.insideBandwidth *= 2;
                           kind.device.nodeBandwidth *= 2;
                       }),
         {.tooLarge = tooLarge, .otherTimes = true});
    if (wish.offload == OffloadPolicy::None && wish.pipelineParallel != 1) {
        single.offload.reset();
        line(std::string(hostMemoryHelp), cluster,
             {.below = better, .tooLarge = tooLarge, .onlyOffload = tooLarge != nullptr});
    }
    return lines;
}

std::string headline(const LanguageModel& model, const Cluster& cluster, const Wish& wish)
{
    constexpr double billion = 1e9;
    return model.dense.name + ", " + plainNumber(weightCount(model) / billion, 4) +
           " B parameters, sequence " + std::to_string(model.dense.sequence) + ", batch " +
           std::to_string(wish.globalBatch) + ", on " + clusterText(cluster);
}

Surety suretyOf(const Cluster& cluster, const LanguageModel& model)
{
    const Precision precision = model.dense.precision;
    Surety surety = leastKnownKind(cluster, precision).constants.of(precision);
    if (model.experts.count > 0)
        surety.spread = std::max(surety.spread, Surety::unfittedSpread);
    return surety;
}

Sentence timesText(const Cluster& cluster, const LanguageModel& model)
{
    const Precision precision = model.dense.precision;
    const Cluster& least = leastKnownKind(cluster, precision);
    const Surety surety = suretyOf(cluster, model);
    const auto percent = [](double factor) {
        constexpr double whole = 100;
        return std::to_string(std::lround(whole * std::abs(factor - 1)));
    };
    const std::string below = percent(std::exp(-surety.spread)),
                      above = percent(std::exp(surety.spread));
    return surety.rows > 0
               ? said("times fitted to %1: 9 of 10 measured ones lie within −%2 and +%3 %",
                      counted(surety.rows, "%1 measured iteration", "%1 measured iterations"),
                      below, above)
               : said("times not fitted for %1 in %2, a ranking: 9 of 10 measured ones may lie "
                      "within −%3 and +%4 %",
                      least.device.name, name(precision), below, above);
}

Result<Project> projectOf(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                          const Evaluation& row)
{
    const Configuration& c = row.configuration;
    PW_TRY(const Family* const family, findFamily(c.family));
    const int steps = stepsUntilSteady(c);
    PW_TRY(PlannedSchedule planned, scheduleOf(model, cluster, c, steps));
    Project project;
    project.title = model.dense.name + " on " + kindsText(cluster);
    project.notes = headline(model, cluster, wish) +
                    ". Predicted iteration: " + plainNumber(msOfSecond * row.seconds(), 6) + " ms.";
    project.family = FamilyChoice{c.family, familyOptions(*family, c, c.microBatches())};
    project.family->options.steps = steps;
    project.draft.spec = planned.schedule.spec();
    project.costs = std::move(planned.costs);
    return project;
}

SmallestChange smallestChange(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                              const PlanTable& table, const std::atomic<bool>* stop)
{
    SmallestChange change;
    double reserved = 0;
    for (const Cluster* kind : kindsOf(cluster))
        reserved = std::max(reserved, kind->device.reserved);
    change.memoryGib = std::ceil((table.nearest->peakBytes() + reserved) / gibibyte);
    // Twice the devices until it fits.
    Wish single = wish;
    single.rows = 1;
    for (int doubled = 2; doubled <= 64; doubled *= 2) {
        if (stop != nullptr && *stop)
            break;
        const Cluster larger =
            withEveryKind(cluster, [doubled](Cluster& kind) { kind.devices *= doubled; });
        const Result<PlanTable> other = search(model, larger, single, stop, {}, SearchCut::Rows);
        if (other && !other->rows.empty()) {
            change.devices = larger.devices;
            break;
        }
    }
    if (wish.offload == OffloadPolicy::None && (stop == nullptr || !*stop)) {
        single.offload.reset();
        const Result<PlanTable> other = search(model, cluster, single, stop, {}, SearchCut::Rows);
        if (other && !other->rows.empty())
            change.offload = other->rows.front().configuration.offload;
    }
    return change;
}

} // namespace pw::plan
