// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/gpu_stand_in/gpu.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

/// A stream: work in its order.
struct CUstream_st
{
    int device = 0;
    int number = 0;
    unsigned rank = 0; ///< of streams that may go on, the smallest goes
    bool starved = false;
    bool busy = false;
    bool doomed = false;                ///< ends with its work
    std::atomic<bool> captured = false; ///< by one thread
    std::uint64_t given = 0;
    std::uint64_t done = 0;
    std::deque<pw::gpu::Work> work{};
};

namespace pw::gpu {

using Clock = std::chrono::steady_clock;

/// A number of the environment.
int setting(const char* name, int otherwise);

/// Streams, memory and their order: one for the process, never destroyed. Any thread.
class Machine
{
public:
    static Machine& one();

    static constexpr int pinned = -1; ///< "device" of host memory that the devices reach
    static constexpr int nowhere = -2;

    int devices() const { return m_devices; }
    unsigned random(unsigned below);
    std::mutex& mutex() { return m_mutex; }

    CUstream_st* makeStream(int device);
    /// Null is the device's own.
    CUstream_st* streamOf(cudaStream_t stream, int device);
    void dropStream(CUstream_st* stream);
    void enqueue(CUstream_st& stream, Work work);
    void enqueue(CUstream_st& stream, std::vector<Work> works);
    /// Graphs that are made, or else gone.
    void countGraphs(int more);
    void countGraphLaunch();
    bool idle(const CUstream_st& stream);
    /// Waits for what a stream, or all of a device, have to do now; ends the process where that
    /// takes too long.
    void awaitStream(const CUstream_st& stream, const char* call);
    void awaitDevice(int device, const char* call);
    void wake();
    /// What a `ready` says that has changed what another one may answer. The lock is held.
    void lookAgain() { m_again = true; }

    /// @return  null where there is no more
    void* take(std::size_t bytes, int device);
    /// @param call  the name of the function that gives it back
    void giveBack(void* memory, bool ofHost, const char* call);
    std::size_t available(int device);
    std::size_t whole() const { return m_whole; }
    /// Whose memory it is; `nowhere` where it is ordinary memory. A range that begins in a block
    /// and ends beyond it ends the process.
    int ownerOf(const void* memory, std::size_t bytes, const char* call);

    /// What the streams of a device have to do, and what they wait for.
    std::string table(int device);

private:
    struct Block
    {
        std::size_t bytes = 0;
        int device = 0;
    };

    Machine();
    void work();
    CUstream_st* pick(std::unique_lock<std::mutex>& lock);
    template<typename Of>
    void awaitAll(Of of, int device, const char* call);
    std::string tableLocked(int device) const;
    void report();

    const int m_devices;
    const std::size_t m_whole;
    const bool m_starves;
    const std::chrono::seconds m_patience;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::mt19937 m_numbers;
    std::map<int, CUstream_st*> m_own; ///< by device
    std::vector<CUstream_st*> m_streams;
    std::map<const std::byte*, Block> m_blocks;
    std::vector<std::size_t> m_used; ///< by device
    Clock::time_point m_lastCall;
    bool m_started = false;
    bool m_again = false;
    int m_made = 0;
    std::uint64_t m_kernels = 0;
    std::uint64_t m_works = 0;
    std::uint64_t m_graphLaunches = 0;
    int m_graphs = 0;
    friend void countKernel();
    friend struct AtExit;
};

void countKernel();

/// Runs a kernel: every thread of every block. By the machine's thread.
void runKernel(const char* kernel, dim3 grid, dim3 block, const std::function<void()>& body);

} // namespace pw::gpu
