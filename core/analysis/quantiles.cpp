// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/quantiles.h"

#include <cmath>
#include <numbers>

namespace pw {

namespace {

/// The point x of a rising function of x ≥ 0 at a height, by halving.
template<typename Rising>
double pointAt(double height, const Rising& rising)
{
    double low = 0, high = 1e6;
    constexpr int halvings = 100;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (rising(middle) < height ? low : high) = middle;
    }
    return high;
}

} // namespace

double normalHalfWidth(double part)
{
    return pointAt(part, [](double x) { return std::erf(x / std::sqrt(2.0)); });
}

double studentHalfWidth(double part, double freedom)
{
    return pointAt(part, [freedom](double x) {
        const double angle = std::atan(x / std::sqrt(freedom));
        const double square = std::cos(angle) * std::cos(angle);
        const bool odd = std::fmod(freedom, 2) > 0.5;
        double term = odd ? std::cos(angle) : 1, sum = freedom > 1 ? term : 0;
        for (double k = odd ? 3 : 2; k < freedom - 1; k += 2) {
            term *= square * (k - 1) / k;
            sum += term;
        }
        return odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
    });
}

} // namespace pw
