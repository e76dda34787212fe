// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/fiber.h"
#include "tests/gpu_stand_in/machine.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

// A kernel as the host runs it: blocks one after the other in an order of the seed, the threads of
// a block on fibers where they meet. A warp goes as far as it can before another begins, so that
// what a barrier should have held together comes apart.
namespace pw::gpu {

Place* here = nullptr;

namespace {

constexpr unsigned warpThreads = 32;
constexpr std::size_t mostShared = 48 << 10; ///< of what a block declares
constexpr int poison = 0xFF;

enum class At
{
    Start,
    Ready,
    Warp,
    Block,
    End
};

/// A thread of a block.
struct Lane
{
    At at = At::Start;
    Place place{};
    Fiber* fiber = nullptr;
    const char* file = "";
    int line = 0;
    unsigned met = 0;      ///< how often its warp has met
    unsigned bits[2] = {}; ///< what it showed, by turns: others may still read the last
};

struct SharedVariable
{
    const void* variable;
    void* memory;
};

/// The block that runs: one at a time.
struct Running
{
    const char* kernel = "";
    const std::function<void()>* thread = nullptr;
    std::vector<Lane> lanes{};
    unsigned count = 0;
    Lane* now = nullptr;
    unsigned first = 0; ///< of the warp that goes on
    unsigned ofWarp = 0;
    unsigned turn = 0;
    unsigned step = 0; ///< how many of its threads have had their turn
    std::vector<std::unique_ptr<Fiber>> fibers{};
    std::vector<Fiber*> idle{};
    std::vector<SharedVariable> shared{};
    std::size_t sharedBytes = 0;
    std::minstd_rand numbers{};
} running;

std::string nameOf(const Lane& lane)
{
    const auto triple = [](unsigned x, unsigned y, unsigned z) {
        return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
    };
    return "thread " + triple(lane.place.thread.x, lane.place.thread.y, lane.place.thread.z) +
           " of block " + triple(lane.place.block.x, lane.place.block.y, lane.place.block.z) +
           " of the kernel " + running.kernel;
}

std::string lineOf(const Lane& lane)
{
    return std::string(lane.file) + ":" + std::to_string(lane.line);
}

/// What a trap or a bad address means while a thread of a kernel runs.
void kernelFault(int signal)
{
    if (running.now != nullptr) {
        const std::string text = "stand-in GPU: " + nameOf(*running.now) +
                                 (signal == SIGILL || signal == SIGTRAP
                                      ? ": a misaligned address, or an index beyond its array\n"
                                      : ": an illegal address\n");
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

Lane& laneAt(unsigned step)
{
    return running.lanes[running.first + (step + running.turn) % running.ofWarp];
}

void goOnAs(Lane& lane)
{
    running.now = &lane;
    here = &lane.place;
    lane.at = At::Ready;
}

/// What a fiber does: threads of a warp, one after the other, as long as they end without meeting.
void runThreads()
{
    for (;;) {
        (*running.thread)();
        Lane& ended = *running.now;
        Fiber* const fiber = ended.fiber;
        ended.at = At::End;
        ended.fiber = nullptr;
        unsigned next = running.step + 1;
        while (next < running.ofWarp && laneAt(next).at != At::Start)
            ++next;
        if (next < running.ofWarp) {
            running.step = next;
            laneAt(next).fiber = fiber;
            goOnAs(laneAt(next));
        } else {
            running.idle.push_back(fiber);
            fiber->leave();
        }
    }
}

void enterLane(Lane& lane)
{
    if (lane.fiber == nullptr) {
        if (running.idle.empty()) {
            running.fibers.push_back(std::make_unique<Fiber>(runThreads));
            running.idle.push_back(running.fibers.back().get());
        }
        lane.fiber = running.idle.back();
        running.idle.pop_back();
    }
    goOnAs(lane);
    lane.fiber->enter();
    running.now = nullptr;
}

/// Lets a warp go as far as it can without the others.
/// @return  whether any of its threads went on
bool runWarp(unsigned first, unsigned count)
{
    bool any = false;
    for (;;) {
        bool went = false;
        running.first = first;
        running.ofWarp = count;
        running.turn = static_cast<unsigned>(running.numbers()) % count;
        for (running.step = 0; running.step < count; ++running.step) {
            Lane& lane = laneAt(running.step);
            if (lane.at != At::Start && lane.at != At::Ready)
                continue;
            enterLane(lane);
            went = true;
        }
        const auto* const begin = &running.lanes[first];
        const auto* const met = std::find_if(begin, begin + count,
                                             [](const Lane& lane) { return lane.at == At::Warp; });
        if (met != begin + count) {
            // The mask of every shuffle here names all 32.
            const bool all =
                count == warpThreads && std::all_of(begin, begin + count, [met](const Lane& lane) {
                    return lane.at == At::Warp && lane.line == met->line;
                });
            if (!all)
                stop(nameOf(*met) + " meets its warp at " + lineOf(*met) + ", and others do not");
            for (unsigned i = 0; i < count; ++i)
                running.lanes[first + i].at = At::Ready;
        } else if (!went) {
            return any;
        }
        any = true;
    }
}

void releaseBlock()
{
    const auto begin = running.lanes.begin();
    const auto end = begin + running.count;
    const auto waits =
        std::find_if(begin, end, [](const Lane& lane) { return lane.at == At::Block; });
    const auto other = std::find_if(begin, end, [&](const Lane& lane) {
        return lane.at != At::Block || lane.line != waits->line ||
               std::strcmp(lane.file, waits->file) != 0;
    });
    if (other != end)
        stop(nameOf(*waits) + " waits at the barrier of " + lineOf(*waits) + ", and " +
             nameOf(*other) +
             (other->at == At::End ? " has ended" : " waits at that of " + lineOf(*other)));
    std::for_each(begin, end, [](Lane& lane) { lane.at = At::Ready; });
}

void runBlock(uint3 block)
{
    for (unsigned i = 0; i < running.count; ++i) {
        running.lanes[i].at = At::Start;
        running.lanes[i].place.block = block;
    }
    const unsigned warps = (running.count + warpThreads - 1) / warpThreads;
    for (;;) {
        const unsigned turn = static_cast<unsigned>(running.numbers()) % warps;
        for (unsigned i = 0; i < warps; ++i) {
            const unsigned first = (i + turn) % warps * warpThreads;
            runWarp(first, std::min(warpThreads, running.count - first));
        }
        const bool ended = std::all_of(running.lanes.begin(), running.lanes.begin() + running.count,
                                       [](const Lane& lane) { return lane.at == At::End; });
        if (ended)
            break;
        releaseBlock();
    }
    for (const SharedVariable& one : running.shared)
        std::free(one.memory);
    running.shared.clear();
    running.sharedBytes = 0;
}

void shapeLanes(dim3 shape, dim3 grid)
{
    running.count = shape.x * shape.y * shape.z;
    if (running.lanes.size() < running.count)
        running.lanes.resize(running.count);
    for (unsigned i = 0; i < running.count; ++i) {
        running.lanes[i].place = {
            {i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)}, {}, shape, grid};
    }
}

void waitAt(At at, const char* file, int line)
{
    Lane& lane = *running.now;
    lane.at = at;
    lane.file = file;
    lane.line = line;
    lane.fiber->leave();
}

} // namespace

void meetBlock(const char* file, int line)
{
    waitAt(At::Block, file, line);
}

unsigned meetWarp(unsigned bits, int distance, const char* file, int line)
{
    Lane& lane = *running.now;
    const unsigned turn = lane.met++ % 2;
    lane.bits[turn] = bits;
    waitAt(At::Warp, file, line);
    const auto index = static_cast<unsigned>(&lane - running.lanes.data());
    return running.lanes[index ^ static_cast<unsigned>(distance)].bits[turn];
}

void* sharedOfBlock(const void* variable, std::size_t bytes)
{
    for (const SharedVariable& one : running.shared) {
        if (one.variable == variable)
            return one.memory;
    }
    running.sharedBytes += bytes;
    if (running.sharedBytes > mostShared)
        stop(nameOf(*running.now) + ": " + std::to_string(running.sharedBytes) +
             " bytes of shared memory, more than 48 KiB");
    constexpr std::size_t alignment = 16;
    void* memory = nullptr;
    if (::posix_memalign(&memory, alignment, bytes) != 0)
        std::abort();
    std::memset(memory, poison, bytes);
    running.shared.push_back({variable, memory});
    return memory;
}

void runKernel(const char* kernel, dim3 grid, dim3 block, const std::function<void()>& thread)
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
    running.thread = &thread;
    shapeLanes(block, grid);
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    const std::uint64_t turn = running.numbers() % blocks;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        const std::uint64_t at = (i + turn) % blocks;
        runBlock({static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                  static_cast<unsigned>(at / grid.x / grid.y)});
    }
}

} // namespace pw::gpu
