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

    /// From the thread's own stack; returns when a fiber leaves.
    void enter();
    /// From this fiber to another one, which must not have ended.
    void pass(Fiber& next);
    /// From this fiber back to the thread's own stack.
    void leave();

private:
    static void begin();
    void arrive(void*& fake) const;

    void (*m_body)();
    std::byte* m_memory = nullptr; ///< the lowest page is out of bounds
    void* m_stack = nullptr;       ///< where the fiber stands
    void* m_fake = nullptr;        ///< of the sanitizers
    void* m_thread = nullptr;      ///< of the sanitizers
};

} // namespace pw::gpu
