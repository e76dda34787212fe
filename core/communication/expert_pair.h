// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/cost/layer_time.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The inner parts of passes over layers with experts: attention and MLP compute, dispatch and
// combine are all-to-all exchanges. An F and a backward that run as a pair hide each other's
// exchanges. @source arXiv:2412.19437 (DeepSeek-V3) section 3.2.1, figure 4
namespace pw::communication {

/// A part of a layer's pass.
enum class LayerPart : std::uint8_t
{
    Attention,
    Dispatch, ///< tokens to their experts; backward: their gradients back
    Mlp,
    Combine ///< results back to the tokens; backward: their gradients to the experts
};

constexpr bool isExchange(LayerPart part)
{
    return part == LayerPart::Dispatch || part == LayerPart::Combine;
}

/// "attention", "dispatch", "MLP", "combine".
std::string_view name(LayerPart part);

/// What the parts of one layer take.
struct LayerTimes
{
    Ticks forward[4] = {};  ///< by `LayerPart`
    Ticks backward[4] = {}; ///< for the input
    Ticks weight[4] = {};   ///< attention and MLP alone

    Ticks sum(PassKind kind) const;

    friend bool operator==(const LayerTimes&, const LayerTimes&) = default;
};

/// A part as it runs.
struct PartSpan
{
    PassKind pass = PassKind::F; ///< F, B or W
    LayerPart part = LayerPart::Attention;
    std::int32_t layer = 0; ///< of its stage
    Ticks start = 0;
    Ticks end = 0;

    friend bool operator==(const PartSpan&, const PartSpan&) = default;
};

/// A pass, or a pair, on its two streams.
struct InnerTimes
{
    std::vector<PartSpan> compute;
    std::vector<PartSpan> exchange;
    Ticks end = 0;
    Ticks computing = 0;  ///< sum of the first stream
    Ticks exchanging = 0; ///< sum of the second

    /// Time in which nothing is computed.
    Ticks exposed() const { return end - computing; }
};

/// What runs together.
struct InnerWork
{
    bool forward = true;
    bool backward = false;
    bool weight = false; ///< with the backward: BW; without: W alone
};

/// Runs the parts of a pass or a pair in the paper's order: MLP(B) MLP(W) MLP(F) attention(B)
/// attention(W) attention(F) on the one stream, dispatch(F) dispatch(B) combine(F) combine(B) on
/// the other, layer by layer, the backward from the last layer on. Each part waits for the one
/// before it on its stream and for what it needs.
///
/// @param forward   layers of the stage of the F
/// @param backward  layers of the stage of the backward
InnerTimes runParts(const std::vector<LayerTimes>& forward, const std::vector<LayerTimes>& backward,
                    const InnerWork& work);

/// The parts of one layer from a planner's model: half of a layer's all-to-all time each for
/// dispatch and combine; what a layer with the narrowest MLP takes for attention; the rest for the
/// MLP.
LayerTimes layerTimes(const LanguageModel& model, const plan::Configuration& configuration,
                      const plan::Cluster& cluster, bool experts);

/// Layers of every stage, split as evenly as can be, the first stages having one more.
std::vector<std::vector<LayerTimes>> stageLayers(const LanguageModel& model,
                                                 const plan::Configuration& configuration,
                                                 const plan::Cluster& cluster, int stages);

/// Replaces the times of F, B, W, BW and of pairs by those that the parts take.
/// @param layers  by stage
void setInnerTimes(Costs& costs, const PipelineSpec& spec,
                   const std::vector<std::vector<LayerTimes>>& layers);

} // namespace pw::communication
