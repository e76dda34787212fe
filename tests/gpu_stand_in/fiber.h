// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>

namespace pw::gpu {

/// A stack of its own, on which a function runs until it leaves, and goes on when it is entered
/// again. The sanitizers are told. One thread.
class Fiber
{
public:
    /// @param body  never returns
    explicit Fiber(void (*body)());
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// From the thread's own stack; returns when the fiber leaves.
    void enter();
    /// From the fiber back to who entered it.
    void leave();

private:
    static void begin();

    void (*m_body)();
    std::byte* m_memory = nullptr; ///< the lowest page is out of bounds
    void* m_stack = nullptr;       ///< where the fiber stands
    void* m_outside = nullptr;     ///< where who entered it stands
    void* m_fake = nullptr;        ///< of the sanitizers, for either side
    void* m_fakeOutside = nullptr;
    const void* m_outsideBottom = nullptr;
    std::size_t m_outsideBytes = 0;
    void* m_thread = nullptr;
    void* m_threadOutside = nullptr;
};

} // namespace pw::gpu
