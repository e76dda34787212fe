// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family_names.h"

#include "core/base/names.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace pw {

namespace {

// Beside the families, not in their files: a name says which of several families it means, and
// that is seen only where all names are together.
constexpr std::array knownByOtherNames = {
    OtherFamilyName{"pipedream-flush", "1f1b"},
    OtherFamilyName{"dapple", "1f1b"},
    OtherFamilyName{"one-forward-one-backward", "1f1b"},
    OtherFamilyName{"1f1b-flush", "1f1b"},
    OtherFamilyName{"synchronous-1f1b", "1f1b"},
    OtherFamilyName{"non-interleaved-1f1b", "1f1b"},
    OtherFamilyName{"1f1b-non-interleaved", "1f1b"},
    OtherFamilyName{"schedule-1f1b", "1f1b"},
    OtherFamilyName{"looped-bfs", "breadth-first"},
    OtherFamilyName{"bfs", "breadth-first"},
    OtherFamilyName{"bfpp", "breadth-first"},
    OtherFamilyName{"breadth-first-pipeline", "breadth-first"},
    OtherFamilyName{"schedule-looped-bfs", "breadth-first"},
    OtherFamilyName{"schedule-dualpipe-v", "dualpipe-v"},
    OtherFamilyName{"v-dualpipe", "dualpipe-v"},
    OtherFamilyName{"fill-drain", "gpipe"},
    OtherFamilyName{"all-forward-all-backward", "gpipe"},
    OtherFamilyName{"afab", "gpipe"},
    OtherFamilyName{"f-then-b", "gpipe"},
    OtherFamilyName{"schedule-gpipe", "gpipe"},
    OtherFamilyName{"wave", "hanayo"},
    OtherFamilyName{"wave-pipeline", "hanayo"},
    OtherFamilyName{"1f1b-interleaved", "interleaved-1f1b"},
    OtherFamilyName{"1f1b-interleaving", "interleaved-1f1b"},
    OtherFamilyName{"interleave-1f1b", "interleaved-1f1b"},
    OtherFamilyName{"1f1b-i", "interleaved-1f1b"},
    OtherFamilyName{"interleaved", "interleaved-1f1b"},
    OtherFamilyName{"vpp", "interleaved-1f1b"},
    OtherFamilyName{"virtual-pipeline", "interleaved-1f1b"},
    OtherFamilyName{"schedule-interleaved-1f1b", "interleaved-1f1b"},
    OtherFamilyName{"k-forward-k-backward", "kfkb"},
    OtherFamilyName{"ada-grouper", "kfkb"},
    OtherFamilyName{"asynchronous-1f1b", "pipedream"},
    OtherFamilyName{"async-1f1b", "pipedream"},
    OtherFamilyName{"1f1b-async", "pipedream"},
    OtherFamilyName{"2bw", "pipedream-2bw"},
    OtherFamilyName{"double-buffered-weights", "pipedream-2bw"},
    OtherFamilyName{"interleaved-seq1f1b", "seq1f1b-interleaved"},
    OtherFamilyName{"zero-bubble-auto", "zb-auto"},
    OtherFamilyName{"zero-bubble-h1", "zb-h1"},
    OtherFamilyName{"zb1p", "zb-h1"},
    OtherFamilyName{"zero-bubble-h2", "zb-h2"},
    OtherFamilyName{"zero-bubble-v", "zb-v"},
    OtherFamilyName{"v-zero-bubble", "zb-v"},
    OtherFamilyName{"zbv-zero-bubble", "zb-v"},
    OtherFamilyName{"schedule-zbv-zero-bubble", "zb-v"}};

const Family* namedFamily(std::string_view word)
{
    const std::span<const Family> all = allFamilies();
    if (const Family* found = findNamed(all, word, [](const Family& one) { return one.id; }))
        return found;
    return findNamed(all, word, [](const Family& one) { return one.title; });
}

const OtherFamilyName* otherName(std::string_view word)
{
    return findNamed(knownByOtherNames, word, [](const OtherFamilyName& one) { return one.name; });
}

/// 1f1b,zb-h1: every part between commas is a family.
bool isListOfFamilies(std::string_view word)
{
    std::size_t parts = 0;
    for (std::size_t at = 0; at <= word.size(); ++parts) {
        const std::size_t end = std::min(word.find(',', at), word.size());
        const std::string_view part = word.substr(at, end - at);
        if (namedFamily(part) == nullptr && otherName(part) == nullptr)
            return false;
        at = end + 1;
    }
    return parts > 1;
}

} // namespace

std::span<const OtherFamilyName> otherFamilyNames()
{
    return knownByOtherNames;
}

Result<const Family*> familyNamed(std::string_view word)
{
    if (const Family* known = namedFamily(word))
        return known;
    if (const OtherFamilyName* other = otherName(word))
        return findFamily(other->id);
    if (isListOfFamilies(word)) {
        std::string apart(word);
        std::replace(apart.begin(), apart.end(), ',', ' ');
        return fail(ErrorCode::BadValue, "there is no family '%1'; several have spaces between: %2",
                    word.substr(0, 64), apart);
    }
    std::vector<std::string> names;
    for (const Family& family : allFamilies())
        names.emplace_back(family.id);
    for (const OtherFamilyName& other : knownByOtherNames)
        names.emplace_back(other.name);
    const std::string near = nearest(word, names);
    if (const OtherFamilyName* other = near.empty() ? nullptr : otherName(near))
        return fail(ErrorCode::BadValue, "there is no family '%1'; did you mean %2, which is %3?",
                    word.substr(0, 64), near, other->id);
    return findFamily(word);
}

} // namespace pw
