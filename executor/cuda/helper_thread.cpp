// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/helper_thread.h"

#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace pw::exec::cuda {

namespace {

/// What the threads know of the work.
struct Helped
{
    explicit Helped(std::vector<std::function<void()>> all)
        : works(std::move(all))
        , left(works.size())
    {
    }

    const std::vector<std::function<void()>> works;
    std::atomic<std::size_t> left;
    std::atomic<bool> failing{false};
    std::exception_ptr failure{}; ///< the first; read once `failed`
    std::atomic<bool> failed{false};
};

void help(Helped& helped, std::size_t work)
{
    try {
        helped.works[work]();
    } catch (...) {
        if (!helped.failing.exchange(true)) {
            helped.failure = std::current_exception();
            helped.failed = true;
        }
    }
    --helped.left;
}

} // namespace

void onHelpers(std::vector<std::function<void()>> works, const DeviceWait& wait,
               std::string_view what, const std::function<void()>& cutOff)
{
    const auto helped = std::make_shared<Helped>(std::move(works));
    std::vector<std::thread> threads;
    for (std::size_t work = 0; work < helped->works.size(); ++work)
        threads.emplace_back([helped, work] { help(*helped, work); });
    const auto ended = [&helped] { return helped->left == 0; };
    std::exception_ptr failure;
    try {
        pollUntil([&] { return ended() || helped->failed; }, wait, what);
        if (helped->failed)
            failure = helped->failure;
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure)
        cutOff();
    bool leftBehind = false;
    try {
        constexpr Ticks afterwards = 1'000 * ticksPerMs;
        pollUntil(ended, {nullptr, afterwards}, what);
    } catch (const DeviceError&) {
        leftBehind = true;
    }
    for (std::thread& thread : threads)
        leftBehind ? thread.detach() : thread.join();
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace pw::exec::cuda
