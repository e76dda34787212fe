// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/interrupt.h"

#include "core/system/process.h"
#include "core/system/terminal.h"

#include <atomic>

namespace pw::app {

namespace {

std::atomic<exec::Stop*> current{nullptr};
std::atomic<int> lastSignal{0};
std::atomic<bool> leftAlone{false};

extern "C" void askToStop(int signal)
{
    exec::Stop* stop = current.load();
    if (stop == nullptr || stop->requested())
        sys::endProcess(endedBySignal + signal);
    lastSignal.store(signal);
    stop->request();
}

/// Ends as if nobody had asked for the signal, with the line of progress taken off the terminal.
extern "C" void endNow(int signal)
{
    if (!sys::clearErrorLine())
        sys::endProcess(endedBySignal + signal);
    sys::endBy(signal);
}

} // namespace

Interrupt::Interrupt(exec::Stop& stop)
{
    current.store(&stop);
    m_signals.emplace(askToStop);
}

Interrupt::~Interrupt()
{
    m_signals.reset();
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
    if (!leftAlone.load())
        m_signals.emplace(endNow);
}

EndAtOnce::~EndAtOnce() = default;

void EndAtOnce::leaveAlone()
{
    leftAlone.store(true);
}

} // namespace pw::app
