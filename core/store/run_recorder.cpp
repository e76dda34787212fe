// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_recorder.h"

#include "core/base/text.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace pw {

namespace {

constexpr auto longestHold = std::chrono::milliseconds(200);
constexpr std::size_t batchSize = 16'384;
/// Records that wait at most; beyond, the run waits for the disk.
constexpr std::size_t mostWaiting = 4'000'000;
constexpr std::size_t longestLogLine = std::size_t{64} << 10;
constexpr std::size_t mostLogBytes = std::size_t{32} << 20;

/// A text without what is beyond a number of bytes, and with no part of a character at its end.
std::string shortened(const std::string& text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end) + "…";
}

} // namespace

struct RunRecorder::Parts
{
    Parts(RunStore s, RunWriter w, Trouble t)
        : store(std::move(s))
        , writer(std::move(w))
        , trouble(std::move(t))
    {
        thread = std::thread([this] { writeUntilEnd(); });
    }

    ~Parts()
    {
        end();
        // The writer uses the store.
        writer.reset();
    }

    void end()
    {
        {
            const std::lock_guard lock(mutex);
            ending = true;
        }
        work.notify_all();
        if (thread.joinable())
            thread.join();
    }

    /// Lets `put` add to what waits, and says what went wrong meanwhile.
    template<typename Put>
    void add(const Put& put)
    {
        std::unique_lock lock(mutex);
        room.wait(lock, [this] { return waiting.size() < mostWaiting || failure || ending; });
        if (failure || ending)
            lost += put(discarded);
        else
            put(waiting);
        discarded.clear();
        const bool full = waiting.size() >= batchSize;
        lock.unlock();
        if (full)
            work.notify_one();
        tellTrouble();
    }

    /// Keeps a line of the log while there is room for it. @return records that were added
    std::size_t addLog(RunBatch& batch, const RunLog& log)
    {
        if (logBytes >= mostLogBytes)
            return 0;
        RunLog line = log;
        line.text = shortened(log.text, longestLogLine);
        logBytes += line.text.size();
        batch.logs.push_back(std::move(line));
        if (logBytes < mostLogBytes)
            return 1;
        batch.logs.push_back({log.time, -1, LogLevel::Warning,
                              "the log has reached " + byteText(mostLogBytes) +
                                  ", the most that is kept of a run; what follows is left out"});
        return 2;
    }

    void tellTrouble()
    {
        std::string text;
        {
            const std::lock_guard lock(mutex);
            if (!failure || told)
                return;
            told = true;
            text = "the run goes on, but what happens from now on is not kept: " + failure->message;
        }
        if (trouble)
            trouble(text);
    }

    /// An exception in this thread would end the program, and the run with it.
    Result<void> write(const std::optional<RunEnvironment>& where, const RunBatch& batch)
    {
        try {
            Result<void> done;
            if (where)
                done = writer->setEnvironment(*where);
            if (done && batch.size() > 0)
                done = writer->append(batch);
            return done;
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::Io, "out of memory");
        } catch (const std::exception& problem) {
            return fail(ErrorCode::Io, problem.what());
        }
    }

    void writeUntilEnd()
    {
        RunBatch batch;
        std::unique_lock lock(mutex);
        while (true) {
            work.wait_for(lock, longestHold,
                          [this] { return ending || waiting.size() >= batchSize; });
            std::swap(batch, waiting);
            const std::optional<RunEnvironment> where = std::exchange(environment, std::nullopt);
            const bool last = ending;
            lock.unlock();
            room.notify_all();
            const Result<void> done = write(where, batch);
            lock.lock();
            if (!done && !failure)
                failure = done.error();
            // After a failure nothing more is kept: a run without holes, up to a batch.
            if (failure) {
                lost += batch.size() + waiting.size();
                waiting.clear();
                room.notify_all();
            }
            batch.clear();
            if (last || failure)
                return;
        }
    }

    RunStore store;
    std::optional<RunWriter> writer; // of the thread, until it has ended
    Trouble trouble;

    mutable std::mutex mutex;
    std::condition_variable work;
    std::condition_variable room;
    RunBatch waiting;
    RunBatch discarded;
    std::optional<RunEnvironment> environment;
    std::optional<Error> failure;
    std::size_t lost = 0;
    std::size_t logBytes = 0;
    bool told = false;
    bool ending = false;
    std::thread thread;
};

Result<std::unique_ptr<RunRecorder>> RunRecorder::open(const std::string& path, const NewRun& run,
                                                       Trouble trouble)
{
    Result<RunStore> store = RunStore::open(path);
    if (!store)
        return fail(store.error());
    Result<RunWriter> writer = store->begin(run);
    if (!writer)
        return fail(writer.error());
    return std::unique_ptr<RunRecorder>(new RunRecorder(
        std::make_unique<Parts>(std::move(*store), std::move(*writer), std::move(trouble))));
}

RunRecorder::RunRecorder(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

RunRecorder::~RunRecorder() = default;

RunNumber RunRecorder::number() const
{
    return m_parts->writer->number();
}

Result<void> RunRecorder::state() const
{
    const std::lock_guard lock(m_parts->mutex);
    if (m_parts->failure)
        return fail(*m_parts->failure);
    return {};
}

void RunRecorder::setEnvironment(const RunEnvironment& environment)
{
    m_parts->add([&](RunBatch&) {
        m_parts->environment = environment;
        return std::size_t{0};
    });
}

void RunRecorder::add(std::span<const RecordedPass> batch)
{
    m_parts->add([&](RunBatch& waiting) {
        waiting.passes.insert(waiting.passes.end(), batch.begin(), batch.end());
        return batch.size();
    });
}

void RunRecorder::add(std::span<const RecordedMessage> batch)
{
    m_parts->add([&](RunBatch& waiting) {
        waiting.messages.insert(waiting.messages.end(), batch.begin(), batch.end());
        return batch.size();
    });
}

void RunRecorder::add(std::span<const MemorySample> batch)
{
    m_parts->add([&](RunBatch& waiting) {
        waiting.memory.insert(waiting.memory.end(), batch.begin(), batch.end());
        return batch.size();
    });
}

void RunRecorder::add(const StepLoss& loss)
{
    m_parts->add([&](RunBatch& waiting) {
        waiting.losses.push_back(loss);
        return std::size_t{1};
    });
}

void RunRecorder::add(const RunLog& log)
{
    m_parts->add([&](RunBatch& waiting) { return m_parts->addLog(waiting, log); });
}

void RunRecorder::add(const RunFault& fault)
{
    m_parts->add([&](RunBatch& waiting) {
        waiting.faults.push_back(fault);
        return std::size_t{1};
    });
}

void RunRecorder::finish(RunStatus status, const RunFigures& figures)
{
    m_parts->end();
    const bool whole = !m_parts->failure;
    if (!whole) {
        // There may be room for a sentence where there was none for a batch.
        RunBatch note;
        note.logs.push_back({0, -1, LogLevel::Warning,
                             std::to_string(m_parts->lost) +
                                 " records are missing at the end: " + m_parts->failure->message});
        (void)m_parts->writer->append(note);
    }
    const Result<void> done =
        m_parts->writer->finish(whole ? status : RunStatus::Incomplete, figures);
    if (!done && whole)
        m_parts->failure = done.error();
    m_parts->tellTrouble();
}

} // namespace pw
