// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/shard.h"

#include "core/base/number.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace pw::app {

namespace {

constexpr std::int64_t mostShards = 1'000'000;

/// How a launcher tells its processes apart.
struct Launcher
{
    const char* name;
    const char* rank;
    const char* size;
};

constexpr std::array<Launcher, 4> launchers = {
    {{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
     {"PMI", "PMI_RANK", "PMI_SIZE"},
     {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
     {"Slurm", "SLURM_PROCID", "SLURM_NTASKS"}}};

std::optional<std::int64_t> number(const Environment& environment, const char* name)
{
    const std::optional<std::string> text = environment(name);
    return text ? wholeNumber(*text) : std::nullopt;
}

/// The script of a batch job has the variables of its steps' tasks, and is none of them.
bool isBatchScript(const Environment& environment)
{
    return environment("SLURM_JOB_ID") && !environment("SLURM_STEP_ID") &&
           !environment("SLURM_STEPID") && !environment("SLURM_STEP_NUM_TASKS");
}

std::optional<Shard> launched(const Environment& environment)
{
    for (const Launcher& one : launchers) {
        const std::optional<std::int64_t> rank = number(environment, one.rank);
        const std::optional<std::int64_t> size = number(environment, one.size);
        if (!rank || !size || *rank < 0 || *rank >= *size || *size > mostShards)
            continue;
        if (std::string_view(one.name) == "Slurm" && isBatchScript(environment))
            continue;
        return Shard{static_cast<std::size_t>(*rank), static_cast<std::size_t>(*size), one.name};
    }
    return std::nullopt;
}

Failure noShard(const std::string& text)
{
    return {ExitCode::Usage, "--shard takes I/N, I from 0 to N - 1, or /N where MPI, Slurm or GNU "
                             "parallel says I, and not " +
                                 quotedWord(text)};
}

} // namespace

std::optional<std::string> environmentValue(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

tl::expected<Shard, Failure> shardOf(const std::optional<std::string>& text,
                                     const Environment& environment)
{
    const std::optional<Shard> started = launched(environment);
    if (!text)
        return started.value_or(Shard{});
    const std::size_t slash = text->find('/');
    if (slash == std::string::npos)
        return tl::unexpected(noShard(*text));
    const std::optional<std::int64_t> of = wholeNumber(text->substr(slash + 1));
    if (!of || *of < 1 || *of > mostShards)
        return tl::unexpected(noShard(*text));
    std::optional<std::int64_t> which = wholeNumber(text->substr(0, slash));
    std::string from = "--shard";
    if (slash == 0 && started) {
        which = static_cast<std::int64_t>(started->number);
        from = started->from;
    } else if (slash == 0) {
        which = number(environment, "PARALLEL_SEQ"); // counts from 1
        which = which ? std::optional(*which - 1) : which;
        from = "GNU parallel";
    }
    if (!which || *which < 0 || *which >= *of)
        return tl::unexpected(noShard(*text));
    return Shard{static_cast<std::size_t>(*which), static_cast<std::size_t>(*of), from};
}

} // namespace pw::app
