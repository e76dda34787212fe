// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/interrupt.h"

#include <atomic>
#include <unistd.h>

namespace pw::app {

namespace {

std::atomic<exec::Stop*> current{nullptr};

extern "C" void askToStop(int signal)
{
    exec::Stop* stop = current.load();
    constexpr int endedBySignal = 128; // as shells count
    if (stop == nullptr || stop->requested())
        _exit(endedBySignal + signal);
    stop->request();
}

} // namespace

Interrupt::Interrupt(exec::Stop& stop)
{
    current.store(&stop);
    struct sigaction action = {};
    action.sa_handler = askToStop;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_interrupt);
    sigaction(SIGTERM, &action, &m_terminate);
}

Interrupt::~Interrupt()
{
    sigaction(SIGINT, &m_interrupt, nullptr);
    sigaction(SIGTERM, &m_terminate, nullptr);
    current.store(nullptr);
}

} // namespace pw::app
