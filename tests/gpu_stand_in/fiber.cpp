// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/fiber.h"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PW_ADDRESS 1
#endif
#if __has_feature(thread_sanitizer)
#define PW_THREAD 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define PW_ADDRESS 1
#endif
#if defined(__SANITIZE_THREAD__)
#define PW_THREAD 1
#endif

#if defined(PW_ADDRESS)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(PW_THREAD)
#include <sanitizer/tsan_interface.h>
#endif

namespace pw::gpu {

namespace {

constexpr std::size_t guardBytes = 4096;
#if defined(PW_ADDRESS) || defined(PW_THREAD)
constexpr std::size_t stackBytes = 256 << 10;
#else
constexpr std::size_t stackBytes = 64 << 10;
#endif

/// The thread's own stack, while a fiber runs: one thread runs kernels.
struct Outside
{
    void* stack = nullptr;
    void* fake = nullptr;
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    void* thread = nullptr;
} outside;

Fiber* entered = nullptr; // last
int made = 0;

} // namespace

#if defined(__x86_64__)

// Keeps the registers that a call keeps, and changes the stack. swapcontext would do, but asks the
// system for the signal mask each time.
extern "C" void pw_gpu_change_stack(void** from, void* to);
asm(R"(
    .text
    .globl pw_gpu_change_stack
    .hidden pw_gpu_change_stack
    .type pw_gpu_change_stack, @function
pw_gpu_change_stack:
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    ret
    .size pw_gpu_change_stack, . - pw_gpu_change_stack
)");

namespace {

void changeStack(void*& from, void* to)
{
    pw_gpu_change_stack(&from, to);
}

/// Stacks begin at different lines of a page: at the same one they would push each other out of
/// the cache.
void* newStack(std::byte* memory, void (*begin)())
{
    constexpr std::size_t registers = 6;
    constexpr std::size_t step = 448;
    constexpr std::size_t steps = 9;
    const std::size_t first = static_cast<std::size_t>(made++) % steps * step;
    auto** top = reinterpret_cast<void**>(memory + guardBytes + stackBytes - first);
    *--top = nullptr; // begin returns nowhere, and finds its stack aligned
    *--top = reinterpret_cast<void*>(begin);
    for (std::size_t i = 0; i < registers; ++i)
        *--top = nullptr;
    return top;
}

} // namespace

#else

namespace {

void changeStack(void*& from, void* to)
{
    if (from == nullptr)
        from = new ucontext_t;
    swapcontext(static_cast<ucontext_t*>(from), static_cast<ucontext_t*>(to));
}

void* newStack(std::byte* memory, void (*begin)())
{
    auto* const context = new ucontext_t;
    getcontext(context);
    context->uc_stack.ss_sp = memory + guardBytes;
    context->uc_stack.ss_size = stackBytes;
    context->uc_link = nullptr;
    makecontext(context, begin, 0);
    return context;
}

} // namespace

#endif

Fiber::Fiber(void (*body)())
    : m_body(body)
{
    void* const memory = mmap(nullptr, guardBytes + stackBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        std::abort();
    mprotect(memory, guardBytes, PROT_NONE);
    m_memory = static_cast<std::byte*>(memory);
    m_stack = newStack(m_memory, &Fiber::begin);
#if defined(PW_THREAD)
    m_thread = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber()
{
#if defined(PW_THREAD)
    __tsan_destroy_fiber(m_thread);
#endif
    munmap(m_memory, guardBytes + stackBytes);
}

/// What the sanitizers want to know where a fiber goes on.
void Fiber::arrive(void*& fake) const
{
    static_cast<void>(fake);
#if defined(PW_ADDRESS)
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake, &bottom, &bytes);
    if (outside.bottom == nullptr) { // the first that was ever entered came from there
        outside.bottom = bottom;
        outside.bytes = bytes;
    }
#endif
}

void Fiber::begin()
{
    Fiber& self = *entered;
    void* none = nullptr;
    self.arrive(none);
    self.m_body();
    std::abort();
}

void Fiber::enter()
{
    entered = this;
#if defined(PW_ADDRESS)
    __sanitizer_start_switch_fiber(&outside.fake, m_memory + guardBytes, stackBytes);
#endif
#if defined(PW_THREAD)
    outside.thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(m_thread, 0);
#endif
    changeStack(outside.stack, m_stack);
#if defined(PW_ADDRESS)
    __sanitizer_finish_switch_fiber(outside.fake, nullptr, nullptr);
#endif
}

void Fiber::pass(Fiber& next)
{
    entered = &next;
#if defined(PW_ADDRESS)
    __sanitizer_start_switch_fiber(&m_fake, next.m_memory + guardBytes, stackBytes);
#endif
#if defined(PW_THREAD)
    __tsan_switch_to_fiber(next.m_thread, 0);
#endif
    changeStack(m_stack, next.m_stack);
    arrive(m_fake);
}

void Fiber::leave()
{
#if defined(PW_ADDRESS)
    __sanitizer_start_switch_fiber(&m_fake, outside.bottom, outside.bytes);
#endif
#if defined(PW_THREAD)
    __tsan_switch_to_fiber(outside.thread, 0);
#endif
    changeStack(m_stack, outside.stack);
    arrive(m_fake);
}

} // namespace pw::gpu
