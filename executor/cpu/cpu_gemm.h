// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/model/ops.h"

#include <cstdint>

namespace pw::exec::cpu {

/// A factor of a product as it lies in memory: row after row, `stride` floats apart.
struct Factor
{
    const float* data = nullptr;
    std::int64_t stride = 0;
    Transpose transpose = Transpose::No;
};

/// Rows and columns of a product, and the length of the sums in it.
struct ProductShape
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t inner = 0;
};

enum class Into
{
    Nothing, ///< the product replaces what was there, be it no numbers at all
    Sum      ///< the product is added
};

/// Has the library make what it makes once for all threads, while there is memory for it: made in
/// the middle of a run that has none left, it would end the program. Costs nothing the second time.
/// @error Fault  the limit of the process (`ulimit -v`) leaves no room for it
Result<void> prepareProducts();

/// out = scale · op(a)·op(b), or that added to out; on the calling thread alone, with the library
/// that the program was built with. Any of the three lengths may be 0.
/// @throws std::bad_alloc  the library finds no memory
/// @throws DeviceError     it refuses for another reason
void multiply(ProductShape shape, float scale, Factor a, Factor b, Into into, float* out,
              std::int64_t stride);

/// The same with own loops, which need no library: for small products, for programs without one,
/// and to compare with.
void multiplyPlain(ProductShape shape, float scale, Factor a, Factor b, Into into, float* out,
                   std::int64_t stride);

} // namespace pw::exec::cpu
