// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pw {

/// A variable of a row and what it is multiplied by.
struct LinearTerm
{
    std::int32_t variable = 0;
    double factor = 0;
};

/// The largest value of a sum, by a few variables that many rows bound from above.
///
/// Every variable also lies in a box −b … b, so there always is a largest value; one that the box
/// decides has no other bound.
///
/// @source the dual simplex method, which takes in one violated row after another (C. E. Lemke,
///         Naval Research Logistics Quarterly 1, 1954); ties by R. G. Bland's rule (Mathematics of
///         Operations Research 2, 1977) once it stops getting on
class LinearProgram
{
public:
    /// @param box  the bound b of each variable, above 0
    explicit LinearProgram(std::vector<double> box);

    /// A row Σ factor · variable ≤ bound; rows count from 0. @pre no variable twice
    void add(std::span<const LinearTerm> terms, double bound);
    std::int32_t rows() const { return static_cast<std::int32_t>(m_bound.size()); }

    struct Answer
    {
        bool possible = true;      ///< else the rows contradict each other
        std::vector<double> point; ///< of the largest value; empty where nothing is possible
        bool boxed = false;        ///< the box decides it
        /// The rows that decide the value; or, where nothing is possible, a set of rows that
        /// contradict each other, none of which can be left out.
        std::vector<std::int32_t> deciding;
    };

    /// @param objective  factor of each variable
    /// @param tolerance  by which a row may be exceeded
    /// @return           nothing where rounding keeps it from an end
    /// @complexity       O(n² + terms) an exchange for n variables; few exchanges a variable as a
    ///                   rule
    std::optional<Answer> maximise(std::span<const double> objective, double tolerance) const;

private:
    class Walk;

    std::vector<double> m_box;
    std::vector<double> m_bound;
    std::vector<std::size_t> m_begin; // of each row in m_terms, then their number
    std::vector<LinearTerm> m_terms;
};

} // namespace pw
