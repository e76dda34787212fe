// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/slurm_follow.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/slurm_job.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

namespace pw::app {

namespace {

using FollowClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto followPause = 50ms;
/// Slurm's server is everybody's: nobody asks it more often than he has to.
constexpr std::chrono::milliseconds shortestAsk = 500ms;
constexpr std::chrono::milliseconds longestAsk = 10s;
constexpr auto aliveEvery = 4s;
/// A file server may show a file's end later than the queue shows the job's.
constexpr auto lastWordsLimit = 3s;
/// Slurm ends what does not go by itself (KillWait is 30 s as a rule).
constexpr auto cancelLimit = 60s;
constexpr int mostSilentAsks = 3;

/// What a file has more than at the last look.
class FileTail
{
public:
    explicit FileTail(std::string path)
        : m_path(std::move(path))
    {
    }

    /// @return true where whoever listens needs no more
    bool read(const std::function<bool(std::string_view)>& into)
    {
        if (!m_file.is_open()) {
            m_file.open(std::filesystem::path(m_path), std::ios::binary);
            if (!m_file.is_open())
                return false;
        }
        bool enough = false;
        std::vector<char> buffer(1 << 16);
        for (;;) {
            m_file.clear();
            m_file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
            const auto got = static_cast<std::size_t>(m_file.gcount());
            if (got == 0)
                return enough;
            enough |= into({buffer.data(), got});
        }
    }

private:
    std::string m_path;
    std::ifstream m_file;
};

/// When Slurm is asked, and what it said.
class Asking
{
public:
    explicit Asking(const std::string& job)
        : m_job(job)
    {
    }

    bool due() const { return FollowClock::now() >= m_next; }
    const SlurmJobState& state() const { return m_state; }

    /// @return whether the state is a new one
    Result<bool> ask()
    {
        const Result<SlurmJobState> found = slurmJobState(m_job);
        if (!found && ++m_silent >= mostSilentAsks)
            return fail(found.error());
        const bool isNew = found && !found->state.empty() && *found != m_state;
        if (found && found->state.empty())
            ++m_silent; // it may not know the job yet
        else if (found)
            m_silent = 0;
        if (isNew)
            m_state = *found;
        m_pause = isNew ? shortestAsk : std::min(longestAsk, m_pause * 3 / 2);
        m_next = FollowClock::now() + m_pause;
        return isNew;
    }
    /// Slurm does not know the job any more.
    bool forgotten() const { return m_silent >= mostSilentAsks; }
    void soon()
    {
        m_pause = shortestAsk;
        m_next = FollowClock::now() + m_pause;
    }

private:
    const std::string& m_job;
    SlurmJobState m_state;
    FollowClock::time_point m_next = FollowClock::now();
    std::chrono::milliseconds m_pause = shortestAsk;
    int m_silent = 0;
};

bool isOver(const SlurmJobState& state)
{
    const SlurmPhase phase = slurmPhase(state.state);
    return phase == SlurmPhase::Ended || phase == SlurmPhase::Failed;
}

} // namespace

Result<SlurmJobState> followSlurmJob(const std::string& job, const std::string& outputFile,
                                     const SlurmEars& ears, const exec::Stop& stop)
{
    FileTail tail(outputFile);
    Asking asking(job);
    bool cancelled = false;
    FollowClock::time_point limit = FollowClock::time_point::max();
    FollowClock::time_point alive = FollowClock::now() + aliveEvery;
    for (;; std::this_thread::sleep_for(followPause)) {
        if (tail.read(ears.output))
            return asking.state();
        if (stop.requested() && !std::exchange(cancelled, true)) {
            PW_DO(cancelSlurmJob(job));
            limit = FollowClock::now() + cancelLimit;
            asking.soon();
        }
        if (FollowClock::now() >= limit)
            return asking.state();
        if (FollowClock::now() >= alive) {
            ears.alive();
            alive = FollowClock::now() + aliveEvery;
        }
        if (!asking.due())
            continue;
        PW_TRY(const bool isNew, asking.ask());
        if (isNew)
            ears.state(slurmStateText(asking.state().state, asking.state().reason));
        if (isOver(asking.state()) || asking.forgotten())
            break;
    }
    const auto end = FollowClock::now() + lastWordsLimit;
    while (!tail.read(ears.output) && FollowClock::now() < end)
        std::this_thread::sleep_for(followPause);
    return asking.state();
}

std::string lastLinesOf(const std::string& path, int most)
{
    constexpr std::int64_t longest = 64 << 20;
    const Result<std::string> content = readFile(path, longest);
    if (!content)
        return {};
    std::deque<std::string> lines;
    std::string_view rest = *content;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (end > 0)
            lines.emplace_back(rest.substr(0, end));
        if (lines.size() > static_cast<std::size_t>(most))
            lines.pop_front();
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

} // namespace pw::app
