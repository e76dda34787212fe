// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/ops.h"

namespace pw::exec {

/// Makes a matrix nearly orthogonal: its singular vectors stay, its singular values come near 1,
/// between about 0.7 and 1.2. Five steps of a Newton–Schulz iteration of fifth order, in the
/// precision of 32-bit floats.
///
/// @param ops  with elements of 32-bit floats; waits for it once
/// @source     Jordan et al. 2024, as in torch.optim.Muon, which rounds to bfloat16
void orthogonalize(Ops& ops, FloatMatrix x);

/// One step of Muon over a matrix: momentum with Nesterov's look ahead, made orthogonal, times the
/// learning rate and 0.2 · √max(rows, columns), so that it is as long as a step of AdamW; weight
/// decay as AdamW has it.
///
/// @param gradients, momentum  as many numbers as the matrix has, the latter 0 at first
/// @source  arXiv:2502.16982 §2.2; torch.optim.Muon with adjust_lr_fn="match_rms_adamw"
void muonStep(Ops& ops, const Optimizer& optimizer, FloatMatrix parameters, const float* gradients,
              float* momentum);

} // namespace pw::exec
