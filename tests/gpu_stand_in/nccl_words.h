// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>

namespace pw::gpu {

/// What NCCL says where NCCL_DEBUG is set, on the terminal or in the file that NCCL_DEBUG_FILE
/// names: %h and %p in it are the host and the process. Any thread.
/// @param level  "INFO" or "WARN"; with NCCL_DEBUG=WARN only the latter is said
void ncclSays(const std::string& level, int device, const std::string& text);

} // namespace pw::gpu
