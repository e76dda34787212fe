// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_recorder.h"

#include "core/base/try.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace pw {

namespace {

constexpr auto longestHold = std::chrono::milliseconds(200);
/// Finding the place of a rank's passes, and writing what is around them, is shared by those of a
/// batch.
constexpr std::size_t batchSize = 65'536;
/// Records that wait at most; beyond, the run waits for the disk.
constexpr std::size_t mostWaiting = 1'000'000;
constexpr std::size_t mebibyte = 1 << 20;
/// What a line of the log takes beside its text.
constexpr std::size_t lineCost = 64;
/// For the last word about a run, after the time for its records is over.
constexpr auto lastWord = std::chrono::milliseconds(300);

using RecorderClock = std::chrono::steady_clock;

/// A text within a limit of bytes; what was cut is said.
std::string cutText(const std::string& text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end; // not inside a character
    return text.substr(0, end) + " … (" + std::to_string(text.size() - end) + " bytes more)";
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
        room.wait(lock,
                  [this] { return waiting.size() < mostWaiting || failure || ending || hurried; });
        if (failure || ending || waiting.size() >= mostWaiting)
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

    /// Takes a line's bytes out of what a run keeps of its log.
    /// @return  whether there was room; false the first time is said in the log
    bool takeRoom(RunBatch& to, const std::string& line)
    {
        if (logBytes <= RunRecorder::mostLogBytes) {
            logBytes += line.size() + lineCost;
            if (logBytes <= RunRecorder::mostLogBytes)
                return true;
            to.logs.push_back({0, RankId::none(), LogLevel::Warning,
                               "the log is cut here: a run keeps " +
                                   std::to_string(RunRecorder::mostLogBytes / mebibyte) +
                                   " MiB of it"});
        }
        ++linesCut;
        return false;
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
            Result<void> done;
            if (where)
                done = writer->setEnvironment(*where);
            if (done && batch.size() > 0)
                done = writer->append(batch);
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
    std::size_t linesCut = 0; ///< of the log, for want of room
    bool hurried = false;
    bool told = false;
    bool ending = false;
    std::thread thread;
};

Result<std::unique_ptr<RunRecorder>> RunRecorder::open(const std::string& path, const NewRun& run,
                                                       Trouble trouble, const StoreOptions& options)
{
    PW_TRY(RunStore store, RunStore::open(path, options));
    PW_TRY(RunWriter writer, store.begin(run));
    return std::unique_ptr<RunRecorder>(new RunRecorder(
        std::make_unique<Parts>(std::move(store), std::move(writer), std::move(trouble))));
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

void RunRecorder::add(std::span<const RecordedCopy> batch)
{
    m_parts->add([&](RunBatch& waiting) {
        waiting.copies.insert(waiting.copies.end(), batch.begin(), batch.end());
        return batch.size();
    });
}

void RunRecorder::add(std::span<const GpuReading> batch)
{
    m_parts->add([&](RunBatch& waiting) {
        waiting.gpus.insert(waiting.gpus.end(), batch.begin(), batch.end());
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
    m_parts->add([&](RunBatch& waiting) {
        RunLog kept = log;
        kept.text = cutText(log.text, longestLine);
        if (m_parts->takeRoom(waiting, kept.text))
            waiting.logs.push_back(std::move(kept));
        return std::size_t{1};
    });
}

void RunRecorder::add(const RunFault& fault)
{
    m_parts->add([&](RunBatch& waiting) {
        RunFault kept = fault;
        kept.text = cutText(fault.text, longestLine);
        kept.pass = cutText(fault.pass, longestLine);
        if (m_parts->takeRoom(waiting, kept.text + kept.pass))
            waiting.faults.push_back(std::move(kept));
        return std::size_t{1};
    });
}

void RunRecorder::hurry(std::chrono::milliseconds most)
{
    m_parts->store.endBy(RecorderClock::now() + most);
    {
        const std::lock_guard lock(m_parts->mutex);
        m_parts->hurried = true;
    }
    m_parts->room.notify_all();
}

void RunRecorder::finish(RunStatus status, const RunFigures& figures)
{
    m_parts->end();
    if (m_parts->hurried)
        m_parts->store.endBy(RecorderClock::now() + lastWord);
    if (m_parts->linesCut > 1) {
        RunBatch note;
        note.logs.push_back({0, RankId::none(), LogLevel::Warning,
                             std::to_string(m_parts->linesCut) + " lines of the log are not kept"});
        (void)m_parts->writer->append(note);
    }
    const bool whole = !m_parts->failure;
    if (!whole) {
        // There may be room for a sentence where there was none for a batch.
        RunBatch note;
        note.logs.push_back({0, RankId::none(), LogLevel::Warning,
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
