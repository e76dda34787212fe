// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/ops.h"

#include <span>

namespace pw::exec::cpu {

// The operations of `Ops` on host memory; each is what the function of its name there says.

inline float* row(Matrix matrix, std::int64_t i)
{
    return static_cast<float*>(matrix.data) + i * matrix.stride;
}

void add(Matrix a, Matrix b, Matrix out);
void addBias(Matrix x, FloatMatrix bias);
void addRowSums(Matrix gradient, FloatMatrix bias);
void draw(float* out, std::int64_t count, std::uint64_t key, float deviation);
void gelu(Matrix x, Matrix out);
void geluBackward(Matrix gradient, Matrix x, Matrix out);
void addFloats(const float* in, float* out, std::int64_t count);
double squares(const float* in, std::int64_t count);
void scale(float* x, double factor, std::int64_t count);

void normalize(Matrix x, Matrix normalized, FloatMatrix inverse);
void affine(Matrix normalized, FloatMatrix scale, FloatMatrix shift, Matrix out);
void normalizeBackward(Matrix gradient, Matrix normalized, FloatMatrix inverse, FloatMatrix scale,
                       Matrix residual, Matrix out);
void addAffineGradients(Matrix gradient, Matrix normalized, FloatMatrix scale, FloatMatrix shift);

void attention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
               Matrix probabilities, Matrix out);
/// @param scratch  queries × keys floats
void attentionBackward(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                       Matrix probabilities, Matrix gradient, Matrix queryGradient,
                       Matrix keyValueGradient, std::span<const Matrix> earlier, float* scratch);

/// Queries whose scores stand in memory at a time.
constexpr int flashQueries = 64;
/// @param scratch  flashQueries × keys floats
void flashAttention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                    FloatMatrix logSums, Matrix out, float* scratch);
/// @param scratch  2 × flashQueries × keys floats
void flashAttentionBackward(const Attention& shape, Matrix queries,
                            std::span<const Matrix> keysValues, FloatMatrix logSums, Matrix out,
                            Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                            std::span<const Matrix> earlier, float* scratch);

void embed(Tokens tokens, int positions, int firstPosition, Matrix table, Matrix positionTable,
           Matrix out);
void addEmbeddingGradients(Tokens tokens, int positions, int firstPosition, Matrix gradient,
                           FloatMatrix table, FloatMatrix positionTable);
void crossEntropy(Matrix logits, Tokens targets, float scale, float* loss);

void update(const Optimizer& optimizer, int step, std::int64_t count, bool decay, float* parameters,
            const float* gradients, float* state0, float* state1);

} // namespace pw::exec::cpu
