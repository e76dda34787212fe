// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/machine.h"

#include "tests/gpu_stand_in/poison.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace pw::gpu {

namespace {

/// How long the host must have asked for nothing new before a starved stream gets its turn.
constexpr std::chrono::microseconds starvation{120};

bool starves()
{
    const char* order = std::getenv("PW_FAKE_ORDER");
    const std::string_view wanted = order == nullptr ? "fair" : order;
    if (wanted != "fair" && wanted != "starved")
        stop("PW_FAKE_ORDER is " + std::string(wanted) + ", not fair or starved");
    return wanted == "starved";
}

} // namespace

int setting(const char* name, int otherwise)
{
    const char* text = std::getenv(name);
    return text == nullptr || *text == '\0' ? otherwise : std::atoi(text);
}

void stop(const std::string& what)
{
    std::fprintf(stderr, "stand-in GPU: %s\n", what.c_str());
    std::abort();
}

/// Tells at the end what has run and what was left, so that a test knows that it did run here.
struct AtExit
{
    ~AtExit()
    {
        if (setting("PW_FAKE_REPORT", 0) != 0)
            Machine::one().report();
    }
};

Machine& Machine::one()
{
    static Machine* const machine = new Machine;
    static const AtExit atExit;
    return *machine;
}

Machine::Machine()
    : m_devices(setting("PW_FAKE_GPUS", 1))
    , m_whole(static_cast<std::size_t>(setting("PW_FAKE_MEMORY", 4096)) << 20)
    , m_starves(starves())
    , m_patience(setting("PW_FAKE_PATIENCE", 20))
    , m_numbers(static_cast<unsigned>(setting("PW_FAKE_SEED", 1)))
    , m_used(static_cast<std::size_t>(m_devices))
    , m_lastCall(Clock::now())
{
}

void Machine::report()
{
    const std::lock_guard lock(m_mutex);
    std::size_t bytes = 0;
    for (const auto& [address, block] : m_blocks)
        bytes += block.bytes;
    std::fprintf(
        stderr,
        "stand-in GPU: %llu kernels, %llu works, %llu launches of graphs, %d graphs left, "
        "%zu blocks left, %zu bytes\n",
        static_cast<unsigned long long>(m_kernels), static_cast<unsigned long long>(m_works),
        static_cast<unsigned long long>(m_graphLaunches), m_graphs, m_blocks.size(), bytes);
}

unsigned Machine::random(unsigned below)
{
    const std::lock_guard lock(m_mutex);
    return below < 2 ? 0 : static_cast<unsigned>(m_numbers()) % below;
}

CUstream_st* Machine::makeStream(int device)
{
    const std::lock_guard lock(m_mutex);
    auto* const stream = new CUstream_st;
    stream->device = device;
    stream->number = ++m_made;
    stream->rank = static_cast<unsigned>(m_numbers());
    stream->starved = m_starves && m_numbers() % 2 == 0;
    m_streams.push_back(stream);
    return stream;
}

CUstream_st* Machine::streamOf(cudaStream_t stream, int device)
{
    if (stream != nullptr)
        return stream;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto own = m_own.find(device); own != m_own.end())
            return own->second;
    }
    CUstream_st* const made = makeStream(device);
    const std::lock_guard lock(m_mutex);
    return m_own.emplace(device, made).first->second;
}

void Machine::dropStream(CUstream_st* stream)
{
    const std::lock_guard lock(m_mutex);
    stream->doomed = true;
    if (stream->work.empty()) {
        m_streams.erase(std::find(m_streams.begin(), m_streams.end(), stream));
        delete stream;
    }
}

void Machine::enqueue(CUstream_st& stream, Work work)
{
    std::vector<Work> one;
    one.push_back(std::move(work));
    enqueue(stream, std::move(one));
}

void Machine::countGraphs(int more)
{
    const std::lock_guard lock(m_mutex);
    m_graphs += more;
}

void Machine::countGraphLaunch()
{
    const std::lock_guard lock(m_mutex);
    ++m_graphLaunches;
}

void Machine::enqueue(CUstream_st& stream, std::vector<Work> works)
{
    const std::lock_guard lock(m_mutex);
    if (!m_started) {
        m_started = true;
        std::thread([this] { this->work(); }).detach();
    }
    if (stream.doomed)
        stop(std::string(works.front().what) + " on a stream that was destroyed");
    for (Work& work : works) {
        stream.work.push_back(std::move(work));
        ++stream.given;
    }
    m_lastCall = Clock::now();
    m_changed.notify_all();
}

bool Machine::idle(const CUstream_st& stream)
{
    const std::lock_guard lock(m_mutex);
    return stream.work.empty();
}

void Machine::wake()
{
    const std::lock_guard lock(m_mutex);
    m_changed.notify_all();
}

/// The stream whose head begins next; null where none may.
CUstream_st* Machine::pick(std::unique_lock<std::mutex>& lock)
{
    constexpr unsigned oftenEnough = 8;
    constexpr unsigned seldom = 32;
    if (!m_starves && m_numbers() % oftenEnough == 0) {
        for (CUstream_st* stream : m_streams) // others lag behind from now on
            stream->rank = static_cast<unsigned>(m_numbers());
    }
    if (!m_starves && m_numbers() % seldom == 0) // the host runs ahead for a while
        m_changed.wait_for(lock, starvation);
    for (;;) {
        CUstream_st* best = nullptr;
        m_again = false;
        for (CUstream_st* stream : m_streams) {
            if (stream->work.empty())
                continue;
            const std::function<bool()>& ready = stream->work.front().ready;
            // All are asked: who waits for another must show that it is there.
            if (ready && !ready())
                continue;
            const auto placeOf = [](const CUstream_st* one) {
                return std::pair(one->starved, one->rank);
            };
            if (best == nullptr || placeOf(stream) < placeOf(best))
                best = stream;
        }
        if (best == nullptr && m_again)
            continue;
        if (best == nullptr || !best->starved)
            return best;
        const Clock::time_point turn = m_lastCall + starvation;
        if (Clock::now() >= turn)
            return best;
        m_changed.wait_until(lock, turn);
    }
}

