// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"

#include <algorithm>

namespace pw {

std::string placementText(const Placement& placement, int devices)
{
    const int stages = placement.stages();
    const int legs = devices > 0 && stages % devices == 0 ? stages / devices : 0;
    if (placement == Placement::linear(devices))
        return "linear";
    if (placement == Placement::reversed(devices))
        return "reversed";
    if (legs > 1 && placement == Placement::looped(devices, legs))
        return "looped " + std::to_string(legs);
    if (legs == 2 && placement == Placement::vShape(devices))
        return "v";
    if (legs > 2 && legs % 2 == 0 && placement == Placement::zigzag(devices, legs / 2))
        return "zigzag " + std::to_string(legs / 2);
    std::string text;
    for (const DeviceId device : placement.deviceOfStage)
        text += (text.empty() ? "" : " ") + std::to_string(device);
    return text;
}

Result<Placement> parsePlacement(std::string_view text, int devices)
{
    const std::string_view whole = trimmed(text);
    const std::size_t blank = whole.find_first_of(" \t");
    const std::string_view word = whole.substr(0, blank);
    const std::string_view rest =
        blank == std::string_view::npos ? std::string_view() : trimmed(whole.substr(blank));
    if (rest.empty()) {
        if (word == "linear")
            return Placement::linear(devices);
        if (word == "reversed")
            return Placement::reversed(devices);
        if (word == "v")
            return Placement::vShape(devices);
    }
    if (word == "looped" || word == "zigzag") {
        const auto count = parseNumber(rest);
        if (!count || *count < 1) {
            return fail(ErrorCode::Syntax, "%1 wants a number of %2, as in '%3 2'", word,
                        word == "looped" ? said("chunks") : said("waves"), word);
        }
        if (std::int64_t{*count} * 2 * devices > maxPasses) {
            return fail(ErrorCode::TooLarge, "%1 rounds over %2 devices are too many stages",
                        *count, devices);
        }
        return word == "looped" ? Placement::looped(devices, *count)
                                : Placement::zigzag(devices, *count);
    }
    Placement placement;
    for (std::string_view left = whole; !left.empty();) {
        const std::size_t end = std::min(left.find_first_of(" \t"), left.size());
        const auto device = parseNumber(left.substr(0, end));
        if (!device) {
            return fail(
                ErrorCode::Syntax,
                "%1 is not a placement; there are linear, reversed, looped N, v, zigzag N, or "
                "the device of each stage",
                inQuotes(whole));
        }
        placement.deviceOfStage.push_back(DeviceId(*device));
        left = trimmed(left.substr(end));
    }
    if (placement.deviceOfStage.empty())
        return fail(ErrorCode::Syntax, "the placement is empty");
    return placement;
}

} // namespace pw
