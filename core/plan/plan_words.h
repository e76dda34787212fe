// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "core/plan/search.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::plan {

/// Samples of an iteration, in tokens, over its time.
double tokensPerSecond(const LanguageModel& model, const Evaluation& row);

/// Degrees in one word: "pp8 tp4 dp2".
std::string degreesText(const Configuration& configuration);

/// "full", or "full, 3 layers" where only some of a stage are computed again.
std::string recomputeText(const Configuration& configuration);

/// Equal neighbours of a split together: "10×7 9".
std::string splitText(const std::vector<int>& split);

/// The same of a configuration; on several kinds with the kind of the stages: "h100 10×4, a100
/// 6×4".
std::string placedSplitText(const Cluster& cluster, const Configuration& configuration);

/// "zb-v pp8 tp4 dp2, micro-batches of 1, recompute selective"
std::string rowName(const Evaluation& row);

/// A named part of an iteration.
struct NamedPart
{
    const char* name;
    double seconds;
    const char* source; ///< what it follows from: constants by name, and what is simulated
};

/// What an iteration goes into; the parts add up to it.
std::vector<NamedPart> namedParts(const Evaluation& row);

/// Where the constants of a cluster are from: "NVIDIA-NeMo/Megatron-Bridge", of several kinds one
/// after another; "given" where they are not those that ship.
std::string constantsSource(const Cluster& cluster);

/// A kind of memory of a rank.
struct NamedBytes
{
    const char* name;  ///< in JSON and in Python
    const char* title; ///< of its column
    double bytes;
    bool ofEngine = false; ///< only some engines hold any
};

/// All kinds, in the order of `MemoryParts`; they add up to its total.
std::vector<NamedBytes> namedBytes(const MemoryParts& memory);

/// Why a row is where it is, beside the best: for JSON, and for people.
std::string reasonText(const Evaluation& row, const Evaluation& best);

/// Why the second row is slower than the first, by named parts; empty where there is none.
std::string runnerUpText(const PlanTable& table);

/// How the line of `whatWouldHelp` begins that says what offloading would bring.
constexpr std::string_view hostMemoryHelp = "activations in the host's memory";

/// What one more GPU, 10 % more memory, twice the links and, where none was wished for, activations
/// in the host's memory would bring, a line each; of one more GPU only where it brings something.
///
/// @param stop  asks to end early with the lines that are there
std::vector<std::string> whatWouldHelp(const LanguageModel& model, const Cluster& cluster,
                                       const Wish& wish, const PlanTable& table,
                                       const std::atomic<bool>& stop);

/// "llama3-70b, 70.55 B parameters, sequence 8192, batch 256, on 64 × NVIDIA H100 … in nodes of 8"
std::string headline(const LanguageModel& model, const Cluster& cluster, const Wish& wish);

/// How sure one can be of the times on a cluster: what its constants were fitted to, and within
/// what nine of ten measured times are; of several kinds, of the least known.
Sentence timesText(const Cluster& cluster, const LanguageModel& model);

/// How sure times of a model on a cluster are: those of the kind that is known least, in the
/// model's precision. Models with experts are less sure than all others: releases of one engine
/// differ by up to three quarters.
Surety suretyOf(const Cluster& cluster, const LanguageModel& model);

/// A row as a project: its family, the layers' costs and the devices' memory.
/// @error BadValue  what the family refuses
Result<Project> projectOf(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                          const Evaluation& row);

/// The least that would make something fit where nothing does.
struct SmallestChange
{
    double memoryGib = 0;                 ///< of a device
    int devices = 0;                      ///< 0: even 64 times as many are too few
    std::optional<OffloadPolicy> offload; ///< with which it fits where none was wished for
};

/// @pre table.nearest
SmallestChange smallestChange(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                              const PlanTable& table, const std::atomic<bool>* stop = nullptr);

} // namespace pw::plan