void Machine::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        CUstream_st* const stream = pick(lock);
        if (stream == nullptr) {
            m_changed.wait(lock);
            continue;
        }
        stream->busy = true;
        const std::function<void()> run = std::move(stream->work.front().run);
        lock.unlock();
        if (run)
            run();
        lock.lock();
        stream->work.pop_front();
        stream->busy = false;
        ++stream->done;
        ++m_works;
        if (stream->doomed && stream->work.empty()) {
            m_streams.erase(std::find(m_streams.begin(), m_streams.end(), stream));
            delete stream;
        }
        m_changed.notify_all();
    }
}

std::string Machine::table(int device)
{
    const std::lock_guard lock(m_mutex);
    return tableLocked(device);
}

std::string Machine::tableLocked(int device) const
{
    std::string text;
    for (const CUstream_st* stream : m_streams) {
        if (stream->work.empty())
            continue;
        const Work& head = stream->work.front();
        text += "\n  stream " + std::to_string(stream->number) + " of GPU " +
                std::to_string(stream->device) + (stream->device == device ? "" : " (another)") +
                ": " + head.what;
        if (stream->busy)
            text += ", under way";
        else if (head.why)
            text += ", which waits for " + head.why();
        text += "; " + std::to_string(stream->work.size() - 1) + " more behind it";
    }
    return text.empty() ? "\n  no stream has anything to do" : text;
}

template<typename Of>
void Machine::awaitAll(Of of, int device, const char* call)
{
    std::unique_lock lock(m_mutex);
    std::map<int, std::uint64_t> last; // by the stream's number, as it may end meanwhile
    for (const CUstream_st* stream : m_streams) {
        if (of(*stream))
            last.emplace(stream->number, stream->given);
    }
    const auto done = [&] {
        return std::all_of(m_streams.begin(), m_streams.end(), [&](const CUstream_st* stream) {
            const auto own = last.find(stream->number);
            return own == last.end() || stream->done >= own->second;
        });
    };
    if (!m_changed.wait_for(lock, m_patience, done))
        stop(std::string(call) + " waits for GPU " + std::to_string(device) + " and has waited " +
             std::to_string(m_patience.count()) + " s:" + tableLocked(device));
}

void Machine::awaitStream(const CUstream_st& stream, const char* call)
{
    awaitAll([&stream](const CUstream_st& one) { return &one == &stream; }, stream.device, call);
}

void Machine::awaitDevice(int device, const char* call)
{
    awaitAll([device](const CUstream_st& one) { return one.device == device; }, device, call);
}

void* Machine::take(std::size_t bytes, int device)
{
    const std::lock_guard lock(m_mutex);
    if (device >= 0 && m_used[static_cast<std::size_t>(device)] + bytes > m_whole)
        return nullptr;
    void* const memory = takePoisoned(bytes);
    if (memory == nullptr)
        return nullptr;
    m_blocks[static_cast<const std::byte*>(memory)] = {bytes, device};
    if (device >= 0)
        m_used[static_cast<std::size_t>(device)] += bytes;
    return memory;
}

void Machine::giveBack(void* memory, bool ofHost, const char* call)
{
    Block block;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_blocks.find(static_cast<const std::byte*>(memory));
        if (found == m_blocks.end() || (found->second.device == pinned) != ofHost)
            stop(std::string(call) + " of what it did not give");
        block = found->second;
    }
    for (int device = 0; device < m_devices; ++device) {
        if (block.device == device || ofHost)
            awaitDevice(device, call);
    }
    const std::lock_guard lock(m_mutex);
    m_blocks.erase(static_cast<const std::byte*>(memory));
    if (!ofHost)
        m_used[static_cast<std::size_t>(block.device)] -= block.bytes;
    giveBackPoisoned(memory, block.bytes);
}

std::size_t Machine::available(int device)
{
    const std::lock_guard lock(m_mutex);
    return m_whole - m_used[static_cast<std::size_t>(device)];
}

int Machine::ownerOf(const void* memory, std::size_t bytes, const char* call)
{
    const std::lock_guard lock(m_mutex);
    const auto* const first = static_cast<const std::byte*>(memory);
    auto block = m_blocks.upper_bound(first);
    if (block == m_blocks.begin())
        return nowhere;
    --block;
    if (first >= block->first + block->second.bytes)
        return nowhere;
    if (first + bytes > block->first + block->second.bytes)
        stop(std::string(call) + " goes " +
             std::to_string(first + bytes - block->first - block->second.bytes) +
             " bytes beyond a block of " + std::to_string(block->second.bytes));
    return block->second.device;
}

void countKernel()
{
    Machine& machine = Machine::one();
    const std::lock_guard lock(machine.m_mutex);
    ++machine.m_kernels;
}

void wake()
{
    Machine::one().wake();
}

unsigned random(unsigned below)
{
    return Machine::one().random(below);
}

void awaitDevice(int device, const char* call)
{
    Machine::one().awaitDevice(device, call);
}

} // namespace pw::gpu
