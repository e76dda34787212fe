// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/gpu_reading.h"
#include "executor/api/backend.h"
#include "executor/model/training.h"

#include <string>
#include <vector>

namespace pw::exec {

/// The largest difference of one kind of number, and where it is.
struct Deviation
{
    double error = 0; ///< relative; infinite where a number is none, or missing
    std::string where;

    /// Keeps the larger one.
    void take(double other, const std::string& place);
};

/// How far a run is from the reference.
struct Comparison
{
    Deviation loss;      ///< of an optimizer step, relative
    Deviation gradient;  ///< of a tensor right before an update, ‖a − b‖ ⁄ ‖b‖
    Deviation parameter; ///< of a tensor right before an update; the first update checks the start
    int updates = 0;     ///< updates of a stage that were compared
    std::vector<GpuReading> gpus{}; ///< what GPUs said of themselves beside the run

    /// The worst of the three.
    double error() const;
};

/// What a relative error may be: of floats in 32 bits sums in another order, of bfloat16 what
/// rounding to 8 bits does.
///
/// bfloat16 rounds with an error up to 2⁻⁸, about 2⁻⁹ in the mean. Between a weight and its
/// gradient lie some twenty roundings a layer and direction, which add up like a random walk: for
/// the six layers of the model that is verified √(2·20·6)·2⁻⁹ ≈ 3 %; 6 % are allowed.
double allowedError(Element element);

/// Trains a plan on a backend and compares every loss, gradient and parameter with a reference.
///
/// Both replicas of a stage that two routes host are compared. A gradient whose norm is below a
/// ten-thousandth of its stage's is measured against that: rounding is all that is left of it.
///
/// In bfloat16 a vector that is added (a bias, a norm's shift) is measured against what it is added
/// to, where that is larger. Its gradient g = Σ dy over the tokens may cancel to next to nothing,
/// while each dy was rounded: the error is about 2⁻⁹ of √Σ‖dy‖², not of ‖g‖. The matrix beside it,
/// of n rows, has the gradient Σ x dyᵀ with ‖x‖ ≈ √n, as inputs are normalized: √Σ‖dy‖² ≈ ‖dW‖ ⁄
/// √n. So is ‖W x‖ ≈ ‖W‖ what the vector itself changes; AdamW, which takes every element of a
/// gradient for its sign, makes of a small rounding of a cancelled one a step in the other
/// direction.
///
/// @error  as of `Backend::run`
Result<Comparison> compareWithReference(Backend& backend, const RunPlan& plan,
                                        const ReferenceRun& reference, const Stop& stop);

/// A schedule that does the same in segments, each pass a segment after the other.
/// @error BadValue  it has segments already
Result<Schedule> withSegments(const Schedule& schedule, std::vector<int> lengths);

} // namespace pw::exec
