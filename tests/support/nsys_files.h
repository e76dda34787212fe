// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "core/sqlite/sqlite.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace pw::test {

/// An SQLite file as Nsight Systems exports one, made row by row. Tables are made with their first
/// row. Whatever fails ends the test program.
class NsysFile
{
public:
    /// A thread of a process.
    struct Thread
    {
        int process = 1;
        int thread = 1;
    };
    struct Stream
    {
        int device = 0;
        int stream = 7;
    };

    explicit NsysFile(const std::string& path);
    ~NsysFile();

    void kernel(const std::string& name, int process, Stream stream, int correlation, Ticks start,
                Ticks end);
    void copy(int kind, int process, Stream stream, int correlation, Ticks start, Ticks end);
    void launch(Thread thread, int correlation, Ticks start);
    /// @param registered  as a string id, else as text in the row
    void range(const std::string& text, Thread thread, Ticks start, Ticks end,
               bool registered = false);
    void session(Ticks since1970);
    void run(const std::string& sql);
    std::int64_t number(const std::string& sql);

    static std::int64_t globalThread(Thread thread);

private:
    std::int64_t text(const std::string& value);

    std::unique_ptr<Database> m_database;
    std::map<std::string, std::int64_t> m_texts;
};

/// How an execution is recorded.
struct NsysRun
{
    int iterations = 1;
    bool oneProcess = false; ///< a thread and a device a rank, else a process a rank
    bool sameDevice = false; ///< all ranks on device 0, told apart by ", rank N" in the ranges
    bool steps = false;      ///< ProfilerStep# ranges around iterations
    bool emptyFirst = false; ///< B of stage 0 launches nothing: it has nobody to send to
};

constexpr Ticks nsysDeviceOffset = 1'000'000'000; ///< kernels run so much behind their launches
constexpr Ticks nsysPause = 2 * ticksPerMs;       ///< between iterations

/// Executions of a schedule, one after another: PP: ranges on the host, two kernels a pass at the
/// simulated times, backward kernels launched by another thread than the one with the range, and
/// correlation ids that begin with 1 in every process.
void recordNsys(NsysFile& file, const Schedule& schedule, const SimResult& result,
                const NsysRun& run = {});

} // namespace pw::test
