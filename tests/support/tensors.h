// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/ops.h"
#include "executor/model/random.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace pw::exec::testing {

/// A matrix of doubles without gaps: what slow and obvious computations are done in.
struct Table
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<double> values;

    Table() = default;
    Table(std::int64_t r, std::int64_t c)
        : rows(r)
        , columns(c)
        , values(static_cast<std::size_t>(r * c))
    {
    }
    double& operator()(std::int64_t i, std::int64_t j)
    {
        return values[static_cast<std::size_t>(i * columns + j)];
    }
    double operator()(std::int64_t i, std::int64_t j) const
    {
        return values[static_cast<std::size_t>(i * columns + j)];
    }
};

/// A matrix of floats in host memory, its rows further apart than they are long. Between them and
/// until something is written stands what is not a number.
class Tensor
{
public:
    Tensor(std::int64_t rows, std::int64_t columns, std::int64_t gap = 0)
        : m_rows(rows)
        , m_columns(columns)
        , m_stride(columns + gap)
        , m_floats(static_cast<std::size_t>(rows * m_stride + 1),
                   std::numeric_limits<float>::quiet_NaN())
    {
    }
    /// Values from −1 to 1.
    static Tensor random(RandomSequence& numbers, std::int64_t rows, std::int64_t columns,
                         std::int64_t gap = 0)
    {
        Tensor made(rows, columns, gap);
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j)
                made.at(i, j) = static_cast<float>(numbers.below(20'001) - 10'000) / 10'000.0F;
        }
        return made;
    }

    float& at(std::int64_t i, std::int64_t j)
    {
        return m_floats[static_cast<std::size_t>(i * m_stride + j)];
    }
    float at(std::int64_t i, std::int64_t j) const
    {
        return m_floats[static_cast<std::size_t>(i * m_stride + j)];
    }
    std::int64_t rows() const { return m_rows; }
    std::int64_t columns() const { return m_columns; }
    float* data() { return m_floats.data(); }
    Matrix matrix() { return {m_floats.data(), m_rows, m_columns, m_stride}; }
    /// @pre no gap
    FloatMatrix floats() { return {m_floats.data(), m_rows, m_columns}; }
    void fill(float value)
    {
        for (std::int64_t i = 0; i < m_rows; ++i) {
            for (std::int64_t j = 0; j < m_columns; ++j)
                at(i, j) = value;
        }
    }
    Table table() const
    {
        Table made(m_rows, m_columns);
        for (std::int64_t i = 0; i < m_rows; ++i) {
            for (std::int64_t j = 0; j < m_columns; ++j)
                made(i, j) = static_cast<double>(at(i, j));
        }
        return made;
    }
    /// Whether nobody wrote between or behind the rows.
    bool gapsUntouched() const
    {
        for (std::int64_t i = 0; i < m_rows; ++i) {
            for (std::int64_t j = m_columns; j < m_stride; ++j) {
                if (!std::isnan(at(i, j)))
                    return false;
            }
        }
        return std::isnan(m_floats.back());
    }
    friend bool operator==(const Tensor& a, const Tensor& b)
    {
        bool same = a.m_rows == b.m_rows && a.m_columns == b.m_columns;
        for (std::int64_t i = 0; same && i < a.m_rows; ++i) {
            for (std::int64_t j = 0; same && j < a.m_columns; ++j)
                same = a.at(i, j) == b.at(i, j);
        }
        return same;
    }

private:
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::int64_t m_stride = 0;
    std::vector<float> m_floats;
};

/// Where two matrices differ by more than `tolerance` times the largest number of the wanted one
/// (or 1), or where the gaps of the found one were written to; empty if nowhere.
inline std::string difference(const Tensor& found, const Table& wanted, double tolerance)
{
    if (found.rows() != wanted.rows || found.columns() != wanted.columns)
        return "another shape";
    if (!found.gapsUntouched())
        return "the gaps between rows were written to";
    double largest = 1;
    for (const double value : wanted.values)
        largest = std::max(largest, std::abs(value));
    for (std::int64_t i = 0; i < wanted.rows; ++i) {
        for (std::int64_t j = 0; j < wanted.columns; ++j) {
            const double value = static_cast<double>(found.at(i, j));
            if (!(std::abs(value - wanted(i, j)) <= tolerance * largest))
                return "row " + std::to_string(i) + ", column " + std::to_string(j) + ": " +
                       std::to_string(value) + ", not " + std::to_string(wanted(i, j));
        }
    }
    return {};
}

/// What Σ weights ∘ forward(x) gains by each number of x, from differences.
inline Table slopes(const Table& x, const Table& weights,
                    const std::function<Table(const Table&)>& forward)
{
    auto total = [&](const Table& at) {
        const Table out = forward(at);
        double sum = 0;
        for (std::size_t i = 0; i < out.values.size(); ++i)
            sum += out.values[i] * weights.values[i];
        return sum;
    };
    constexpr double little = 1e-5;
    Table found(x.rows, x.columns);
    Table moved = x;
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        moved.values[i] = x.values[i] + little;
        const double above = total(moved);
        moved.values[i] = x.values[i] - little;
        found.values[i] = (above - total(moved)) / (2 * little);
        moved.values[i] = x.values[i];
    }
    return found;
}

} // namespace pw::exec::testing
