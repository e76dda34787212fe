// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/blas.h"
#include "executor/cuda/launches.h"
#include "executor/model/ops.h"

#include <span>

namespace pw::exec::cuda {

/// Where attention is computed: cuBLAS on the stream of launches, and the type of all matrices.
struct AttentionPlace
{
    Blas& blas;
    Launches& launches;
    Type type;
    bool tensorCores = true; ///< flash attention may use them; false: CUDA cores in any case
};

/// As `Ops::attention`. One call of cuBLAS covers all heads of a sample, or all samples of a head,
/// whichever are more.
/// @throws DeviceError
void attend(const AttentionPlace& place, const Attention& shape, Matrix queries,
            std::span<const Matrix> keysValues, Matrix probabilities, Matrix out);

/// As `Ops::attentionBackward`.
/// @param scores  memory for the gradients of the scores, as large as the probabilities
/// @throws DeviceError
void attendBackward(const AttentionPlace& place, const Attention& shape, Matrix queries,
                    std::span<const Matrix> keysValues, Matrix probabilities, Matrix gradient,
                    Matrix queryGradient, Matrix keyValueGradient, std::span<const Matrix> earlier,
                    Matrix scores);

/// As `Ops::flashAttention`, a launch for every segment of keys.
void attendFlash(const AttentionPlace& place, const Attention& shape, Matrix queries,
                 std::span<const Matrix> keysValues, float* logSums, Matrix out);

/// What the backward of flash attention reads and writes beside queries, keys and values.
struct FlashBackwardPlaces
{
    float* logSums = nullptr;
    Matrix out;
    Matrix gradient;
    Matrix queryGradient;
    Matrix keyValueGradient;
    std::span<const Matrix> earlier;
    float* slopes = nullptr; ///< scratch, as many as logSums
};

/// As `Ops::flashAttentionBackward`.
void attendFlashBackward(const AttentionPlace& place, const Attention& shape, Matrix queries,
                         std::span<const Matrix> keysValues, const FlashBackwardPlaces& at);

} // namespace pw::exec::cuda
