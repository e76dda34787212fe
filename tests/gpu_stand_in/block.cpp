// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/fiber.h"
#include "tests/gpu_stand_in/machine.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

// A kernel as the host runs it: blocks one after the other in an order of the seed, the threads of
// a block on fibers where they meet. A warp goes as far as it can before another begins, so that
// what a barrier should have held together comes apart.
namespace pw::gpu {

Place placeNow{};
const uint3* threadNow = nullptr;

namespace {

constexpr unsigned warpThreads = 32;
constexpr std::size_t mostShared = 48 << 10; ///< of what a block declares
constexpr int poison = 0xFF;

enum class At : unsigned char
{
    Start,
    Ready,
    Warp,
    Block,
    End
};

/// Bytes on their way into shared memory.
struct Copy
{
    void* to;
    const void* from; ///< null: zeros
    std::size_t bytes;
};

/// Where a thread of a block has stopped.
struct Lane
{
    Fiber* fiber = nullptr;
    const char* file = "";
    int line = 0;
    unsigned met = 0;           ///< how often its warp has met
    std::vector<Copy> copies{}; ///< that have begun
};

struct SharedVariable
{
    const void* variable;
    void* memory;
};

/// The block that runs: one at a time.
struct Running
{
    static constexpr unsigned none = ~0U;

