// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw {

/// x where this part of all, 0 … 1, lies between −x and x. @pre part is below 1
double normalHalfWidth(double part);

/// The same of Student's distribution.
///
/// @param freedom  whole degrees of freedom, 1 at least
/// @source         the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4
double studentHalfWidth(double part, double freedom);

} // namespace pw
