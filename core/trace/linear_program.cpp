// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/linear_program.h"

#include "core/base/assert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr double tiny = 1e-9;

/// The places of what is not 0: rows of a chain of ranks are that almost everywhere.
void findUsed(const std::vector<double>& row, std::vector<std::size_t>& used)
{
    used.clear();
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i] != 0)
            used.push_back(i);
}

/// The inverse of a square matrix by Gauss and Jordan, rows in, columns out; false where it has
/// none.
bool invert(std::vector<std::vector<double>> rows, std::vector<std::vector<double>>& columns)
{
    const std::size_t n = rows.size();
    std::vector<std::vector<double>> result(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
        result[i][i] = 1;
    std::vector<std::size_t> used, usedOfResult;
    for (std::size_t at = 0; at < n; ++at) {
        std::size_t best = at;
        for (std::size_t i = at + 1; i < n; ++i)
            if (std::abs(rows[i][at]) > std::abs(rows[best][at]))
                best = i;
        if (std::abs(rows[best][at]) < tiny)
            return false;
        std::swap(rows[at], rows[best]);
        std::swap(result[at], result[best]);
        const double pivot = rows[at][at];
        findUsed(rows[at], used);
        findUsed(result[at], usedOfResult);
        for (const std::size_t j : used)
            rows[at][j] /= pivot;
        for (const std::size_t j : usedOfResult)
            result[at][j] /= pivot;
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = rows[i][at];
            if (i == at || factor == 0)
                continue;
            for (const std::size_t j : used)
                rows[i][j] -= factor * rows[at][j];
            for (const std::size_t j : usedOfResult)
                result[i][j] -= factor * result[at][j];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            columns[j][i] = result[i][j];
    return true;
}

} // namespace

/// The way from the corner of the box to the answer: n rows that meet in a point, each with a
/// multiplier of at least 0; together they make the objective.
class LinearProgram::Walk
{
public:
    Walk(const LinearProgram& program, std::span<const double> objective)
        : m_program(program)
        , m_objective(objective.begin(), objective.end())
        , m_size(program.m_box.size())
        , m_columns(m_size, std::vector<double>(m_size, 0))
        , m_expressed(m_size, 0)
    {
        for (std::size_t k = 0; k < m_size; ++k) {
            const bool up = objective[k] >= 0;
            m_active.push_back(program.rows() + static_cast<std::int32_t>(2 * k + (up ? 0 : 1)));
            m_columns[k][k] = up ? 1 : -1;
            m_point.push_back(up ? program.m_box[k] : -program.m_box[k]);
            m_multiplier.push_back(std::abs(objective[k]));
        }
    }

    std::optional<Answer> run(double tolerance)
    {
        const std::size_t patience = 20 * m_size + 100;
        const std::size_t most = 10 * patience;
        constexpr std::size_t refreshed = 64;
        std::size_t stuck = 0;
        for (std::size_t round = 0; round < most; ++round) {
            if (round % refreshed == refreshed - 1 && !refresh())
                return std::nullopt;
            const bool careful = stuck > patience;
            std::int32_t row = violated(tolerance, careful);
            if (row < 0) {
                // Rounding may have hidden a violation.
                if (!refresh())
                    return std::nullopt;
                row = violated(tolerance, careful);
                if (row < 0)
                    return answer();
            }
            express(row);
            const std::optional<std::size_t> leaving = pick(careful);
            if (!leaving)
                return contradiction(row);
            stuck = m_multiplier[*leaving] > tiny ? 0 : stuck + 1;
            exchange(*leaving, row);
        }
        return std::nullopt;
    }

private:
    bool isBox(std::int32_t row) const { return row >= m_program.rows(); }

    template<typename Each>
    void eachTerm(std::int32_t row, const Each& each) const
    {
        if (isBox(row)) {
            const std::int32_t code = row - m_program.rows();
            each(static_cast<std::size_t>(code / 2), code % 2 == 0 ? 1.0 : -1.0);
            return;
        }
        const auto at = static_cast<std::size_t>(row);
        for (std::size_t i = m_program.m_begin[at]; i < m_program.m_begin[at + 1]; ++i)
            each(static_cast<std::size_t>(m_program.m_terms[i].variable),
                 m_program.m_terms[i].factor);
    }

    double boundOf(std::int32_t row) const
    {
        return isBox(row) ? m_program.m_box[static_cast<std::size_t>(row - m_program.rows()) / 2]
                          : m_program.m_bound[static_cast<std::size_t>(row)];
    }

    double excess(std::int32_t row) const
    {
        double sum = -boundOf(row);
        eachTerm(row, [&](std::size_t k, double factor) { sum += factor * m_point[k]; });
        return sum;
    }

    /// The most violated row, or the first one; −1 where none is.
    std::int32_t violated(double tolerance, bool first) const
    {
        const std::int32_t count = m_program.rows() + static_cast<std::int32_t>(2 * m_size);
        std::int32_t worst = -1;
        double most = tolerance;
        for (std::int32_t row = 0; row < count; ++row) {
            const double by = excess(row);
            if (by <= most)
                continue;
            worst = row;
            most = by;
            if (first)
                break;
        }
        return worst;
    }

    /// The row as a sum of the active ones.
    void express(std::int32_t row)
    {
        for (std::size_t j = 0; j < m_size; ++j) {
            double sum = 0;
            eachTerm(row, [&](std::size_t k, double factor) { sum += factor * m_columns[j][k]; });
            m_expressed[j] = sum;
        }
    }

    /// The active row that makes place, so that no multiplier falls below 0.
    std::optional<std::size_t> pick(bool byNumber) const
    {
        std::optional<std::size_t> best;
        double least = 0;
        for (std::size_t j = 0; j < m_size; ++j) {
            if (m_expressed[j] <= tiny)
                continue;
            const double ratio = m_multiplier[j] / m_expressed[j];
            const bool tie = best && std::abs(ratio - least) <= tiny * (1 + least);
            const bool better = tie && (byNumber ? m_active[j] < m_active[*best]
                                                 : m_expressed[j] > m_expressed[*best]);
            if (!best || better || (!tie && ratio < least)) {
                best = j;
                least = ratio;
            }
        }
        return best;
    }

    void exchange(std::size_t leaving, std::int32_t row)
    {
        std::vector<double>& column = m_columns[leaving];
        const double pivot = m_expressed[leaving];
        const double step = -excess(row) / pivot;
        const double multiplier = m_multiplier[leaving] / pivot;
        findUsed(column, m_used);
        for (const std::size_t k : m_used) {
            m_point[k] += step * column[k];
            column[k] /= pivot;
        }
        for (std::size_t j = 0; j < m_size; ++j) {
            if (j == leaving || m_expressed[j] == 0)
                continue;
            m_multiplier[j] = std::max(0.0, m_multiplier[j] - multiplier * m_expressed[j]);
            for (const std::size_t k : m_used)
                m_columns[j][k] -= m_expressed[j] * column[k];
        }
        m_multiplier[leaving] = multiplier;
        m_active[leaving] = row;
    }

    /// Point and multipliers anew from the active rows, without the rounding of many exchanges.
    bool refresh()
    {
        std::vector<std::vector<double>> rows(m_size, std::vector<double>(m_size, 0));
        for (std::size_t j = 0; j < m_size; ++j)
            eachTerm(m_active[j], [&](std::size_t k, double factor) { rows[j][k] = factor; });
        if (!invert(std::move(rows), m_columns))
            return false;
        m_point.assign(m_size, 0);
        for (std::size_t j = 0; j < m_size; ++j) {
            const double bound = boundOf(m_active[j]);
            double sum = 0;
            for (std::size_t k = 0; k < m_size; ++k) {
                m_point[k] += bound * m_columns[j][k];
                sum += m_objective[k] * m_columns[j][k];
            }
            m_multiplier[j] = std::max(0.0, sum);
        }
        return true;
    }

    Answer answer() const
    {
        Answer found;
        found.point = m_point;
        for (std::size_t j = 0; j < m_size; ++j) {
            if (m_multiplier[j] <= tiny)
                continue;
            if (isBox(m_active[j]))
                found.boxed = true;
            else
                found.deciding.push_back(m_active[j]);
        }
        return found;
    }

    Answer contradiction(std::int32_t row) const
    {
        Answer found;
        found.possible = false;
        if (isBox(row))
            found.boxed = true;
        else
            found.deciding.push_back(row);
        for (std::size_t j = 0; j < m_size; ++j) {
            if (m_expressed[j] >= -tiny)
                continue;
            if (isBox(m_active[j]))
                found.boxed = true;
            else
                found.deciding.push_back(m_active[j]);
        }
        std::sort(found.deciding.begin(), found.deciding.end());
        return found;
    }

    const LinearProgram& m_program;
    std::vector<double> m_objective;
    std::size_t m_size;
    std::vector<std::int32_t> m_active;         // rows; those behind the program's are the box
    std::vector<std::vector<double>> m_columns; // of the inverse of the active rows
    std::vector<double> m_point;
    std::vector<double> m_multiplier; // of the active rows
    std::vector<double> m_expressed;
    std::vector<std::size_t> m_used; // of the column that leaves
};

LinearProgram::LinearProgram(std::vector<double> box)
    : m_box(std::move(box))
    , m_begin{0}
{
}

void LinearProgram::add(std::span<const LinearTerm> terms, double bound)
{
    for (const LinearTerm& term : terms)
        PW_ASSERT(static_cast<std::size_t>(term.variable) < m_box.size());
    m_terms.insert(m_terms.end(), terms.begin(), terms.end());
    m_begin.push_back(m_terms.size());
    m_bound.push_back(bound);
}

std::optional<LinearProgram::Answer> LinearProgram::maximise(std::span<const double> objective,
                                                             double tolerance) const
{
    PW_ASSERT(objective.size() == m_box.size());
    return Walk(*this, objective).run(tolerance);
}

} // namespace pw
