// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/memory_limit.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/model/known_sizes.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw::app {

namespace {

constexpr double leastMicroBatches = 0.001;

/// A number before a unit; none where the text ends otherwise.
std::optional<double> numberBefore(std::string_view text, std::string_view unit)
{
    if (text.size() <= unit.size() || text.substr(text.size() - unit.size()) != unit)
        return std::nullopt;
    text.remove_suffix(unit.size());
    if (text.back() == ' ')
        text.remove_suffix(1);
    return parseNumber(text);
}

bool isCount(const std::optional<double>& number)
{
    return number && *number >= leastMicroBatches && *number <= static_cast<double>(maxPasses);
}

int chunksOfDevice(const PipelineSpec& spec)
{
    return std::max(1, spec.stages() / std::max(1, spec.devices));
}

} // namespace

double MemoryLimit::inMicroBatches(const PipelineSpec& spec) const
{
    return microBatches > 0 ? microBatches : chunks / chunksOfDevice(spec);
}

tl::expected<void, Failure> MemoryLimit::apply(Costs& costs, const PipelineSpec& spec) const
{
    if (!none && bytes == 0 && inMicroBatches(spec) == 0)
        return {};
    costs.memoryCap.clear();
    costs.shareCap = 0;
    if (bytes > 0) {
        const bool sized =
            std::any_of(costs.activation.begin(), costs.activation.end(),
                        [](const ActivationCost& cost) { return cost.activation > 0; });
        if (!sized)
            return usage(
                "--memory-limit in bytes needs activations with sizes: --activation, --model "
                "or --costs");
        costs.memoryCap.assign(static_cast<std::size_t>(spec.devices), bytes);
    } else if (!none) {
        costs.shareCap = shareLimit(inMicroBatches(spec));
    }
    return {};
}

tl::expected<MemoryLimit, Failure> readMemoryLimit(const std::string& text)
{
    MemoryLimit limit;
    limit.none = text == "none";
    if (limit.none)
        return limit;
    // Here mb are micro-batches, and MB megabytes.
    std::optional<double> count = parseNumber(text);
    if (!count)
        count = numberBefore(text, "mb");
    if (isCount(count)) {
        limit.microBatches = *count;
        return limit;
    }
    if (const std::optional<double> chunks = numberBefore(text, "chunks"); isCount(chunks)) {
        limit.chunks = *chunks;
        return limit;
    }
    const std::optional<double> bytes = count ? std::nullopt : readQuantity(text, Measure::Size);
    if (bytes && *bytes >= 1 && *bytes <= 1e18) {
        limit.bytes = static_cast<Bytes>(*bytes);
        return limit;
    }
    return usage("--memory-limit takes micro-batches as 6mb, from " +
                 plainNumber(leastMicroBatches) + " to " + std::to_string(maxPasses) +
                 ", activations of a chunk as 12chunks, bytes as 40GiB, or none, and not " +
                 quotedWord(text));
}

tl::expected<MemoryLimit, Failure> readMemoryLimit(const Arguments& arguments)
{
    return arguments.has(memoryLimitName) ? readMemoryLimit(arguments.text(memoryLimitName))
                                          : MemoryLimit();
}

double microBatchesWithin(const Costs& costs, const PipelineSpec& spec)
{
    std::vector<Bytes> each(static_cast<std::size_t>(spec.devices), 0);
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int segment = 0; segment < spec.segments(); ++segment)
            each[spec.device(0, stage).index()] +=
                costs.activation[cellIndex(spec, stage, segment)].activation;
    const std::vector<StandingMemory> standing = standingMemory(costs, spec);
    double least = std::numeric_limits<double>::max();
    for (std::size_t d = 0; d < each.size(); ++d) {
        if (each[d] > 0)
            least = std::min(least, static_cast<double>(standing[d].room(costs.memoryCap[d])) /
                                        static_cast<double>(each[d]));
    }
    return std::floor(least * 100) / 100;
}

} // namespace pw::app
