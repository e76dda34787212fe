// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pw {

struct Accelerator;
struct TransformerModel;

/// Numbers that the products of a layer with its weights read. Attention, the output matrix, norms
/// and sums stay in 16 bits where they are narrower.
enum class Precision : std::uint8_t
{
    Bf16,      ///< 16 bits, FP16 too
    Fp32,      ///< 32 bits
    Tf32,      ///< 32 bits, of which a product looks at 19
    Fp8,       ///< 8 bits, one scale a tensor
    Fp8Blocks, ///< 8 bits, a scale of 4 bytes for 128 numbers (arXiv:2412.19437 §3.3)
    Mxfp8,     ///< 8 bits, a scale of a byte for 32 numbers (OCP microscaling)
    Nvfp4      ///< 4 bits, a scale of a byte for 16 numbers (arXiv:2509.25149)
};

constexpr std::array<std::string_view, 7> precisionNames = {"bf16",       "fp32",  "tf32", "fp8",
                                                            "fp8-blocks", "mxfp8", "nvfp4"};
constexpr std::size_t precisionCount = precisionNames.size();

constexpr std::string_view name(Precision precision)
{
    return precisionNames[static_cast<std::size_t>(precision)];
}

/// What a precision is to the machine.
struct PrecisionTraits
{
    bool narrow = false;     ///< operands are made from numbers of 16 bits by kernels of their own
    double operandBytes = 2; ///< of a number that a product reads, with its part of a scale
    double convertedPasses = 0; ///< how often a tensor's numbers are read to be converted
    double weightBytes = 2;     ///< of a weight in all forms that passes read
    double gatheredBytes = 2;   ///< of a weight that replicas gather
};

const PrecisionTraits& precisionTraits(Precision precision);

/// FLOP/s of an accelerator's dense products by its data sheet. 0: it has none of them.
double productPeak(const Accelerator& accelerator, Precision precision);

/// What an accelerator has: "bf16, fp32, tf32".
std::string precisionsOf(const Accelerator& accelerator);

/// @error BadValue  the accelerator has no such products; names those that it has
Result<void> checkPrecision(const Accelerator& accelerator, Precision precision);

/// A precision by its name, or as tables of others have it: "FP16", "FP8-CS", "float8", "FP8-MX".
/// @error BadValue  lists the names
Result<Precision> findPrecision(std::string_view name);

/// Trains in this precision: what goes with it of the bytes of activations, weights, gradients and
/// optimizer.
void setPrecision(TransformerModel& model, Precision precision);

/// What numbers of so many bytes are where nothing else is said.
constexpr Precision precisionOfBytes(int elementBytes)
{
    return elementBytes == 4 ? Precision::Fp32 : Precision::Bf16;
}

} // namespace pw
