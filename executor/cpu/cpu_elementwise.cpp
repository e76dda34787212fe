// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_kernels.h"
#include "executor/cpu/vectors.h"
#include "executor/model/random.h"

#include <cmath>

namespace pw::exec::cpu {

namespace {

/// √(2 ⁄ π) and the weight of x³ in the tanh form of GELU.
constexpr float geluSlope = 0.797884561F;
constexpr float geluCube = 0.044715F;

/// 1 ⁄ (1 + e^−2u) with GELU's u: GELU is x times it, because (1 + tanh u) ⁄ 2 is this.
inline float geluGate(float x)
{
    const float u = geluSlope * (x + geluCube * (x * x * x));
    // Compilers compute what the bounds would give for every element. With wide bounds that is a
    // number too small to be normal, which takes the processor ten times as long.
    return 1.0F / (1.0F + expBetween(-60.0F, 60.0F, -2.0F * u));
}

/// Makes one long row of each of three matrices where their rows lie one behind the other.
void join(Matrix& a, Matrix& b, Matrix& c)
{
    auto whole = [](const Matrix& m) { return m.stride == m.columns; };
    if (!whole(a) || !whole(b) || !whole(c))
        return;
    for (Matrix* each : {&a, &b, &c})
        *each = {each->data, 1, each->size(), each->size()};
}

} // namespace

void add(Matrix a, Matrix b, Matrix out)
{
    join(a, b, out);
    for (std::int64_t i = 0; i < out.rows; ++i) {
        const float* left = row(a, i);
        const float* right = row(b, i);
        float* sum = row(out, i);
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < out.columns; ++j)
            sum[j] = left[j] + right[j];
    }
}

void addBias(Matrix x, FloatMatrix bias)
{
    for (std::int64_t i = 0; i < x.rows; ++i)
        addFloats(bias.data, row(x, i), x.columns);
}

void addRowSums(Matrix gradient, FloatMatrix bias)
{
    const float* from = row(gradient, 0);
    addColumnSums(gradient.rows, gradient.columns, bias.data,
                  [from, stride = gradient.stride](std::int64_t i, std::int64_t j) {
                      return from[i * stride + j];
                  });
}

void draw(float* out, std::int64_t count, std::uint64_t key, float deviation)
{
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = deviation * bell(scramble(key + static_cast<std::uint64_t>(i)));
}

void gelu(Matrix x, Matrix out)
{
    Matrix same = x;
    join(x, same, out);
    for (std::int64_t i = 0; i < out.rows; ++i) {
        const float* from = row(x, i);
        float* to = row(out, i);
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < out.columns; ++j)
            to[j] = from[j] * geluGate(from[j]);
    }
}

void geluBackward(Matrix gradient, Matrix x, Matrix out)
{
    join(gradient, x, out);
    for (std::int64_t i = 0; i < out.rows; ++i) {
        const float* from = row(x, i);
        const float* slope = row(gradient, i);
        float* to = row(out, i);
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < out.columns; ++j) {
            const float v = from[j];
            const float gate = geluGate(v);
            const float du = geluSlope * (1.0F + 3.0F * geluCube * (v * v));
            to[j] = slope[j] * (gate + 2.0F * v * gate * (1.0F - gate) * du);
        }
    }
}

void addFloats(const float* in, float* out, std::int64_t count)
{
    PW_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i)
        out[i] += in[i];
}

double squares(const float* in, std::int64_t count)
{
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(in[i]) * static_cast<double>(in[i]);
    return sum;
}

void scale(float* x, double factor, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i)
        x[i] = static_cast<float>(static_cast<double>(x[i]) * factor);
}

void update(const Optimizer& optimizer, int step, std::int64_t count, bool decay, float* parameters,
            const float* gradients, float* state0, float* state1)
{
    const auto rate = static_cast<float>(optimizer.learningRate);
    if (optimizer.kind == OptimizerKind::Sgd) {
        const auto momentum = static_cast<float>(optimizer.momentum);
        PW_INDEPENDENT
        for (std::int64_t i = 0; i < count; ++i) {
            const float speed = momentum * state0[i] + gradients[i];
            state0[i] = speed;
            parameters[i] -= rate * speed;
        }
        return;
    }
    const auto beta1 = static_cast<float>(optimizer.beta1);
    const auto beta2 = static_cast<float>(optimizer.beta2);
    const auto fresh1 = static_cast<float>(1 - optimizer.beta1);
    const auto fresh2 = static_cast<float>(1 - optimizer.beta2);
    // Both means begin at 0; these take out what that pulls them down by.
    const auto full1 = static_cast<float>(1 / (1 - std::pow(optimizer.beta1, step)));
    const auto full2 = static_cast<float>(1 / (1 - std::pow(optimizer.beta2, step)));
    const auto epsilon = static_cast<float>(optimizer.epsilon);
    const auto fading = static_cast<float>(decay ? optimizer.weightDecay : 0);
    PW_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) {
        const float g = gradients[i];
        const float mean = beta1 * state0[i] + fresh1 * g;
        const float square = beta2 * state1[i] + fresh2 * (g * g);
        state0[i] = mean;
        state1[i] = square;
        const float towards = mean * full1 / (std::sqrt(square * full2) + epsilon);
        parameters[i] -= rate * (towards + fading * parameters[i]);
    }
}

} // namespace pw::exec::cpu
