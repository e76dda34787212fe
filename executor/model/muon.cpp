// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/muon.h"

#include <algorithm>
#include <cmath>

namespace pw::exec {

namespace {

Buffer workspace(Ops& ops, std::int64_t numbers)
{
    return {ops, numbers * static_cast<Bytes>(sizeof(float)), MemoryUse::Workspace};
}

float* floatsOf(const Buffer& buffer)
{
    return static_cast<float*>(buffer.data());
}

} // namespace

void orthogonalize(Ops& ops, FloatMatrix x)
{
    // Of a·s + b·s³ + c·s⁵ for a singular value s. @source Jordan et al. 2024
    constexpr double a = 3.4445, b = -4.7750, c = 2.0315;
    constexpr int steps = 5;
    constexpr double leastNorm = 1e-7;
    ops.scale(x.data, 1 / std::max(std::sqrt(ops.squares(x.data, x.size())), leastNorm), x.size());
    // The product of the matrix with itself over its longer side.
    const bool wide = x.columns >= x.rows;
    const std::int64_t side = std::min(x.rows, x.columns);
    const std::int64_t square = side * side;
    const Buffer products = workspace(ops, square);
    const Buffer twice = workspace(ops, square);
    const Buffer turned = workspace(ops, x.size());
    const Matrix whole{x.data, x.rows, x.columns, x.columns};
    const Matrix gram{products.data(), side, side, side};
    const Matrix polynomial{twice.data(), side, side, side};
    const Matrix next{turned.data(), x.rows, x.columns, x.columns};
    for (int step = 0; step < steps; ++step) {
        ops.multiply(whole, wide ? Transpose::No : Transpose::Yes, whole,
                     wide ? Transpose::Yes : Transpose::No, gram);
        ops.multiply(gram, Transpose::No, gram, Transpose::No, polynomial);
        ops.scale(floatsOf(twice), c, square);
        ops.scale(floatsOf(products), b, square);
        ops.addFloats(floatsOf(products), floatsOf(twice), square);
        if (wide)
            ops.multiply(polynomial, Transpose::No, whole, Transpose::No, next);
        else
            ops.multiply(whole, Transpose::No, polynomial, Transpose::No, next);
        ops.scale(x.data, a, x.size());
        ops.addFloats(floatsOf(turned), x.data, x.size());
    }
}

void muonStep(Ops& ops, const Optimizer& optimizer, FloatMatrix parameters, const float* gradients,
              float* momentum)
{
    const std::int64_t count = parameters.size();
    ops.scale(momentum, optimizer.momentum, count);
    ops.addFloats(gradients, momentum, count);
    const Buffer direction = workspace(ops, count);
    ops.copy(direction.data(), momentum, direction.bytes());
    ops.scale(floatsOf(direction), optimizer.momentum, count);
    ops.addFloats(gradients, floatsOf(direction), count);
    orthogonalize(ops, {floatsOf(direction), parameters.rows, parameters.columns});
    const auto longer = static_cast<double>(std::max(parameters.rows, parameters.columns));
    constexpr double asAdamW = 0.2; // the root mean square of a step of AdamW
    ops.scale(floatsOf(direction), -optimizer.learningRate * asAdamW * std::sqrt(longer), count);
    if (optimizer.weightDecay > 0)
        ops.scale(parameters.data, 1 - optimizer.learningRate * optimizer.weightDecay, count);
    ops.addFloats(floatsOf(direction), parameters.data, count);
}

} // namespace pw::exec
