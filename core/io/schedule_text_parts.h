// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/file_problem.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

// What the writer and the reader of the text notation share; nobody else includes this.
namespace pw {

/// Weight versions of the passes of one device, asked in order.
class VersionReader
{
public:
    explicit VersionReader(const PipelineSpec& spec);

    /// Version that a pass reads; nothing for U and W, for synchronous updates, and where its F
    /// does not stand before it.
    std::optional<int> next(const Pass& pass);

private:
    const PipelineSpec& m_spec;
    std::map<std::pair<int, int>, int> m_updates; // by route and stage
    std::map<std::pair<int, int>, int> m_read;    // by stage and micro-batch
};

/// What occurs in the device lines.
struct Occurring
{
    std::int64_t microBatches = 0; ///< highest number + 1
    std::int64_t chunk = 0;        ///< highest number
    std::int64_t segments = 1;     ///< highest number + 1
    bool updates = false;
    std::int64_t entries = 0;

    void note(const Pass& pass)
    {
        if (pass.kind == PassKind::U) {
            updates = true;
            return;
        }
        microBatches = std::max<std::int64_t>(microBatches, std::int64_t{pass.microBatch} + 1);
        segments = std::max<std::int64_t>(segments, std::int64_t{pass.segment} + 1);
    }
};

/// Adds what occurs in the line of a device; malformed pieces are passed over.
void noteOccurring(std::string_view line, Occurring& seen);

/// The header lines of a text, each with its place where it stands.
struct HeaderLines
{
    std::optional<std::int32_t> devices;
    std::optional<std::int32_t> microBatches;
    std::optional<std::int32_t> steps;
    std::optional<std::vector<Placement>> placements;
    std::optional<std::vector<std::uint8_t>> routes;
    std::optional<std::vector<int>> segmentLengths;
    std::optional<UpdateRule> updates;
    bool noUpdates = false;
    std::optional<MessageRule> messages;
};

/// The spec that header and device lines make together; unchecked.
PipelineSpec inferredSpec(const HeaderLines& header, const Occurring& seen, int devices);

} // namespace pw
