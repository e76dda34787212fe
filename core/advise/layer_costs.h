// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/carry_costs.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

constexpr int mostModelLayers = 2'000; ///< of a model whose layers are moved

/// Why stages with as many layers take unlike times, where a trace cannot tell.
enum class Unlike : std::uint8_t
{
    Layers, ///< the layers are unlike, and take their time with them
    Devices ///< the devices are unlike, and keep their speed
};

/// What single layers take, inferred from measured stages.
///
/// A layer takes its part of its stage. What the first stage takes beyond its layers is the
/// embedding, what the last one takes beyond them is head and loss: there a layer counts as the
/// median of the stages between. Of a pass a part may be fixed, however many layers it has.
class LayerCosts
{
public:
    /// @param costs   of `spec`
    /// @param spec    one route
    /// @param layers  of every stage
    /// @param fixed   part of the median pass of a kind that does not depend on layers, 0 … 1
    /// @error BadValue  another number of stages, a negative count, no layer at all, above
    ///                  `mostModelLayers`, several routes
    static Result<LayerCosts> make(const Costs& costs, const PipelineSpec& spec,
                                   std::vector<int> layers, double fixed = 0);

    const std::vector<int>& layers() const { return m_layers; } ///< of the measured stages
    int total() const { return m_total; }

    /// Costs of a shape with its layers split in another way: times by layers, everything else as
    /// in `carried`.
    ///
    /// @param split  layers of every stage of `to`, as many in all
    /// @error BadValue  another number of stages, layers or segments; several routes
    Result<Costs> split(const Costs& carried, const PipelineSpec& to, std::span<const int> split,
                        Unlike unlike) const;

    /// What a stage takes for one micro-batch, at the least. Where F and backward of one stage
    /// overlap, that is what the pair takes.
    struct Work
    {
        double forward = 0;
        double whole = 0; ///< forward and all of the backward
    };

    /// @param to     one route, as many segments as were measured
    /// @param begin  first layer of the stage, in the model
    /// @param count  layers of the stage
    /// @complexity constant in the number of layers
    Work work(const PipelineSpec& to, int stage, int begin, int count) const;

    /// What embedding and head take beside their layers, over F and backward of a whole sequence.
    Ticks embedding() const { return m_embedding; }
    Ticks head() const { return m_head; }

private:
    /// A kind of passes; lists over segments are the inner ones.
    struct Kind
    {
        std::vector<double> layer;  ///< by layer and segment
        std::vector<double> device; ///< of one layer there, by device and segment
        double usual = 0;           ///< of one layer on a usual device, whole sequence
        std::vector<double> first;  ///< of the embedding, by segment
        std::vector<double> last;   ///< of the head, by segment
        std::vector<double> fixed;  ///< of a pass, by segment
        std::vector<double> before; ///< of all layers before one, whole sequence
    };

    void takeKind(const std::vector<Ticks>& table, const PipelineSpec& spec, double fixed,
                  Kind& kind) const;
    double wholeTime(std::size_t kind, const PipelineSpec& to, int stage, int begin,
                     int count) const;
    double stageTime(const Kind& kind, const PipelineSpec& to, int stage, int segment, int begin,
                     int count, Unlike unlike) const;

    static constexpr std::size_t kinds = 6;
    std::vector<int> m_layers;
    int m_total = 0;
    int m_segments = 1;
    std::array<Kind, kinds> m_kinds; ///< empty lists: the costs have no such table
    Ticks m_embedding = 0;
    Ticks m_head = 0;
};

/// Reads "4,4,4,4": layers of every stage.
/// @error BadValue  another text, another number of stages, or of layers where `total` is not 0
Result<std::vector<int>> parseLayers(std::string_view text, int stages, int total);

/// "5, 5, 5, 1".
std::string layersText(std::span<const int> layers);

/// The same of many stages: "2 each", "3, 6 × 2, 1".
std::string shortLayersText(std::span<const int> layers);

} // namespace pw
