// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_kernels.h"
#include "executor/cpu/vectors.h"

#include <cmath>
#include <string>

namespace pw::exec::cpu {

namespace {

/// The i-th token, as a row of a table or a column of logits.
std::int64_t tokenAt(Tokens tokens, std::int64_t i, std::int64_t vocabulary)
{
    const std::int64_t token = tokens.data[i];
    if (token < 0 || token >= vocabulary)
        throw DeviceError("token " + std::to_string(i) + " is " + std::to_string(token) +
                          ", not from 0 to " + std::to_string(vocabulary - 1));
    return token;
}

} // namespace

void embed(Tokens tokens, int positions, int firstPosition, Matrix table, Matrix positionTable,
           Matrix out)
{
    for (std::int64_t i = 0; i < tokens.count; ++i) {
        const float* meaning = row(table, tokenAt(tokens, i, table.rows));
        const float* place = row(positionTable, firstPosition + i % positions);
        float* to = row(out, i);
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < out.columns; ++j)
            to[j] = meaning[j] + place[j];
    }
}

void addEmbeddingGradients(Tokens tokens, int positions, int firstPosition, Matrix gradient,
                           FloatMatrix table, FloatMatrix positionTable)
{
    const std::int64_t columns = gradient.columns;
    for (std::int64_t i = 0; i < tokens.count; ++i) {
        const float* from = row(gradient, i);
        addFloats(from, table.data + tokenAt(tokens, i, table.rows) * columns, columns);
        addFloats(from, positionTable.data + (firstPosition + i % positions) * columns, columns);
    }
}

void crossEntropy(Matrix logits, Tokens targets, float scale, float* loss)
{
    double losses = 0;
    for (std::int64_t i = 0; i < logits.rows; ++i) {
        float* values = row(logits, i);
        const std::int64_t columns = logits.columns;
        const std::int64_t target = tokenAt(targets, i, columns);
        const float most = maximumOf(columns, values);
        const float atTarget = values[target] - most;
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < columns; ++j)
            values[j] = expOf(values[j] - most);
        const float sum = sumOf(columns, [values](std::int64_t j) { return values[j]; });
        losses += std::log(static_cast<double>(sum)) - static_cast<double>(atTarget);
        const float whole = 1.0F / sum;
        // What the target lacks of 1 is summed up from the others: nothing cancels.
        const float others =
            sumOf(columns, [=](std::int64_t j) { return j == target ? 0.0F : values[j]; });
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < columns; ++j)
            values[j] *= whole * scale;
        values[target] = -(others * whole * scale);
    }
    *loss += static_cast<float>(losses);
}

} // namespace pw::exec::cpu
