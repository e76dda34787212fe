// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/kernel_count.h"
#include "executor/cuda/cupti_api.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace pw::exec::cuda {

/// Hears from CUPTI what runs on the GPUs of this process, and within which passes it was launched.
/// It makes launches slower, so that nothing else is measured meanwhile. One at a time.
class KernelWatch
{
public:
    /// @param api  outlives the object
    /// @error BadValue  CUPTI refuses, in its words: no permission, or another profiler is there
    static Result<std::shared_ptr<KernelWatch>> begin(const CuptiApi& api);
    /// Stops where `end` has not.
    ~KernelWatch();
    KernelWatch(const KernelWatch&) = delete;
    KernelWatch& operator=(const KernelWatch&) = delete;

    /// What the calling thread launches from here to `leave` belongs to a pass. Any thread.
    void enter(const WatchedPass& pass);
    void leave();

    /// Stops, and tells what was heard.
    /// @pre    the devices have come to the end of their work
    /// @error BadValue  nothing was heard, or of nothing in which pass it was launched
    Result<KernelRecords> end();

private:
    explicit KernelWatch(const CuptiApi& api)
        : m_api(api)
    {
    }
    Result<void> start();
    void stop() noexcept;

    const CuptiApi& m_api;
    std::vector<std::uint32_t> m_enabled; ///< kinds
    bool m_ended = false;
    std::mutex m_mutex;
    std::vector<WatchedPass> m_passes; ///< guarded
};

/// A pass that is watched, to the end of the scope; nothing where nobody watches.
class WatchedScope
{
public:
    WatchedScope(KernelWatch* watch, const WatchedPass& pass)
        : m_watch(watch)
    {
        if (m_watch != nullptr)
            m_watch->enter(pass);
    }
    ~WatchedScope()
    {
        if (m_watch != nullptr)
            m_watch->leave();
    }
    WatchedScope(const WatchedScope&) = delete;
    WatchedScope& operator=(const WatchedScope&) = delete;

private:
    KernelWatch* m_watch;
};

} // namespace pw::exec::cuda
