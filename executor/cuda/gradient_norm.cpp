// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gradient_norm.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/kernels.h"
#include "executor/cuda/op_scratch.h"
#include "executor/cuda/staging.h"

#include <numeric>
#include <vector>

namespace pw::exec::cuda {

double sumOfSquares(RankDevice& device, const float* x, std::int64_t count, Ticks patience)
{
    std::vector<double> parts(static_cast<std::size_t>(squareParts(count)));
    const auto bytes = static_cast<Bytes>(parts.size() * sizeof(double));
    const OpScratch scratch(device, bytes);
    launchSquares(x, count, static_cast<double*>(scratch.data()), device.now());
    checkLaunch("squares");
    download(device, parts.data(), scratch.data(), bytes, patience);
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

} // namespace pw::exec::cuda
