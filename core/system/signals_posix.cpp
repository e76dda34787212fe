// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/signals.h"

#include <array>
#include <csignal>
#include <cstddef>

namespace pw::sys {

namespace {

constexpr std::array<int, 3> endingSignals = {SIGINT, SIGTERM, SIGHUP};

} // namespace

struct EndingSignals::Before
{
    std::array<struct sigaction, endingSignals.size()> actions = {};
};

EndingSignals::EndingSignals(void (*handler)(int))
    : m_before(std::make_unique<Before>())
{
    struct sigaction action = {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < endingSignals.size(); ++i) {
        struct sigaction& before = m_before->actions[i];
        ::sigaction(endingSignals[i], nullptr, &before);
        if (before.sa_handler != SIG_IGN)
            ::sigaction(endingSignals[i], &action, nullptr);
    }
}

EndingSignals::~EndingSignals()
{
    for (std::size_t i = 0; i < endingSignals.size(); ++i)
        ::sigaction(endingSignals[i], &m_before->actions[i], nullptr);
}

void endBy(int signal)
{
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(signal, &usual, nullptr);
    ::raise(signal);
}

} // namespace pw::sys
