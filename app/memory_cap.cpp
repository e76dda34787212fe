// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/memory_cap.h"

#include "app/study_costs.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/model/known_sizes.h"
#include "core/optimise/optimise.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::app {

namespace {

/// As --cap had it: a number alone was of activations of one chunk.
std::string limitOfCap(const std::string& old)
{
    return parseNumber(old) ? old + "chunks" : old;
}

/// A number before a unit; none where the text ends otherwise.
std::optional<double> numberBefore(std::string_view text, std::string_view unit)
{
    if (text.size() <= unit.size() || text.substr(text.size() - unit.size()) != unit)
        return std::nullopt;
    text.remove_suffix(unit.size());
    if (text.back() == ' ')
        text.remove_suffix(1);
    const std::optional<double> number = parseNumber(text);
    return number && *number > 0 && *number <= 1e15 ? number : std::nullopt;
}

/// "3 micro-batches of activation a device".
std::string shareText(double microBatches)
{
    return plainNumber(microBatches) + (microBatches == 1 ? " micro-batch" : " micro-batches") +
           " of activation a device";
}

int chunksOfDevice(const PipelineSpec& spec)
{
    return std::max(1, spec.stages() / std::max(1, spec.devices));
}

} // namespace

void MemoryCap::apply(Costs& costs, const PipelineSpec& spec) const
{
    if (m_costsOwn)
        return;
    costs.memoryCap.clear();
    if (m_bytes > 0)
        costs.memoryCap.assign(static_cast<std::size_t>(spec.devices), m_bytes);
    costs.shareCap = m_share;
}

Option memoryCapOption(const char* section)
{
    return {.name = memoryLimitName,
            .kind = ValueKind::Text,
            .placeholder = "LIMIT",
            .summary = "most that a device holds: micro-batches of activation (6 or 6mb), "
                       "activations of one chunk (12chunks), bytes (40GiB, with weights and "
                       "states), or none (default: what the fullest device of the order holds)",
            .section = section,
            .formerly = {{"cap", limitOfCap}}};
}

tl::expected<MemoryCap, Failure> memoryCapOf(const Arguments& arguments, const Schedule& schedule,
                                             const Costs& costs, const SimResult* result)
{
    MemoryCap cap;
    const std::string text = arguments.text(memoryLimitName);
    if (text == "none") {
        cap.m_text = "no limit";
        return cap;
    }
    if (text.empty()) {
        const bool own = isCapped(costs);
        if (!own && result == nullptr) {
            cap.m_text = "no cap, since the order given never ends";
            return cap;
        }
        const Costs capped = own ? costs : withOwnPeak(schedule, costs, *result);
        cap.m_costsOwn = own;
        cap.m_share = capped.shareCap;
        cap.m_bytes = capped.memoryCap.empty()
                          ? 0
                          : *std::max_element(capped.memoryCap.begin(), capped.memoryCap.end());
        cap.m_text = own ? "at most " : "as much as the order given: ";
        if (cap.m_share > 0)
            cap.m_text += shareText(microBatchesFromShare(cap.m_share));
        if (cap.m_bytes > 0)
            cap.m_text += (cap.m_share > 0 ? ", " : "") + byteText(cap.m_bytes) + " a device";
        return cap;
    }
    // Here mb are micro-batches, and MB megabytes.
    std::optional<double> microBatches = parseNumber(text);
    if (!microBatches)
        microBatches = numberBefore(text, "mb");
    const std::optional<double> bytes =
        microBatches ? std::nullopt : readQuantity(text, Measure::Size);
    if (bytes && *bytes >= 1 && *bytes <= 1e18) {
        cap.m_bytes = static_cast<Bytes>(*bytes);
        cap.m_text = "at most " + byteText(cap.m_bytes) + " a device";
        const bool sized =
            std::any_of(costs.activation.begin(), costs.activation.end(),
                        [](const ActivationCost& cost) { return cost.activation > 0; });
        if (!sized)
            return usage(
                "--memory-limit in bytes needs activations with sizes: --activation, --model "
                "or --costs");
        return cap;
    }
    if (const std::optional<double> chunks = numberBefore(text, "chunks"); chunks)
        microBatches = *chunks / chunksOfDevice(schedule.spec());
    if (!microBatches || *microBatches <= 0 || *microBatches > 1e9)
        return usage(
            "--memory-limit takes micro-batches as 6mb, activations of a chunk as 12chunks, "
            "bytes as 40GiB, or none, and not " +
            quotedWord(text));
    cap.m_share =
        static_cast<Share>(std::floor(*microBatches * static_cast<double>(shareOne) + 0.5));
    cap.m_text = "at most " + shareText(*microBatches);
    return cap;
}

} // namespace pw::app
