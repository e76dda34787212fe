// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/plain_gpt.h"

#include "executor/model/parameters.h"

#include <algorithm>
#include <cmath>

namespace pw::test {

namespace {

constexpr double epsilonOfNorm = 1e-5;

double gelu(double x)
{
    const double inner = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1 + std::tanh(inner));
}

std::vector<double> softmax(const std::vector<double>& x)
{
    const double most = *std::max_element(x.begin(), x.end());
    std::vector<double> y;
    double sum = 0;
    for (const double value : x) {
        y.push_back(std::exp(value - most));
        sum += y.back();
    }
    for (double& value : y)
        value /= sum;
    return y;
}

} // namespace

PlainGpt::PlainGpt(const exec::GptModel& model, std::uint64_t seed)
    : m_model(model)
{
    const LayerSplit split = *evenSplit(model.layers, 1);
    for (const exec::ParameterInfo& info : exec::parametersOf(model, split, 0)) {
        std::vector<float> first(static_cast<std::size_t>(info.size()));
        exec::fillFirstWeights(model, info, seed, 0, first);
        m_values[info.name].assign(first.begin(), first.end());
    }
}

PlainGpt::Rows PlainGpt::linear(const Rows& x, const std::string& name, std::size_t columns,
                                bool bias) const
{
    const std::vector<double>& weight = at(name);
    Rows y;
    for (const std::vector<double>& row : x) {
        std::vector<double> out = bias ? at(name + " bias") : std::vector<double>(columns);
        for (std::size_t i = 0; i < row.size(); ++i)
            for (std::size_t j = 0; j < columns; ++j)
                out[j] += row[i] * weight[i * columns + j];
        y.push_back(std::move(out));
    }
    return y;
}

PlainGpt::Rows PlainGpt::norm(const Rows& x, const std::string& name) const
{
    const std::vector<double>& scale = at(name + " scale");
    const std::vector<double>& shift = at(name + " shift");
    Rows y;
    for (const std::vector<double>& row : x) {
        const auto n = static_cast<double>(row.size());
        double mean = 0, variance = 0;
        for (const double value : row)
            mean += value / n;
        for (const double value : row)
            variance += (value - mean) * (value - mean) / n;
        std::vector<double> out;
        for (std::size_t i = 0; i < row.size(); ++i)
            out.push_back((row[i] - mean) / std::sqrt(variance + epsilonOfNorm) * scale[i] +
                          shift[i]);
        y.push_back(std::move(out));
    }
    return y;
}

PlainGpt::Rows PlainGpt::attend(const Rows& queries, const Rows& keysValues) const
{
    const auto d = static_cast<std::size_t>(m_model.headSize());
    const auto h = static_cast<std::size_t>(m_model.hidden);
    const auto length = static_cast<std::size_t>(m_model.sequence);
    Rows y(queries.size(), std::vector<double>(h));
    for (std::size_t row = 0; row < queries.size(); ++row) {
        const std::size_t begin = row / length * length;
        for (std::size_t column = 0; column < h; column += d) {
            std::vector<double> scores;
            for (std::size_t key = begin; key <= row; ++key) {
                double product = 0;
                for (std::size_t i = column; i < column + d; ++i)
                    product += queries[row][i] * keysValues[key][i];
                scores.push_back(product / std::sqrt(static_cast<double>(d)));
            }
            const std::vector<double> weights = softmax(scores);
            for (std::size_t key = begin; key <= row; ++key)
                for (std::size_t i = column; i < column + d; ++i)
                    y[row][i] += weights[key - begin] * keysValues[key][h + i];
        }
    }
    return y;
}

double PlainGpt::loss(const std::vector<std::int32_t>& tokens,
                      const std::vector<std::int32_t>& targets) const
{
    const auto h = static_cast<std::size_t>(m_model.hidden);
    const auto f = static_cast<std::size_t>(m_model.ffnWidth());
    const auto length = static_cast<std::size_t>(m_model.sequence);
    Rows x(tokens.size(), std::vector<double>(h));
    auto add = [&](const Rows& y) {
        for (std::size_t row = 0; row < x.size(); ++row)
            for (std::size_t i = 0; i < h; ++i)
                x[row][i] += y[row][i];
    };
    for (std::size_t row = 0; row < x.size(); ++row) {
        const auto token = static_cast<std::size_t>(tokens[row]);
        for (std::size_t i = 0; i < h; ++i)
            x[row][i] = at("embedding: tokens")[token * h + i] +
                        at("embedding: positions")[row % length * h + i];
    }
    for (int layer = 0; layer < m_model.layers; ++layer) {
        const std::string name = "layer " + std::to_string(layer) + ": ";
        const Rows first = norm(x, name + "norm 1");
        Rows keysValues = linear(first, name + "keys and values", 2 * h, false);
        for (std::vector<double>& row : keysValues)
            for (std::size_t i = 0; i < h; ++i)
                row[h + i] += at(name + "values bias")[i];
        add(linear(attend(linear(first, name + "queries", h, true), keysValues),
                   name + "attention out", h, true));
        Rows wide = linear(norm(x, name + "norm 2"), name + "mlp in", f, true);
        for (std::vector<double>& row : wide)
            std::transform(row.begin(), row.end(), row.begin(), gelu);
        add(linear(wide, name + "mlp out", h, true));
    }
    const Rows logits = linear(norm(x, "output: norm"), "output: weights",
                               static_cast<std::size_t>(m_model.vocabulary), false);
    double sum = 0;
    for (std::size_t row = 0; row < x.size(); ++row)
        sum -= std::log(softmax(logits[row])[static_cast<std::size_t>(targets[row])]);
    return sum / static_cast<double>(x.size());
}

std::vector<double> PlainGpt::gradient(const std::string& parameter,
                                       const std::vector<std::int32_t>& tokens,
                                       const std::vector<std::int32_t>& targets)
{
    constexpr double change = 1e-4;
    std::vector<double> result;
    for (double& value : m_values.at(parameter)) {
        const double before = value;
        value = before + change;
        const double above = loss(tokens, targets);
        value = before - change;
        const double below = loss(tokens, targets);
        value = before;
        result.push_back((above - below) / (2 * change));
    }
    return result;
}

} // namespace pw::test
