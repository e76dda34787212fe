// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/slurm_queue.h"

#include "app/child_program.h"
#include "core/base/try.h"

#include <algorithm>

namespace pw::app {

namespace {

/// Slurm's own programs wait for their server for less.
constexpr std::chrono::seconds slurmLimit{60};

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find_first_of("\r\n"));
}

/// "JobState=COMPLETED" of a line of fields.
std::string fieldOf(const std::string& line, const std::string& name)
{
    const std::size_t found = line.find(name + "=");
    if (found == std::string::npos)
        return {};
    const std::size_t from = found + name.size() + 1;
    return line.substr(from, line.find_first_of(" \n", from) - from);
}

} // namespace

Result<void> slurmIsHere()
{
    for (const char* program : {"sbatch", "squeue", "scancel"}) {
        if (!isOnPath(program))
            return fail(ErrorCode::BadValue,
                        "there is no %1 on this computer, so no job can be sent: Slurm's programs "
                        "are where one logs in to the cluster (Debian: slurm-client); from "
                        "elsewhere, ssh login pipewright submit …",
                        program);
    }
    return {};
}

Result<std::string> sendToSlurm(const std::string& script)
{
    PW_TRY(const ChildOutput said, runChild({"sbatch", "--parsable", script}, slurmLimit));
    if (said.code != 0)
        return fail(ErrorCode::Fault, "Slurm does not take the job: %1", said.lastLine());
    // "17", or "17;cluster"
    const std::string job = firstLine(said.out).substr(0, firstLine(said.out).find(';'));
    if (job.empty() || job.find_first_not_of("0123456789_") != std::string::npos)
        return fail(ErrorCode::Fault, "sbatch has not said the job's number, but: %1",
                    said.lastLine());
    return job;
}

Result<SlurmJobState> slurmJobState(const std::string& job)
{
    PW_TRY(const ChildOutput queue,
           runChild({"squeue", "--noheader", "--states=all", "--format=%T|%r|%N", "--jobs=" + job},
                    slurmLimit));
    if (const std::string line = firstLine(queue.out); queue.code == 0 && !line.empty()) {
        const std::size_t reason = std::min(line.find('|'), line.size());
        const std::size_t nodes = std::min(line.find('|', reason + 1), line.size());
        SlurmJobState found{line.substr(0, reason), {}};
        if (nodes + 1 < line.size())
            found.reason = line.substr(nodes + 1);
        else if (reason < line.size())
            found.reason = line.substr(reason + 1, nodes - reason - 1);
        return found;
    }
    const bool forgotten = queue.code == 0 || queue.err.find("Invalid job id") != std::string::npos;
    if (!forgotten)
        return fail(ErrorCode::Fault, "Slurm does not answer: %1", queue.lastLine());
    // The accounting is another server, which a small cluster may not have.
    const Result<ChildOutput> past = runChild(
        {"sacct", "--noheader", "--parsable2", "--allocations", "--format=State", "--jobs=" + job},
        slurmLimit);
    if (past && past->code == 0 && !firstLine(past->out).empty())
        return SlurmJobState{firstLine(past->out), {}};
    const Result<ChildOutput> kept =
        runChild({"scontrol", "show", "job", "--oneliner", job}, slurmLimit);
    if (kept && kept->code == 0)
        return SlurmJobState{fieldOf(kept->out, "JobState"), {}};
    return SlurmJobState{};
}

Result<void> cancelSlurmJob(const std::string& job)
{
    PW_TRY(const ChildOutput said, runChild({"scancel", job}, slurmLimit));
    if (said.code != 0)
        return fail(ErrorCode::Fault, "job %1 is not cancelled: %2", job, said.lastLine());
    return {};
}

std::string slurmPartitions()
{
    const Result<ChildOutput> said =
        runChild({"sinfo", "--noheader", "--format=%P %a, %D nodes %t, at most %l"}, slurmLimit);
    return said && said->code == 0 ? said->out : std::string();
}

} // namespace pw::app
