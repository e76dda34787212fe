// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/planned_families.h"

#include "core/families/default_family.h"
#include "core/families/family_traits.h"
#include "core/families/file_families.h"

#include <algorithm>
#include <map>

namespace pw::plan {

namespace {

/// Whether a parameter gives a shape that neither the search varies as chunks, nor the family sets
/// by the devices and micro-batches.
bool isOwnNumber(const Parameter& parameter)
{
    return parameter.ofShape() && parameter.role != ParameterRole::Chunks &&
           parameter.rule == nullptr;
}

/// A few values of a parameter of a shape, doubled each.
std::vector<double> valuesOf(const Parameter& parameter, int sequence)
{
    constexpr int mostSegments = 16, leastTokens = 1024;
    const bool segments = parameter.role == ParameterRole::Segments;
    const double least = segments ? 2 : std::max(parameter.fallback, parameter.minimum);
    const double most =
        segments ? std::clamp<double>(sequence / leastTokens, 2, mostSegments) : 2 * least;
    std::vector<double> values;
    for (double value = least; value <= std::min(most, parameter.maximum); value *= 2)
        values.push_back(value);
    return values;
}

} // namespace

std::optional<LeftOut> whyLeftOut(const Family& family)
{
    if (!fileOfFamily(family).empty())
        return LeftOut::File;
    if (family.search)
        return LeftOut::Search;
    if (traitsOf(family).updates != UpdateRule::Flush)
        return LeftOut::Unflushed;
    return std::nullopt;
}

Sentence reasonOf(LeftOut reason)
{
    switch (reason) {
    case LeftOut::File:
        return said("families of your own files");
    case LeftOut::Search:
        return said("their order is a search of its own");
    case LeftOut::Unflushed:
        return said("they do not flush, and train with older weights");
    }
    return {};
}

std::vector<std::string_view> plannedFamilies()
{
    std::vector<std::string_view> planned;
    for (const Family& family : allFamilies()) {
        if (!whyLeftOut(family))
            planned.push_back(family.id);
    }
    std::stable_partition(planned.begin(), planned.end(),
                          [](std::string_view id) { return id == defaultFamily; });
    return planned;
}

std::vector<std::string> unflushedFamilies()
{
    std::vector<std::string> unflushed;
    for (const Family& family : allFamilies())
        if (whyLeftOut(family) == LeftOut::Unflushed)
            unflushed.emplace_back(family.id);
    return unflushed;
}

std::vector<std::vector<std::pair<std::string, double>>>
shapeVariants(const Family& family, const std::vector<std::pair<std::string, double>>& given,
              int sequence)
{
    std::vector<std::vector<std::pair<std::string, double>>> all = {given};
    for (const Parameter& parameter : family.parameters) {
        const bool known = std::any_of(given.begin(), given.end(), [&](const auto& one) {
            return one.first == parameter.name;
        });
        if (!isOwnNumber(parameter) || known)
            continue;
        std::vector<std::vector<std::pair<std::string, double>>> more;
        for (const auto& parameters : all)
            for (const double value : valuesOf(parameter, sequence)) {
                more.push_back(parameters);
                more.back().emplace_back(parameter.name, value);
            }
        all = std::move(more);
    }
    return all;
}

std::vector<std::string> otherFamilies()
{
    std::vector<std::string> others;
    for (const Family& family : allFamilies()) {
        if (whyLeftOut(family))
            others.emplace_back(family.id);
    }
    return others;
}

std::vector<Sentence> leftOutByReason()
{
    std::map<LeftOut, std::string> ids;
    for (const Family& family : allFamilies()) {
        if (const std::optional<LeftOut> reason = whyLeftOut(family)) {
            std::string& text = ids[*reason];
            text += (text.empty() ? "" : ", ") + std::string(family.id);
        }
    }
    std::vector<Sentence> all;
    for (const auto& [reason, text] : ids)
        all.push_back(said("%1: %2", text, reasonOf(reason)));
    return all;
}

} // namespace pw::plan
