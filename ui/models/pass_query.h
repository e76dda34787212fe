// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/pipeline_spec.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace pw::ui {

/// What a person looks for in a timeline, as it is typed: passes in the text notation ("F3",
/// "BW2.1", "F0/2", "(F5+BW2)") and plain words ("mb 3", "stage 2", "device 1", "forward"). Several
/// passes or kinds: any of them; of everything else all must fit.
class PassQuery
{
public:
    /// @param spec  tells what a chunk is
    /// @error Syntax  a word that is not known, with what can be typed
    static Result<PassQuery> parse(const QString& typed, const PipelineSpec& spec);

    /// Whether a pass on a device is meant.
    bool matches(const Pass& pass, DeviceId device) const;

private:
    /// A pass of the notation; what was not written fits all.
    struct Pattern
    {
        PassKind kind = PassKind::F;
        int microBatch = 0;
        std::optional<int> segment;
        /// Route and stage of the chunk by device, −1 where the device has no such chunk; empty:
        /// any.
        std::vector<std::pair<int, int>> stages;

        bool matches(const Pass& pass, DeviceId device) const;
    };

    Result<void> addNotation(const QString& word, const PipelineSpec& spec);
    bool addKind(const QString& word);
    bool addNumber(const QString& word, int number);

    std::vector<Pattern> m_patterns;
    std::array<bool, passKindCount> m_kinds{};
    bool m_anyKind = true;
    std::optional<int> m_microBatch;
    std::optional<int> m_stage;
    std::optional<int> m_device;
    std::optional<int> m_segment;
    std::optional<int> m_route;
};

} // namespace pw::ui
