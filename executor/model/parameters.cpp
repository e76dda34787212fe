// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/parameters.h"

#include "executor/model/random.h"

#include <cmath>
#include <string_view>
#include <utility>

namespace pw::exec {

namespace {

// Names tell the kinds of parameters apart, for the first values.
constexpr std::string_view tokenTableName = "embedding: tokens";
constexpr std::string_view positionTableName = "embedding: positions";
constexpr std::string_view outputMatrixName = "output: weights";
constexpr std::string_view attentionOutName = "attention out";
constexpr std::string_view mlpOutName = "mlp out";
constexpr std::string_view scaleName = "scale";

class ParameterList
{
public:
    /// @return  its index
    int add(std::string name, int rows, int columns, bool matrix)
    {
        m_parameters.push_back({std::move(name), rows, columns, m_offset, matrix});
        m_offset += m_parameters.back().size();
        return static_cast<int>(m_parameters.size()) - 1;
    }

    void addVector(std::string name, int columns, int addedTo, int addedAt = 0)
    {
        add(std::move(name), 1, columns, false);
        m_parameters.back().addedTo = addedTo;
        m_parameters.back().addedAt = addedAt;
    }

    void addNorm(const std::string& prefix, int columns)
    {
        const int scale = add(prefix + std::string(scaleName), 1, columns, false);
        addVector(prefix + "shift", columns, scale);
    }

    void addLayer(const GptModel& model, int layer)
    {
        const int h = model.hidden;
        const int f = model.ffnWidth();
        const std::string prefix = "layer " + std::to_string(layer) + ": ";
        auto matrix = [&](std::string_view name, int rows, int columns) {
            const int index = add(prefix + std::string(name), rows, columns, true);
            m_parameters.back().ofLayer = true;
            return index;
        };
        // The order of LayerParameter.
        const int queries = matrix("queries", h, h);
        const int keysAndValues = matrix("keys and values", h, 2 * h);
        const int attentionOut = matrix(attentionOutName, h, h);
        const int mlpIn = matrix("mlp in", h, f);
        const int mlpOut = matrix(mlpOutName, f, h);
        addVector(prefix + "queries bias", h, queries);
        addVector(prefix + "values bias", h, keysAndValues, h);
        addVector(prefix + "attention out bias", h, attentionOut);
        addVector(prefix + "mlp in bias", f, mlpIn);
        addVector(prefix + "mlp out bias", h, mlpOut);
        addNorm(prefix + "norm 1 ", h);
        addNorm(prefix + "norm 2 ", h);
    }

    std::vector<ParameterInfo> take() { return std::move(m_parameters); }

private:
    std::vector<ParameterInfo> m_parameters;
    std::int64_t m_offset = 0;
};

/// Key of a tensor's own sequence of numbers. @source FNV-1a
std::uint64_t keyOf(std::uint64_t seed, std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return scramble(hash ^ scramble(seed));
}

double deviationOf(const GptModel& model, const ParameterInfo& parameter)
{
    const std::string_view name = parameter.name;
    if (name == tokenTableName)
        return 0.5;
    if (name == positionTableName)
        return 0.25;
    const double kept = 1 / std::sqrt(static_cast<double>(parameter.rows));
    if (name == outputMatrixName)
        return 0.5 * kept;
    // The sum of all layers' outputs stays as large as one of them.
    if (name.ends_with(attentionOutName) || name.ends_with(mlpOutName))
        return kept / std::sqrt(2.0 * model.layers);
    return kept;
}

} // namespace

std::vector<ParameterInfo> parametersOf(const GptModel& model, const LayerSplit& split, int stage)
{
    const StageContent& content = split[static_cast<std::size_t>(stage)];
    int firstLayer = 0;
    for (int s = 0; s < stage; ++s)
        firstLayer += split[static_cast<std::size_t>(s)].layers;
    ParameterList list;
    if (content.embedding) {
        list.add(std::string(tokenTableName), model.vocabulary, model.hidden, true);
        list.add(std::string(positionTableName), model.sequence, model.hidden, true);
    }
    for (int layer = 0; layer < content.layers; ++layer)
        list.addLayer(model, firstLayer + layer);
    if (content.outputs > 0) {
        list.add(std::string(outputMatrixName), model.hidden, model.vocabulary, true);
        list.addNorm("output: norm ", model.hidden);
    }
    return list.take();
}

std::int64_t parameterCount(std::span<const ParameterInfo> parameters)
{
    return parameters.empty() ? 0 : parameters.back().offset + parameters.back().size();
}

Bytes parameterBytes(const ParameterInfo& parameter, Element element)
{
    constexpr Bytes floatBytes = 4;
    const bool narrow = parameter.matrix && element == Element::BFloat16;
    return parameter.size() * (narrow ? floatBytes / 2 : floatBytes);
}

Bytes stretchStart(Bytes bytes, Element element)
{
    constexpr Bytes alignment = 16; // of the widest access of a GPU
    return element == Element::Float32 ? bytes : (bytes + alignment - 1) / alignment * alignment;
}

Bytes versionBytes(std::span<const ParameterInfo> parameters, Element element)
{
    Bytes bytes = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const bool matrix = parameters[i].matrix;
        if (i > 0 && parameters[i - 1].matrix != matrix)
            bytes = stretchStart(bytes, element);
        bytes += parameterBytes(parameters[i], element);
    }
    return bytes;
}

FirstValues firstValuesOf(const GptModel& model, const ParameterInfo& parameter, std::uint64_t seed)
{
    FirstValues values;
    values.drawn = parameter.matrix;
    if (parameter.matrix) {
        values.key = keyOf(seed, parameter.name);
        values.deviation = static_cast<float>(deviationOf(model, parameter));
    } else {
        values.same = parameter.name.ends_with(scaleName) ? 1.0F : 0.0F;
    }
    return values;
}

void fillFirstWeights(const GptModel& model, const ParameterInfo& parameter, std::uint64_t seed,
                      std::int64_t from, std::span<float> out)
{
    const FirstValues values = firstValuesOf(model, parameter, seed);
    auto counter = static_cast<std::uint64_t>(from);
    for (float& weight : out)
        weight =
            values.drawn ? values.deviation * bell(scramble(values.key + counter++)) : values.same;
}

std::vector<ParameterStretch> stretchesOf(std::span<const ParameterInfo> parameters)
{
    std::vector<ParameterStretch> stretches;
    for (const ParameterInfo& parameter : parameters) {
        if (stretches.empty() || stretches.back().matrix != parameter.matrix)
            stretches.push_back({parameter.offset, 0, parameter.matrix});
        stretches.back().count += parameter.size();
    }
    return stretches;
}

} // namespace pw::exec
