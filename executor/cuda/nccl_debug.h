// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// What NCCL says where NCCL_DEBUG asks it to. Knows no CUDA.
namespace pw::exec::cuda {

/// Bytes in pieces, as whole lines.
class LineSplitter
{
public:
    /// A line that is longer comes in pieces.
    static constexpr std::size_t longest = std::size_t{16} << 10;

    /// @return  the lines that end in these bytes, without their ends
    std::vector<std::string> take(std::string_view bytes);

private:
    std::string m_open;
};

/// Where NCCL_DEBUG is set and NCCL_DEBUG_FILE is not, a file of this process's own becomes the
/// latter, so that what NCCL says can be read and does not run into what the program prints. Once,
/// before NCCL is first used.
void catchNcclLines();

/// What has been written to that file since the last call; warnings as such. The file loses its
/// name once NCCL has it open. Nothing where none was made. From one thread at a time.
/// @param rank  that a process has alone, or none
std::vector<RunLog> takeNcclLines(RankId rank);

} // namespace pw::exec::cuda
