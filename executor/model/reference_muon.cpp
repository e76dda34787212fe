// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/reference_muon.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pw::exec {

namespace {

/// Of doubles, as textbooks have it.
struct Table
{
    Table(std::size_t rows, std::size_t columns)
        : height(rows)
        , width(columns)
        , numbers(rows * columns)
    {
    }
    double& at(std::size_t row, std::size_t column) { return numbers[row * width + column]; }
    double at(std::size_t row, std::size_t column) const { return numbers[row * width + column]; }

    std::size_t height;
    std::size_t width;
    std::vector<double> numbers;
};

Table transposed(const Table& of)
{
    Table out(of.width, of.height);
    for (std::size_t i = 0; i < of.height; ++i) {
        for (std::size_t j = 0; j < of.width; ++j)
            out.at(j, i) = of.at(i, j);
    }
    return out;
}

Table product(const Table& a, const Table& b)
{
    Table out(a.height, b.width);
    for (std::size_t i = 0; i < a.height; ++i) {
        for (std::size_t k = 0; k < a.width; ++k) {
            for (std::size_t j = 0; j < b.width; ++j)
                out.at(i, j) += a.at(i, k) * b.at(k, j);
        }
    }
    return out;
}

/// a·x + b·(x xᵀ) x + c·(x xᵀ)² x, five times, for a matrix that is not taller than wide.
Table nearlyOrthogonal(Table x)
{
    double squares = 0;
    for (const double number : x.numbers)
        squares += number * number;
    const double norm = std::max(std::sqrt(squares), 1e-7);
    for (double& number : x.numbers)
        number /= norm;
    for (int step = 0; step < 5; ++step) {
        const Table gram = product(x, transposed(x));
        const Table once = product(gram, x);
        const Table twice = product(gram, once);
        for (std::size_t i = 0; i < x.numbers.size(); ++i)
            x.numbers[i] =
                3.4445 * x.numbers[i] - 4.7750 * once.numbers[i] + 2.0315 * twice.numbers[i];
    }
    return x;
}

} // namespace

void referenceMuonStep(const Optimizer& optimizer, MuonNumbers& numbers)
{
    Table direction(static_cast<std::size_t>(numbers.rows),
                    static_cast<std::size_t>(numbers.columns));
    for (std::size_t i = 0; i < direction.numbers.size(); ++i) {
        const auto gradient = static_cast<double>(numbers.gradient[i]);
        const double speed =
            optimizer.momentum * static_cast<double>(numbers.momentum[i]) + gradient;
        numbers.momentum[i] = static_cast<float>(speed);
        direction.numbers[i] = gradient + optimizer.momentum * speed;
    }
    const bool tall = numbers.rows > numbers.columns;
    direction = nearlyOrthogonal(tall ? transposed(direction) : std::move(direction));
    if (tall)
        direction = transposed(direction);
    const double length =
        0.2 * std::sqrt(static_cast<double>(std::max(numbers.rows, numbers.columns)));
    for (std::size_t i = 0; i < direction.numbers.size(); ++i) {
        const double kept = static_cast<double>(numbers.values[i]) *
                            (1 - optimizer.learningRate * optimizer.weightDecay);
        numbers.values[i] =
            static_cast<float>(kept - optimizer.learningRate * length * direction.numbers[i]);
    }
}

} // namespace pw::exec
