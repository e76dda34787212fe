// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Bytes of a logit in FP32, which the papers' formulas count.
constexpr int fp32LogitBytes = 4;

/// How an engine computes the cross entropy, by what it holds of the logits.
enum class LossKind : std::uint8_t
{
    Fp32,    ///< one copy in FP32, as the papers count
    Fused,   ///< one kernel: logits in BF16, their gradient in the same place
    Unfused, ///< a kernel for each step, whose results lie beside each other
    Chunked  ///< some tokens at a time, their gradients with them; FP32
};

/// Bytes that an engine holds beside what the mathematics needs. A value; the usual one adds
/// nothing to the papers' formulas.
struct EngineMemory
{
    LossKind loss = LossKind::Fp32;
    int lossChunks = 1; ///< of a micro-batch, for `Chunked`
    /// Fused accumulation gives autograd an empty gradient for every shape of a weight matrix.
    bool dummyGradients = false;
    /// Slices of a sample keep its keys and values once more, in one piece.
    bool joinsSlices = false;

    friend bool operator==(const EngineMemory&, const EngineMemory&) = default;
};

/// Bytes of one logit.
struct LogitBytes
{
    double kept = 0;    ///< from F to B
    double passing = 0; ///< more while the loss of its micro-batch or slice is computed
};

/// Unfused it is 13.5 in all: 2 of the product, 4 in FP32, 4 of the exponentials, which B needs,
/// and 3.5 of the gradient's steps. @source peaks of Megatron-LM, Seq1F1B and torchtitan
LogitBytes logitBytes(const EngineMemory& engine);

/// An engine by its name.
struct NamedEngine
{
    std::string_view name;
    EngineMemory memory;
    std::string_view summary; ///< one line, lower case, no full stop
};

/// "plain", which adds nothing, then those of today.
const std::vector<NamedEngine>& memoryEngines();

/// @error BadValue  lists the names
Result<EngineMemory> findEngineMemory(std::string_view name);

/// The engine by its name, "megatron-te"; where only its loss is another one, with that:
/// "megatron-te, loss unfused"; any other by its loss.
std::string text(const EngineMemory& engine);

/// The kind of loss as `setLoss` reads it.
std::string lossText(const EngineMemory& engine);

/// Sets the kind of loss from text: fused, fp32, unfused or chunked:N.
/// @error BadValue  says what it takes
Result<void> setLoss(EngineMemory& engine, std::string_view text);

} // namespace pw
