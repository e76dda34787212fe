// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace pw {

/// Whether a description of a process group has a word, not a part of another: "tp_group",
/// "mesh_tp", "tensor_parallel" and "TP" have tp or tensor.
/// @param shortWord, longWord  in small letters; either counts
bool saysWord(std::string_view description, std::string_view shortWord, std::string_view longWord);

/// Whether a group is of ranks that sum the gradients of replicas, as its description says.
bool isBetweenReplicas(const ProcessGroup& group);

/// The numbers of the ranks that a group lists, as they stand there.
std::vector<std::int32_t> listedRanks(const ProcessGroup& group);

/// The numbers of the ranks that a group lists, from the lowest on.
std::vector<std::int32_t> ranksOf(const ProcessGroup& group);

/// The groups of at least two ranks that share the tensors of a layer, as the process groups of a
/// trace tell it: numbers of ranks, from the lowest on, each group once.
std::vector<std::vector<std::int32_t>> tensorGroups(const Trace& trace);

} // namespace pw
