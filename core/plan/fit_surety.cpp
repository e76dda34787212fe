// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/quantiles.h"
#include "core/plan/fit_misfit.h"
#include "core/plan/measured.h"

#include <array>
#include <map>
#include <vector>

namespace pw::plan {

namespace {

using ByConstant = std::array<double, constantCount>;
using Square = std::array<ByConstant, constantCount>;

/// The inverse of a symmetric matrix whose values all are above 0, as a prior makes it: no row has
/// to be exchanged for another.
Square inverseOf(Square matrix)
{
    Square inverse{};
    for (std::size_t i = 0; i < constantCount; ++i)
        inverse[i][i] = 1;
    for (std::size_t i = 0; i < constantCount; ++i) {
        const double pivot = matrix[i][i];
        for (std::size_t k = 0; k < constantCount; ++k) {
            matrix[i][k] /= pivot;
            inverse[i][k] /= pivot;
        }
        for (std::size_t j = 0; j < constantCount; ++j) {
            const double factor = j == i ? 0 : matrix[j][i];
            for (std::size_t k = 0; factor != 0 && k < constantCount; ++k) {
                matrix[j][k] -= factor * matrix[i][k];
                inverse[j][k] -= factor * inverse[i][k];
            }
        }
    }
    return inverse;
}

/// Rows beside constants that were fitted to them, and what they would be without some.
class LeftOutRows
{
public:
    LeftOutRows(const std::vector<MeasuredRow>& rows, const Accelerator& device,
                const Constants& constants)
        : m_rows(rows)
    {
        for (const MeasuredRow& row : rows)
            m_errors.push_back(errorOf(row, device, constants));
        m_slopes.resize(rows.size());
        constexpr double step = 0.01;
        for (std::size_t c = 0; c < constantCount; ++c) {
            Constants moved = constants;
            moved.values[c] *= std::exp(step);
            for (std::size_t i = 0; isFitted(c) && moved.values[c] > 0 && i < rows.size(); ++i)
                m_slopes[i][c] = (m_errors[i] - errorOf(rows[i], device, moved)) / step;
        }
        Square curvature{};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            m_weights.push_back(rowWeight(rows.size()) /
                                (expectedError * expectedError + m_errors[i] * m_errors[i]));
            for (std::size_t a = 0; a < constantCount; ++a) {
                for (std::size_t b = 0; b < constantCount; ++b)
                    curvature[a][b] += m_weights[i] * m_slopes[i][a] * m_slopes[i][b];
            }
        }
        for (std::size_t c = 0; c < constantCount; ++c)
            curvature[c][c] += 1 / (constantInfos()[c].spread * constantInfos()[c].spread);
        m_covariance = inverseOf(curvature);
    }

    /// The error of a row with constants fitted to all rows of other configurations, to first
    /// order: the fit gives up what these pull at it.
    double leftOut(std::size_t row) const
    {
        double pull = 0, weight = 0;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (isSame(m_rows[i], m_rows[row])) {
                pull += m_weights[i] * m_errors[i];
                weight += m_weights[i];
            }
        }
        double reach = 0;
        for (std::size_t a = 0; a < constantCount; ++a) {
            for (std::size_t b = 0; b < constantCount; ++b)
                reach += m_slopes[row][a] * m_covariance[a][b] * m_slopes[row][b];
        }
        // Of what no other row says a word only the prior is left.
        constexpr double leastHeld = 0.05;
        return m_errors[row] + reach * pull / std::max(1 - reach * weight, leastHeld);
    }

    /// How many configurations rows of a precision are of, and the sum of the squares of their
    /// errors when they are left out, those of one configuration at their mean.
    Surety surety(const std::vector<std::size_t>& own) const
    {
        double configurations = 0, squares = 0;
        for (const std::size_t row : own) {
            double alike = 0;
            for (const std::size_t other : own)
                alike += isSame(m_rows[row], m_rows[other]) ? 1 : 0;
            const double error = leftOut(row);
            configurations += 1 / alike;
            squares += error * error / alike;
        }
        // What was known of errors before counts as much as so many configurations. Of halves and
        // of sixes of the tables in `bench_plan cross` and `six` nine of ten others lie within.
        constexpr double known = 4, part = 0.9;
        configurations = std::round(configurations);
        const double scale = std::sqrt((known * expectedError * expectedError + squares) /
                                       (known + configurations) * (1 + 1 / configurations));
        return {static_cast<int>(own.size()),
                studentHalfWidth(part, known + configurations) * scale};
    }

private:
    static bool isSame(const MeasuredRow& a, const MeasuredRow& b)
    {
        return a.devices == b.devices && a.configuration == b.configuration && a.model == b.model;
    }

    const std::vector<MeasuredRow>& m_rows;
    std::vector<double> m_errors, m_weights;
    std::vector<ByConstant> m_slopes; ///< of the logarithm of a row's time, by row
    Square m_covariance{};            ///< of the logarithms of the constants
};

} // namespace

std::map<Precision, Surety> suretiesOf(const std::vector<MeasuredRow>& rows,
                                       const Accelerator& device, const Constants& constants)
{
    std::map<Precision, std::vector<std::size_t>> groups, withExperts;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LanguageModel& model = rows[i].model;
        (model.experts.count > 0 ? withExperts : groups)[model.dense.precision].push_back(i);
    }
    groups.merge(withExperts);
    const LeftOutRows leftOut(rows, device, constants);
    std::map<Precision, Surety> sureties;
    for (const auto& [precision, own] : groups)
        sureties[precision] = leftOut.surety(own);
    return sureties;
}

} // namespace pw::plan
