// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/training.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pw::exec {

/// The parameters of a layer, in the order in which they stand: what products read first, so that
/// the optimizer goes over them in one stretch. A weight has its inputs as rows.
enum class LayerParameter : int
{
    Query,        ///< h × h
    KeyValue,     ///< h × 2h
    AttentionOut, ///< h × h
    MlpIn,        ///< h × f
    MlpOut,       ///< f × h
    QueryBias,
    ValueBias, ///< keys have none: it would add the same to all scores of a query
    AttentionOutBias,
    MlpInBias,
    MlpOutBias,
    Norm1Scale,
    Norm1Shift,
    Norm2Scale,
    Norm2Shift
};

constexpr int layerParameterCount = 14;

/// Where the parameters of a stage stand in the list of `parametersOf`.
class ParameterPlaces
{
public:
    explicit ParameterPlaces(const StageContent& content)
        : m_first(content.embedding ? 2 : 0)
        , m_output(m_first + content.layers * layerParameterCount)
    {
    }

    static constexpr std::size_t tokenTable = 0;    ///< V × h
    static constexpr std::size_t positionTable = 1; ///< sequence × h
    std::size_t layer(int layer, LayerParameter which) const
    {
        const int place = m_first + layer * layerParameterCount + static_cast<int>(which);
        return static_cast<std::size_t>(place);
    }
    std::size_t outputMatrix() const { return static_cast<std::size_t>(m_output); } ///< h × V
    std::size_t outputNormScale() const { return static_cast<std::size_t>(m_output) + 1; }
    std::size_t outputNormShift() const { return static_cast<std::size_t>(m_output) + 2; }

private:
    int m_first;
    int m_output;
};

/// Parameters of a stage in all.
std::int64_t parameterCount(std::span<const ParameterInfo> parameters);

/// Bytes of one weight version of a stage: matrices as elements, the rest as floats, with gaps
/// where `stretchStart` has them.
Bytes versionBytes(std::span<const ParameterInfo> parameters, Element element);
/// Of one parameter in a version.
Bytes parameterBytes(const ParameterInfo& parameter, Element element);
/// Where the next stretch of a version begins behind so many bytes: with narrow elements not at
/// once, as what follows is read in wider accesses.
Bytes stretchStart(Bytes bytes, Element element);

/// How the first values of a tensor are made: all the same, or the one at place i as
/// deviation · bell(scramble(key + i)).
struct FirstValues
{
    bool drawn = false;
    float same = 0;
    std::uint64_t key = 0;
    float deviation = 0;
};
FirstValues firstValuesOf(const GptModel& model, const ParameterInfo& parameter,
                          std::uint64_t seed);

/// First values of a parameter tensor from `from` on, by the seed and the tensor's name alone:
/// matrices around 0 with a deviation that keeps activations near 1, norm scales 1, the rest 0.
void fillFirstWeights(const GptModel& model, const ParameterInfo& parameter, std::uint64_t seed,
                      std::int64_t from, std::span<float> out);

/// Neighbouring parameters that are all matrices, or all others.
struct ParameterStretch
{
    std::int64_t offset = 0;
    std::int64_t count = 0;
    bool matrix = false;
};
std::vector<ParameterStretch> stretchesOf(std::span<const ParameterInfo> parameters);

} // namespace pw::exec
