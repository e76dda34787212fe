// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/time_marks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace pw {

const TickUnit& tickUnit(double ticks)
{
    static constexpr std::array<TickUnit, 4> units = {
        {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
    const double size = std::abs(ticks);
    if (size == 0)
        return units[2];
    if (size >= 1e10)
        return units[3];
    if (size >= 1e5)
        return units[2];
    return size >= 1e3 ? units[1] : units[0];
}

namespace {

std::string fixedText(double value, double decimals)
{
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, static_cast<int>(decimals))
                         .ptr;
    return {buffer.data(), end};
}

} // namespace

TimeMarks timeMarks(const TimeScale& scale, double width, double room)
{
    const double rough = std::max(scale.ticksPerPixel * room, 1.0);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * 0.999) {
            step = factor * power;
            break;
        }
    }
    TimeMarks marks;
    marks.step = step;
    const double end = scale.time(scale.left + width);
    // The first multiple may be -0, which would be written with its sign; added to 0 it has none.
    for (double count = std::ceil(scale.begin / step); count * step <= end; ++count)
        marks.times.push_back(count * step + 0.0);
    marks.largest = step;
    for (const double time : marks.times)
        marks.largest = std::max(marks.largest, std::abs(time));
    return marks;
}

std::string markText(double time, const TimeMarks& marks)
{
    const TickUnit& unit = tickUnit(marks.largest);
    const double decimals = -std::floor(std::log10(marks.step / unit.ticks) + 1e-9);
    return fixedText(time / unit.ticks, std::clamp(decimals, 0.0, 9.0))
        .append(" ")
        .append(unit.name);
}

std::string lengthText(double ticks)
{
    if (ticks == 0)
        return "0 ms";
    const TickUnit& unit = tickUnit(ticks);
    const double value = ticks / unit.ticks;
    const double digits = std::floor(std::log10(std::abs(value)));
    std::string number = fixedText(value, std::clamp(3.0 - digits, 0.0, 3.0));
    if (number.find('.') != std::string::npos) {
        while (number.back() == '0')
            number.pop_back();
        if (number.back() == '.')
            number.pop_back();
    }
    return number.append(" ").append(unit.name);
}

} // namespace pw
