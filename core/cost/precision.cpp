// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/precision.h"

#include "core/base/display_text.h"
#include "core/base/names.h"
#include "core/cost/accelerator.h"
#include "core/cost/transformer.h"

namespace pw {

namespace {

// A narrow operand is kept by rows and by columns, since the product for the gradients reads it the
// other way round. Of the weights these two take the place of the 16 bits, but with four bits,
// whose optimizer writes 16. A scale a tensor needs the tensor's largest number first: one pass
// more.
constexpr double blockScale = 4.0 / 128, mxScale = 1.0 / 32, nvScale = 1.0 / 16;
constexpr std::array<PrecisionTraits, precisionCount> precisionTable = {{
    {false, 2, 0, 2, 2},
    {false, 4, 0, 4, 4},
    {false, 4, 0, 4, 4},
    {true, 1, 2, 2, 1},
    {true, 1 + blockScale, 1, 2 * (1 + blockScale), 1},
    {true, 1 + mxScale, 1, 2 * (1 + mxScale), 1},
    {true, 0.5 + nvScale, 2, 2 + 2 * (0.5 + nvScale), 2},
}};

/// Names of a precision in tables and engines of others.
struct PrecisionAlias
{
    std::string_view name;
    Precision precision;
};

constexpr PrecisionAlias precisionAliases[] = {
    {"fp16", Precision::Bf16},    {"float16", Precision::Bf16},     {"bfloat16", Precision::Bf16},
    {"float32", Precision::Fp32}, {"float8", Precision::Fp8},       {"fp8-cs", Precision::Fp8},
    {"fp8-ds", Precision::Fp8},   {"fp8-sc", Precision::Fp8Blocks}, {"fp8-mx", Precision::Mxfp8},
};

} // namespace

const PrecisionTraits& precisionTraits(Precision precision)
{
    return precisionTable[static_cast<std::size_t>(precision)];
}

double productPeak(const Accelerator& accelerator, Precision precision)
{
    switch (precision) {
    case Precision::Bf16:
        return accelerator.peakFlops;
    case Precision::Fp32:
        return accelerator.fp32Flops;
    case Precision::Tf32:
        return accelerator.tf32Flops;
    case Precision::Fp8:
    case Precision::Fp8Blocks:
        return accelerator.fp8Flops;
    case Precision::Mxfp8: // scales of 32 numbers came with the products of four bits
        return accelerator.fp4Flops > 0 ? accelerator.fp8Flops : 0;
    case Precision::Nvfp4:
        return accelerator.fp4Flops;
    }
    return 0;
}

std::string precisionsOf(const Accelerator& accelerator)
{
    std::string names;
    for (std::size_t i = 0; i < precisionCount; ++i) {
        if (productPeak(accelerator, static_cast<Precision>(i)) > 0)
            names += (names.empty() ? "" : ", ") + std::string(precisionNames[i]);
    }
    return names;
}

Result<void> checkPrecision(const Accelerator& accelerator, Precision precision)
{
    if (productPeak(accelerator, precision) > 0)
        return {};
    return fail(ErrorCode::BadValue, "the %1 has no products in %2; it has %3", accelerator.name,
                name(precision), precisionsOf(accelerator));
}

Result<Precision> findPrecision(std::string_view wanted)
{
    for (std::size_t i = 0; i < precisionCount; ++i) {
        if (sameName(wanted, precisionNames[i]))
            return static_cast<Precision>(i);
    }
    for (const PrecisionAlias& alias : precisionAliases) {
        if (sameName(wanted, alias.name))
            return alias.precision;
    }
    std::string names;
    for (const std::string_view one : precisionNames)
        names += (names.empty() ? "" : ", ") + std::string(one);
    return fail(ErrorCode::BadValue, "there is no precision %1; there are %2", inQuotes(wanted),
                names);
}

void setPrecision(TransformerModel& model, Precision precision)
{
    const bool wide = precision == Precision::Fp32 || precision == Precision::Tf32;
    model.precision = precision;
    model.elementBytes = model.weightBytes = wide ? 4 : 2;
    model.gradientBytes = 4;
    // 32 bits need no second copy of the weights.
    model.optimizerBytes = wide ? 8 : 12;
}

} // namespace pw
