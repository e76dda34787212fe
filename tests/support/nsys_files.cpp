// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/nsys_files.h"

#include "core/io/pass_label.h"

#include <QtGlobal>

namespace pw::test {

namespace {

constexpr int machineBit = 48;
constexpr int processBit = 24;

void check(const Result<void>& done)
{
    if (!done)
        qFatal("%s", done.error().message.c_str());
}

std::string listOf(std::initializer_list<std::int64_t> values)
{
    std::string list;
    for (const std::int64_t value : values)
        list += (list.empty() ? "" : ", ") + std::to_string(value);
    return list;
}

} // namespace

NsysFile::NsysFile(const std::string& path)
{
    Result<std::unique_ptr<Database>> made = Database::open(path, Database::Mode::Create);
    if (!made)
        qFatal("%s", made.error().message.c_str());
    m_database = std::move(*made);
    run("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF; BEGIN");
}

NsysFile::~NsysFile()
{
    run("COMMIT");
}

void NsysFile::run(const std::string& sql)
{
    check(m_database->run(sql.c_str(), "cannot be made"));
}

std::int64_t NsysFile::number(const std::string& sql)
{
    const Result<std::int64_t> value = m_database->number(sql.c_str());
    return value ? *value : -1;
}

std::int64_t NsysFile::globalThread(Thread thread)
{
    return (std::int64_t{1} << machineBit) + (std::int64_t{thread.process} << processBit) +
           thread.thread;
}

std::int64_t NsysFile::text(const std::string& value)
{
    const auto [known, made] =
        m_texts.emplace(value, static_cast<std::int64_t>(m_texts.size()) * 3 + 5);
    if (made) {
        run("CREATE TABLE IF NOT EXISTS StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT "
            "NOT NULL); INSERT INTO StringIds VALUES (" +
            std::to_string(known->second) + ", '" + value + "')");
    }
    return known->second;
}

void NsysFile::kernel(const std::string& name, int process, Stream stream, int correlation,
                      Ticks start, Ticks end)
{
    run("CREATE TABLE IF NOT EXISTS CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end "
        "INTEGER "
        "NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT "
        "NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, shortName "
        "INTEGER NOT NULL); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" +
        listOf({start, end, stream.device, 1, stream.stream, correlation,
                globalThread({process, 0}), text("void " + name + "()"), text(name)}) +
        ")");
}

void NsysFile::copy(int kind, int process, Stream stream, int correlation, Ticks start, Ticks end)
{
    run("CREATE TABLE IF NOT EXISTS CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end "
        "INTEGER "
        "NOT NULL, deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, "
        "globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL); INSERT INTO "
        "CUPTI_ACTIVITY_KIND_MEMCPY VALUES (" +
        listOf({start, end, stream.device, stream.stream, correlation, globalThread({process, 0}),
                1024, kind}) +
        ")");
}

void NsysFile::launch(Thread thread, int correlation, Ticks start)
{
    run("CREATE TABLE IF NOT EXISTS CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end "
        "INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, "
        "nameId INTEGER NOT NULL); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" +
        listOf({start, start + 1, 0, globalThread(thread), correlation,
                text("cudaLaunchKernel_v7000")}) +
        ")");
}

void NsysFile::range(const std::string& value, Thread thread, Ticks start, Ticks end,
                     bool registered)
{
    constexpr int pushPop = 59;
    run("CREATE TABLE IF NOT EXISTS NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType "
        "INTEGER NOT NULL, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER); INSERT "
        "INTO NVTX_EVENTS VALUES (" +
        listOf({start, end, pushPop}) + ", " +
        (registered ? std::string("NULL") : "'" + value + "'") + ", " +
        std::to_string(globalThread(thread)) + ", " +
        (registered ? std::to_string(text(value)) : std::string("NULL")) + ", 0)");
}

void NsysFile::session(Ticks since1970)
{
    run("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT); INSERT "
        "INTO TARGET_INFO_SESSION_START_TIME VALUES (" +
        std::to_string(since1970) + ", '')");
}

void recordNsys(NsysFile& file, const Schedule& schedule, const SimResult& result,
                const NsysRun& run)
{
    constexpr int firstProcess = 1000, mainThread = 1, autogradThread = 2;
    constexpr Ticks each = 1000, open = 800; // of a range on the host
    std::map<int, int> correlations;         // by process
    for (const DeviceId rank : Ids<DeviceId>(schedule.devices())) {
        const int process = firstProcess + (run.oneProcess ? 0 : rank);
        const NsysFile::Thread main{process, mainThread + 10 * rank};
        const NsysFile::Thread autograd{process, autogradThread + 10 * rank};
        const int device = run.sameDevice ? 0 : rank;
        Ticks host = 10'000 + 7 * rank;
        for (int iteration = 0; iteration < run.iterations; ++iteration) {
            const Ticks begun = host;
            for (const EntryId i : schedule.entries(rank)) {
                const auto at = static_cast<std::size_t>(i);
                const OrderEntry entry = schedule.entry(i);
                std::string text = entryLabel(entry);
                if (run.sameDevice)
                    text += ", iteration " + std::to_string(iteration) + ", rank " +
                            std::to_string(rank);
                file.range(text, main, host, host + open, i % 2 == 0);
                const Ticks move = nsysDeviceOffset + iteration * (result.makespan + nsysPause);
                const Ticks start = result.start[at] + move, end = result.end[at] + move;
                const Ticks middle = start + (end - start) / 2;
                // Threads of one process share autograd's in no way that could be told apart.
                const bool own = entry.pass.kind == PassKind::F || run.sameDevice;
                const bool empty =
                    run.emptyFirst && entry.pass.kind == PassKind::B && entry.pass.stage == 0;
                host += empty ? each : 0;
                if (empty)
                    continue;
                for (const auto& [from, to] : {std::pair(start, middle), std::pair(middle, end)}) {
                    const int correlation = ++correlations[process];
                    file.launch(own ? main : autograd, correlation, host + 100);
                    file.kernel("gemm", process, {device, 7 + (run.sameDevice ? rank : 0)},
                                correlation, from, to);
                }
                host += each;
            }
            if (run.steps)
                file.range("ProfilerStep#" + std::to_string(iteration + 4), main, begun - 50,
                           host - 50);
        }
    }
}

} // namespace pw::test
