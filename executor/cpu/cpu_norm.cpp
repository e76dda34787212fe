// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_kernels.h"
#include "executor/cpu/vectors.h"

#include <cmath>

namespace pw::exec::cpu {

void normalize(Matrix x, Matrix normalized, FloatMatrix inverse)
{
    const std::int64_t columns = x.columns;
    for (std::int64_t i = 0; i < x.rows; ++i) {
        const float* from = row(x, i);
        float* to = row(normalized, i);
        const float width = static_cast<float>(columns);
        const float mean = sumOf(columns, [from](std::int64_t j) { return from[j]; }) / width;
        const float variance = sumOf(columns,
                                     [from, mean](std::int64_t j) {
                                         const float off = from[j] - mean;
                                         return off * off;
                                     }) /
                               width;
        const float factor = 1.0F / std::sqrt(variance + normEpsilon);
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < columns; ++j)
            to[j] = (from[j] - mean) * factor;
        inverse.data[i] = factor;
    }
}

void affine(Matrix normalized, FloatMatrix scale, FloatMatrix shift, Matrix out)
{
    for (std::int64_t i = 0; i < out.rows; ++i) {
        const float* from = row(normalized, i);
        float* to = row(out, i);
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < out.columns; ++j)
            to[j] = from[j] * scale.data[j] + shift.data[j];
    }
}

void normalizeBackward(Matrix gradient, Matrix normalized, FloatMatrix inverse, FloatMatrix scale,
                       Matrix residual, Matrix out)
{
    const std::int64_t columns = gradient.columns;
    for (std::int64_t i = 0; i < gradient.rows; ++i) {
        const float* slope = row(gradient, i);
        const float* place = row(normalized, i);
        const float* factors = scale.data;
        float* to = row(out, i);
        const float width = static_cast<float>(columns);
        const float mean =
            sumOf(columns, [=](std::int64_t j) { return slope[j] * factors[j]; }) / width;
        const float along =
            sumOf(columns, [=](std::int64_t j) { return slope[j] * factors[j] * place[j]; }) /
            width;
        const float factor = inverse.data[i];
        if (residual.data == nullptr) {
            PW_INDEPENDENT
            for (std::int64_t j = 0; j < columns; ++j)
                to[j] = factor * ((slope[j] * factors[j] - mean) - place[j] * along);
        } else {
            const float* more = row(residual, i);
            PW_INDEPENDENT
            for (std::int64_t j = 0; j < columns; ++j)
                to[j] = more[j] + factor * ((slope[j] * factors[j] - mean) - place[j] * along);
        }
    }
}

void addAffineGradients(Matrix gradient, Matrix normalized, FloatMatrix scale, FloatMatrix shift)
{
    const float* slopes = row(gradient, 0);
    const float* places = row(normalized, 0);
    const std::int64_t stride = gradient.stride;
    addColumnSums(gradient.rows, gradient.columns, scale.data,
                  [=, other = normalized.stride](std::int64_t i, std::int64_t j) {
                      return slopes[i * stride + j] * places[i * other + j];
                  });
    addColumnSums(gradient.rows, gradient.columns, shift.data,
                  [=](std::int64_t i, std::int64_t j) { return slopes[i * stride + j]; });
}

} // namespace pw::exec::cpu
