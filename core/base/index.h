// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace pw {

/// A count of devices, stages or micro-batches as an index; the searches use little else.
constexpr std::size_t at(std::int64_t index)
{
    return static_cast<std::size_t>(index);
}

} // namespace pw
