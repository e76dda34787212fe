// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw {

/// What NCCL says with its ranges.
struct NcclPayload
{
    std::uint64_t communicator = 0; ///< the same on all its ranks
    Bytes bytes = -1;               ///< of the message, by rank; −1: not told
};

/// Reads the payload of a range of NCCL's. Nothing where there is none, or its form is not known.
/// @param binary  as bytes, or as text of hexadecimal digits; may be empty
/// @param json    the same as JSON; may be empty
/// @source        NCCL's nvtx_payload_schemas.h: communicator and size are its first two numbers
std::optional<NcclPayload> ncclPayload(std::string_view binary, std::string_view json);

} // namespace pw
