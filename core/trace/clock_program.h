// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/align_clocks.h"
#include "core/trace/linear_program.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pw {

constexpr double millionths = 1e6;

/// The inequalities of all messages as a linear program, and what its variables mean.
class ClockProgram
{
public:
    /// Both outlive this.
    ClockProgram(std::span<const ClockMessage> messages, std::span<const ClockWindow> windows);

    /// Index of the correction at the start of a device's window, the next is that at its end; −1:
    /// messages do not connect the device with device 0.
    std::int32_t variable(DeviceId device) const { return m_variable[device.index()]; }
    std::size_t variables() const { return m_count; }
    /// A correction of a device that is near; what variables are added to.
    Ticks rough(DeviceId device) const { return m_rough[device.index()]; }
    double reach() const { return m_reach; }
    /// Of a device's window, at least 1.
    double length(DeviceId device) const;

    /// @param more   variables behind those of the clocks, within 2
    /// @param loose  by how much a message may seem to arrive before it is sent
    LinearProgram program(std::size_t more, Ticks loose);
    /// The message of a row of the last program; −1: it limits a drift.
    std::int32_t messageOf(std::int32_t row) const;

private:
    void findRough();
    double slack(std::int32_t i) const;
    void addMessage(std::int32_t i, Ticks loose, LinearProgram& program);

    std::span<const ClockMessage> m_messages;
    std::span<const ClockWindow> m_windows;
    std::vector<std::pair<std::pair<DeviceId, DeviceId>, std::vector<std::int32_t>>> m_pairs;
    std::vector<std::int32_t> m_variable;
    std::vector<Ticks> m_rough;
    std::size_t m_count = 0;
    double m_reach = 1;
    std::vector<std::int32_t> m_messageOfRow;
};

} // namespace pw
