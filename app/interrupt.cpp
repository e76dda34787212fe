// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/interrupt.h"

#include <atomic>
#include <unistd.h>

namespace pw::app {

namespace {

using Actions = std::array<struct sigaction, endingSignals.size()>;

std::atomic<exec::Stop*> current{nullptr};
std::atomic<int> lastSignal{0};

extern "C" void askToStop(int signal)
{
    exec::Stop* stop = current.load();
    if (stop == nullptr || stop->requested())
        _exit(endedBySignal + signal);
    lastSignal.store(signal);
    stop->request();
}

/// Ends as if nobody had asked for the signal, so that a shell sees which one it was.
extern "C" void endNow(int signal)
{
    constexpr char lineAway[] = "\r\x1b[K";
    if (isatty(STDERR_FILENO) == 1 && write(STDERR_FILENO, lineAway, sizeof lineAway - 1) < 0)
        _exit(endedBySignal + signal);
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);
    raise(signal);
}

void install(void (*handler)(int), Actions& before)
{
    struct sigaction action = {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < endingSignals.size(); ++i) {
        sigaction(endingSignals[i], nullptr, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(endingSignals[i], &action, nullptr);
    }
}

void restore(const Actions& before)
{
    for (std::size_t i = 0; i < endingSignals.size(); ++i)
        sigaction(endingSignals[i], &before[i], nullptr);
}

} // namespace

Interrupt::Interrupt(exec::Stop& stop)
{
    current.store(&stop);
    install(askToStop, m_before);
}

Interrupt::~Interrupt()
{
    restore(m_before);
    current.store(nullptr);
}

int Interrupt::received()
{
    return lastSignal.load();
}

void Interrupt::forget()
{
    lastSignal.store(0);
}

EndAtOnce::EndAtOnce()
{
    install(endNow, m_before);
}

EndAtOnce::~EndAtOnce()
{
    restore(m_before);
}

} // namespace pw::app
