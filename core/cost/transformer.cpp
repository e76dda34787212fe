// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/transformer.h"

#include "core/base/divisors.h"
#include "core/base/try.h"

#include <algorithm>

namespace pw {

namespace {

/// Largest value of a count; the products of them are checked apart.
constexpr int maxCount = 1 << 26;
constexpr double maxLayerBytes = 1e15;

std::string value(std::string_view field, std::int64_t number)
{
    return std::string(field) + " is " + std::to_string(number);
}

Result<void> checkRanges(const TransformerModel& model)
{
    struct Range
    {
        std::string_view field;
        int value;
        int minimum;
        int maximum;
    };
    const Range ranges[] = {{"layers", model.layers, 1, 1'000'000},
                            {"hidden", model.hidden, 1, 1 << 20},
                            {"heads", model.heads, 1, 1 << 20},
                            {"kvHeads", model.kvHeads, 0, 1 << 20},
                            {"ffn", model.ffn, 0, 1 << 24},
                            {"sequence", model.sequence, 1, maxCount},
                            {"positions", model.positions, -1, maxCount},
                            {"vocabulary", model.vocabulary, 1, maxCount},
                            {"microBatch", model.microBatch, 1, 1 << 20},
                            {"tensorParallel", model.tensorParallel, 1, 1 << 16},
                            {"dataParallel", model.dataParallel, 1, 1 << 20},
                            {"elementBytes", model.elementBytes, 1, 8},
                            {"weightBytes", model.weightBytes, 1, 8},
                            {"gradientBytes", model.gradientBytes, 0, 8},
                            {"optimizerBytes", model.optimizerBytes, 0, 64}};
    for (const Range& range : ranges) {
        if (range.value < range.minimum || range.value > range.maximum) {
            return fail(ErrorCode::BadValue, "%1; %2 to %3", value(range.field, range.value),
                        range.minimum, range.maximum);
        }
    }
    return {};
}

Result<void> divides(std::string_view divisorField, int divisor, std::string_view field, int whole)
{
    if (whole % divisor == 0)
        return {};
    return fail(ErrorCode::BadValue, "%1, which does not divide the %2 of %3; %4 would",
                value(divisorField, divisor), whole, field, divisorsBeside(whole, divisor));
}

Result<void> checkHeads(const TransformerModel& model, bool fillWidth)
{
    if (fillWidth)
        PW_DO(divides("heads", model.heads, "hidden", model.hidden));
    return divides("kvHeads", model.kvHeadCount(), "heads", model.heads);
}

Result<void> checkTensorParallel(const TransformerModel& model)
{
    const int t = model.tensorParallel;
    PW_DO(divides("tensorParallel", t, "heads", model.heads));
    PW_DO(divides("tensorParallel", t, "kvHeads", model.kvHeadCount()));
    PW_DO(divides("tensorParallel", t, "ffn", model.ffnWidth()));
    return model.sequenceParallel ? divides("tensorParallel", t, "sequence", model.sequence)
                                  : Result<void>();
}

double tokens(const TransformerModel& model)
{
    return static_cast<double>(model.sequence) * model.microBatch;
}

std::int64_t kvWidth(const TransformerModel& model)
{
    return static_cast<std::int64_t>(model.headSize()) * model.kvHeadCount();
}

} // namespace

Result<void> check(const TransformerModel& model, bool headsFillWidth)
{
    PW_DO(checkRanges(model));
    PW_DO(checkHeads(model, headsFillWidth));
    PW_DO(checkTensorParallel(model));
    if (model.skipsMasked && !model.causal) {
        return fail(ErrorCode::BadValue,
                    "skipsMasked is true and causal is false; only causal attention is masked");
    }
    const double width = 64.0 * model.hidden + 8.0 * model.ffnWidth() + 8.0 * model.vocabulary;
    const double bytes = tokens(model) * (width + 16.0 * model.heads * model.sequence);
    if (bytes * model.elementBytes > maxLayerBytes) {
        return fail(ErrorCode::TooLarge,
                    "%1, %2 and %3: one layer would keep more than 10^15 bytes",
                    value("sequence", model.sequence), value("microBatch", model.microBatch),
                    value("hidden", model.hidden));
    }
    return {};
}

std::int64_t vocabularyPart(const TransformerModel& model, int parts)
{
    constexpr std::int64_t padded = 128;
    const std::int64_t part = model.vocabulary / parts;
    if (!model.padsVocabulary)
        return std::max<std::int64_t>(part, 1);
    const bool isWhole = model.vocabulary % parts == 0;
    return isWhole && part % 2 == 0 ? part
                                    : (part + (isWhole ? 0 : 1) + padded - 1) / padded * padded;
}

double utilisation(double flops, double seconds, double accelerators, double peakFlopsPerSecond)
{
    return flops / (seconds * accelerators * peakFlopsPerSecond);
}

std::int64_t matrixParameters(const TransformerModel& model)
{
    const std::int64_t h = model.hidden;
    const std::int64_t mlp = model.gatedMlp ? 3 : 2;
    return h * (2 * h + 2 * kvWidth(model)) + mlp * h * model.ffnWidth();
}

} // namespace pw
