// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/memory_cap.h"

#include "app/memory_limit.h"
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

/// "3 micro-batches of activation a device".
std::string shareText(double microBatches)
{
    return plainNumber(microBatches) + (microBatches == 1 ? " micro-batch" : " micro-batches") +
           " of activation a device";
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
    PW_TRY(const MemoryLimit limit, readMemoryLimit(text));
    Costs limited = costs;
    PW_DO(limit.apply(limited, schedule.spec()));
    cap.m_bytes = limit.bytes;
    cap.m_share = limited.shareCap;
    cap.m_text = "at most " + (limit.bytes > 0 ? byteText(limit.bytes) + " a device"
                                               : shareText(limit.inMicroBatches(schedule.spec())));
    return cap;
}

} // namespace pw::app