    const char* kernel = "";
    const std::function<void()>* body = nullptr;
    unsigned count = 0;
    dim3 shape{0, 0, 0};
    // By thread: what every one of a block of threads needs, and what only those need that meet.
    std::vector<uint3> threads{};
    std::vector<At> at{};
    std::vector<Lane> lanes{};
    std::vector<WarpWords> shown[2]{}; ///< by turns: others may still read the last
    unsigned now = none;
    unsigned first = 0; ///< of the warp that goes on
    unsigned ofWarp = 0;
    unsigned next = 0; ///< of the warp, whose turn comes
    unsigned left = 0; ///< of the warp, that have not had their turn
    std::vector<std::unique_ptr<Fiber>> fibers{};
    std::vector<Fiber*> idle{};
    std::vector<SharedVariable> shared{};
    std::size_t sharedBytes = 0;
    std::minstd_rand numbers{};
};

/// Stays when the process ends: a kernel may be under way then, as on a GPU.
union Kept
{
    Kept()
        : running{}
    {
    }
    ~Kept() {}
    Running running;
} kept;
Running& running = kept.running;

std::string nameOf(unsigned lane)
{
    const auto triple = [](unsigned x, unsigned y, unsigned z) {
        return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
    };
    const uint3& own = running.threads[lane];
    return "thread " + triple(own.x, own.y, own.z) + " of block " +
           triple(placeNow.block.x, placeNow.block.y, placeNow.block.z) + " of the kernel " +
           running.kernel;
}

std::string lineOf(unsigned lane)
{
    return std::string(running.lanes[lane].file) + ":" + std::to_string(running.lanes[lane].line);
}

/// What a trap or a bad address means while a thread of a kernel runs.
void kernelFault(int signal)
{
    if (running.now != Running::none) {
        const std::string text = "stand-in GPU: " + nameOf(running.now) +
                                 (signal == SIGILL || signal == SIGTRAP
                                      ? ": a misaligned address, or an index beyond its array\n"
                                      : ": an illegal address\n");
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// The next of the warp that may go on; `none` where all have had their turn.
unsigned takeTurn()
{
    while (running.left > 0) {
        const unsigned lane = running.first + running.next;
        --running.left;
        if (++running.next == running.ofWarp)
            running.next = 0;
        if (running.at[lane] <= At::Ready)
            return lane;
    }
    return Running::none;
}

void goOnAs(unsigned lane)
{
    running.now = lane;
    threadNow = &running.threads[lane];
    running.at[lane] = At::Ready;
}

void runThreads();

Fiber& fiberOf(unsigned number)
{
    Lane& lane = running.lanes[number];
    if (lane.fiber == nullptr) {
        if (running.idle.empty()) {
            running.fibers.push_back(std::make_unique<Fiber>(runThreads));
            running.idle.push_back(running.fibers.back().get());
        }
        lane.fiber = running.idle.back();
        running.idle.pop_back();
    }
    return *lane.fiber;
}

/// What a fiber does: threads of a warp, one after the other, as long as they end without meeting.
void runThreads()
{
    for (;;) {
        (*running.body)();
        running.at[running.now] = At::End;
        Fiber* const own = std::exchange(running.lanes[running.now].fiber, nullptr);
        const unsigned next = takeTurn();
        if (next != Running::none && running.at[next] == At::Start) {
            running.lanes[next].fiber = own;
            goOnAs(next);
            continue;
        }
        running.idle.push_back(own);
        if (next == Running::none) {
            own->leave();
        } else {
            goOnAs(next);
            own->pass(*running.lanes[next].fiber);
        }
    }
}

/// Lets a warp go as far as it can without the others.
/// @return  whether any of its threads went on
bool runWarp(unsigned first, unsigned count)
{
    bool any = false;
    for (;;) {
        running.first = first;
        running.ofWarp = running.left = count;
        running.next = static_cast<unsigned>(running.numbers()) % count;
        const unsigned begin = takeTurn();
        if (begin != Running::none) {
            Fiber& fiber = fiberOf(begin);
            goOnAs(begin);
            fiber.enter(); // until all have had their turn
            running.now = Running::none;
        }
        const auto from = running.at.begin() + first;
        const auto met = std::find(from, from + count, At::Warp);
        if (met != from + count) {
            // The mask of every shuffle here names all 32.
            const auto lane = static_cast<unsigned>(met - running.at.begin());
            bool all = count == warpThreads;
            for (unsigned i = first; all && i < first + count; ++i)
                all =
                    running.at[i] == At::Warp && running.lanes[i].line == running.lanes[lane].line;
            if (!all)
                stop(nameOf(lane) + " meets its warp at " + lineOf(lane) + ", and others do not");
            std::fill(from, from + count, At::Ready);
        } else if (begin == Running::none) {
            return any;
        }
        any = true;
    }
}

void releaseBlock()
{
    const auto begin = running.at.begin();
    const auto end = begin + running.count;
    const auto waits = static_cast<unsigned>(std::find(begin, end, At::Block) - begin);
    for (unsigned other = 0; other < running.count; ++other) {
        const Lane& one = running.lanes[waits];
        const Lane& two = running.lanes[other];
        if (running.at[other] == At::Block && one.line == two.line &&
            std::strcmp(one.file, two.file) == 0)
            continue;
        stop(nameOf(waits) + " waits at the barrier of " + lineOf(waits) + ", and " +
             nameOf(other) +
             (running.at[other] == At::End ? " has ended" : " waits at that of " + lineOf(other)));
    }
    std::fill(begin, end, At::Ready);
}

void runBlock(uint3 block)
{
    placeNow.block = block;
    const auto begin = running.at.begin();
    const auto end = begin + running.count;
    std::fill(begin, end, At::Start);
    const unsigned warps = (running.count + warpThreads - 1) / warpThreads;
    for (;;) {
        const unsigned turn = static_cast<unsigned>(running.numbers()) % warps;
        for (unsigned i = 0; i < warps; ++i) {
            const unsigned first = (i + turn) % warps * warpThreads;
            runWarp(first, std::min(warpThreads, running.count - first));
        }
        if (std::all_of(begin, end, [](At at) { return at == At::End; }))
            break;
        releaseBlock();
    }
    for (unsigned i = 0; i < running.count; ++i) {
        if (!running.lanes[i].copies.empty())
            stop(nameOf(i) + " has ended, and copies that it began have not been waited for");
    }
    for (const SharedVariable& one : running.shared)
        std::free(one.memory);
    running.shared.clear();
    running.sharedBytes = 0;
}

void shapeLanes(dim3 shape)
{
    if (shape.x == running.shape.x && shape.y == running.shape.y && shape.z == running.shape.z)
        return;
    running.shape = shape;
    running.count = shape.x * shape.y * shape.z;
    if (running.lanes.size() < running.count) {
        running.threads.resize(running.count);
        running.at.resize(running.count);
        running.lanes.resize(running.count);
        running.shown[0].resize(running.count);
        running.shown[1].resize(running.count);
    }
    for (unsigned i = 0; i < running.count; ++i)
        running.threads[i] = {i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)};
}

/// Stops the thread that runs; the others of its warp go on.
void waitAt(At at, const char* file, int line)
{
    running.at[running.now] = at;
    Lane& lane = running.lanes[running.now];
    lane.file = file;
    lane.line = line;
    Fiber& own = *lane.fiber;
    const unsigned next = takeTurn();
    if (next == Running::none) {
        own.leave();
    } else {
        Fiber& other = fiberOf(next);
        goOnAs(next);
        own.pass(other);
    }
}

} // namespace

void meetBlock(const char* file, int line)
{
    waitAt(At::Block, file, line);
}

const WarpWords* meetWarp(const WarpWords& words, const char* file, int line)
{
    const unsigned own = running.now;
    std::vector<WarpWords>& shown = running.shown[running.lanes[own].met++ % 2];
    shown[own] = words;
    waitAt(At::Warp, file, line);
    return &shown[own / warpThreads * warpThreads];
}

unsigned laneOfWarp()
{
    return running.now % warpThreads;
}

unsigned meetWarp(unsigned bits, int distance, const char* file, int line)
{
    const WarpWords* const shown = meetWarp({bits}, file, line);
    return shown[laneOfWarp() ^ static_cast<unsigned>(distance)][0];
}

namespace {

void complete(const Copy& copy)
{
    if (copy.from == nullptr)
        std::memset(copy.to, 0, copy.bytes);
    else
        std::memcpy(copy.to, copy.from, copy.bytes);
}

} // namespace

void beginCopy(void* to, const void* from, std::size_t bytes, bool whole)
{
    if (reinterpret_cast<std::uintptr_t>(to) % bytes != 0 ||
        reinterpret_cast<std::uintptr_t>(from) % bytes != 0)
        stop(nameOf(running.now) + ": a copy of " + std::to_string(bytes) +
             " bytes at an address that this does not divide");
    const Copy copy{to, whole ? from : nullptr, bytes};
    if (running.numbers() % 2 == 0)
        complete(copy);
    else
        running.lanes[running.now].copies.push_back(copy);
}

void awaitCopies()
{
    std::vector<Copy>& copies = running.lanes[running.now].copies;
    std::for_each(copies.begin(), copies.end(), complete);
    copies.clear();
}

void* sharedOfBlock(const void* variable, std::size_t bytes)
{
    for (const SharedVariable& one : running.shared) {
        if (one.variable == variable)
            return one.memory;
    }
    running.sharedBytes += bytes;
    if (running.sharedBytes > mostShared)
        stop(nameOf(running.now) + ": " + std::to_string(running.sharedBytes) +
             " bytes of shared memory, more than 48 KiB");
    constexpr std::size_t alignment = 16;
    void* memory = nullptr;
    if (::posix_memalign(&memory, alignment, bytes) != 0)
        std::abort();
    std::memset(memory, poison, bytes);
    running.shared.push_back({variable, memory});
    return memory;
}

void runKernel(const char* kernel, dim3 grid, dim3 block, const std::function<void()>& body)
{
    static const bool watched = [] {
        std::signal(SIGILL, kernelFault);
        std::signal(SIGTRAP, kernelFault);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        std::signal(SIGSEGV, kernelFault);
        std::signal(SIGBUS, kernelFault);
#endif
        running.numbers.seed(random(1U << 30U));
        return true;
    }();
    static_cast<void>(watched);
    countKernel();
    running.kernel = kernel;
    running.body = &body;
    placeNow.blockDim = block;
    placeNow.gridDim = grid;
    shapeLanes(block);
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    const std::uint64_t turn = running.numbers() % blocks;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        const std::uint64_t at = (i + turn) % blocks;
        runBlock({static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                  static_cast<unsigned>(at / grid.x / grid.y)});
    }
}

} // namespace pw::gpu
