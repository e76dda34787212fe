// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/annotation.h"

#include <algorithm>

namespace pw {

namespace {

constexpr std::size_t widestLine = 32;

/// Blanks and what else cannot be seen.
bool blank(char c)
{
    constexpr unsigned char space = 0x20, erase = 0x7f;
    return static_cast<unsigned char>(c) <= space || static_cast<unsigned char>(c) == erase;
}

void appendLines(std::string_view paragraph, std::vector<std::string>& lines)
{
    std::string line;
    for (std::size_t at = 0; at < paragraph.size();) {
        if (blank(paragraph[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < paragraph.size() && !blank(paragraph[end]))
            ++end;
        const std::string_view word = paragraph.substr(at, end - at);
        if (!line.empty() && characterCount(line) + 1 + characterCount(word) > widestLine) {
            lines.push_back(std::move(line));
            line.clear();
        }
        if (!line.empty())
            line += ' ';
        line += word;
        at = end;
    }
    if (!line.empty())
        lines.push_back(std::move(line));
}

/// What is wrong with an anchor; empty: nothing.
Sentence whyNot(const AnnotationAnchor& anchor)
{
    const auto part = [](double value) { return value >= 0 && value <= 1; };
    if (anchor.time < 0)
        return said("its time is %1 ns; it can be 0 or more", anchor.time);
    if (anchor.device < 0)
        return said("its device is %1; it can be 0 or more", anchor.device);
    if (!part(anchor.down))
        return said("its place down the lane is %1; it can be 0 to 1", std::to_string(anchor.down));
    if (!part(anchor.across))
        return said("its part of the pass is %1; it can be 0 to 1", std::to_string(anchor.across));
    return {};
}

} // namespace

Result<void> check(const std::vector<Annotation>& annotations)
{
    if (annotations.size() > maxAnnotations)
        return fail(ErrorCode::TooLarge, "a schedule has %1 annotations; it can have %2",
                    annotations.size(), maxAnnotations);
    for (std::size_t i = 0; i < annotations.size(); ++i) {
        const Annotation& one = annotations[i];
        const Sentence which = said("annotation %1", i);
        if (one.text.size() > longestAnnotation)
            return fail(ErrorCode::TooLarge, "%1 has a text of %2 bytes; it can have %3", which,
                        one.text.size(), longestAnnotation);
        if (one.kind == AnnotationKind::Text && annotationLines(one.text).empty())
            return fail(ErrorCode::BadValue, "%1 is a text without words", which);
        for (const AnnotationAnchor* anchor : {&one.from, &one.to})
            if (const Sentence why = whyNot(*anchor); !why.empty())
                return fail(ErrorCode::BadValue, "%1: %2", which, why);
    }
    return {};
}

std::size_t characterCount(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        constexpr unsigned lead = 0xc0, continued = 0x80;
        return (static_cast<unsigned char>(c) & lead) != continued;
    }));
}

std::vector<std::string> annotationLines(std::string_view text)
{
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        appendLines(text.substr(begin, end - begin), lines);
        begin = end + 1;
    }
    return lines;
}

} // namespace pw
