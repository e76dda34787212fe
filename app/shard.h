// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace pw::app {

/// Which part of a list of files is this process's.
struct Shard
{
    std::size_t number = 0; ///< from 0
    std::size_t of = 1;
    std::string from{}; ///< what says it: "--shard", "Open MPI" …; empty: nobody, and it is all

    bool has(std::size_t file) const { return file % of == number; }
};

/// Value of an environment variable; none: not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// The environment of this process.
std::optional<std::string> environmentValue(const char* name);

/// By --shard I/N, from 0; else by the variables of Open MPI, of MPICH and others with PMI, or of a
/// step of Slurm. `/N` alone takes I from them, or from GNU parallel's PARALLEL_SEQ, which says
/// nothing of N.
///
/// @param text  of --shard; none: it is not given
tl::expected<Shard, Failure> shardOf(const std::optional<std::string>& text,
                                     const Environment& environment);

} // namespace pw::app
