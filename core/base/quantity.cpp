// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/quantity.h"

#include "core/base/number.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace pw {

namespace {

struct UnitSize
{
    std::string_view name; ///< small letters
    double size = 1;       ///< in seconds, or in bytes
};

constexpr UnitSize timeSizes[] = {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6},
                                  {"μs", 1e-6}, {"ms", 1e-3}, {"s", 1},
                                  {"sec", 1},   {"min", 60},  {"h", 3600}};

constexpr double kib = 1024;
constexpr UnitSize byteSizes[] = {{"b", 1},
                                  {"kb", 1e3},
                                  {"mb", 1e6},
                                  {"gb", 1e9},
                                  {"tb", 1e12},
                                  {"kib", kib},
                                  {"mib", kib* kib},
                                  {"gib", kib* kib* kib},
                                  {"tib", kib* kib* kib* kib}};

std::optional<double> sizeOf(std::span<const UnitSize> units, std::string_view name)
{
    std::string small(name);
    for (char& c : small)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&small](const UnitSize& unit) { return unit.name == small; });
    return found == units.end() ? std::nullopt : std::optional(found->size);
}

bool takeEnd(std::string_view& text, std::string_view end)
{
    if (text.size() <= end.size() || text.substr(text.size() - end.size()) != end)
        return false;
    text.remove_suffix(end.size());
    return true;
}

/// Bytes a second of "GB/s", "Gbit/s", "Gbps", "GiB/s".
std::optional<double> rateSize(std::string_view unit)
{
    if (!takeEnd(unit, "/s") && !takeEnd(unit, "ps"))
        return std::nullopt;
    constexpr double bit = 1.0 / 8;
    if (takeEnd(unit, "bits") || takeEnd(unit, "bit") || takeEnd(unit, "b")) {
        const std::optional<double> bytes = sizeOf(byteSizes, std::string(unit) + "b");
        return bytes ? std::optional(*bytes * bit) : std::nullopt;
    }
    return sizeOf(byteSizes, unit);
}

std::optional<double> unitSize(std::string_view unit, Measure measure)
{
    switch (measure) {
    case Measure::Milliseconds:
    case Measure::Seconds:
        return sizeOf(timeSizes, unit);
    case Measure::Size:
    case Measure::Gigabytes:
    case Measure::Gibibytes:
        return sizeOf(byteSizes, unit);
    case Measure::GigabytesPerSecond:
        return rateSize(unit);
    case Measure::Percent:
        return unit == "%" ? std::optional(1.0) : std::nullopt;
    }
    return std::nullopt;
}

/// What a number without a unit counts, in seconds or bytes.
double ownSize(Measure measure)
{
    switch (measure) {
    case Measure::Milliseconds:
        return 1e-3;
    case Measure::Gigabytes:
    case Measure::GigabytesPerSecond:
        return 1e9;
    case Measure::Gibibytes:
        return kib * kib * kib;
    case Measure::Seconds:
    case Measure::Size:
    case Measure::Percent:
        break;
    }
    return 1;
}

/// a · b ⁄ c without the noise of the last digit, where the result is meant to be plain: 300 us are
/// 0.3 ms.
double scaled(double value, double from, double to)
{
    return from >= to ? value * (from / to) : value / (to / from);
}

} // namespace

std::optional<double> readQuantity(std::string_view text, Measure measure)
{
    if (lostToZero(text))
        return std::nullopt;
    if (const std::optional<double> plain = decimalNumber(text))
        return plain;
    // The number ends with its last digit or point: "1e3ms", "5 s".
    const std::size_t last = text.find_last_of("0123456789.");
    if (last == std::string_view::npos)
        return std::nullopt;
    const std::string_view written = text.substr(0, last + 1);
    std::string_view unit = text.substr(last + 1);
    if (unit.size() > 1 && unit.front() == ' ')
        unit.remove_prefix(1);
    const std::optional<double> number = decimalNumber(written);
    const std::optional<double> size = unitSize(unit, measure);
    if (!number || !size || lostToZero(written))
        return std::nullopt;
    const double value = scaled(*number, *size, ownSize(measure));
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string_view unitsOf(Measure measure)
{
    switch (measure) {
    case Measure::Milliseconds:
    case Measure::Seconds:
        return "ns, us, ms, s, min or h";
    case Measure::Size:
    case Measure::Gigabytes:
    case Measure::Gibibytes:
        return "B, kB, MB, GB, TB, KiB, MiB, GiB or TiB";
    case Measure::GigabytesPerSecond:
        return "GB/s, GiB/s or Gbit/s";
    case Measure::Percent:
        return "%";
    }
    return {};
}

} // namespace pw
