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

/// Whether a parameter gives a shape that neither the search varies, as it does chunks, nor the
/// family sets by the devices and micro-batches.
bool isOwnNumber(const Parameter& parameter)
{
    return parameter.ofShape() && parameter.role != ParameterRole::Chunks &&
           parameter.rule == nullptr;
}

} // namespace

std::optional<LeftOut> whyLeftOut(const Family& family)
{
    if (!fileOfFamily(family).empty())
        return LeftOut::File;
    if (family.search)
        return LeftOut::Search;
    const FamilyTraits traits = traitsOf(family);
    if (traits.updates != UpdateRule::Flush)
        return LeftOut::Unflushed;
    if (traits.routes > 1)
        return LeftOut::TwoCopies;
    if (traits.segments > 1)
        return LeftOut::Segments;
    if (traits.pairs)
        return LeftOut::Pairs;
    if (std::any_of(family.parameters.begin(), family.parameters.end(), isOwnNumber))
        return LeftOut::OwnNumbers;
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
        return said("they do not flush, so that no step ends by itself");
    case LeftOut::TwoCopies:
        return said("two copies of the model, whose sum of gradients is not in the times");
    case LeftOut::Segments:
        return said("parts of sequences, whose kernels are not in the times");
    case LeftOut::Pairs:
        return said("what a forward and a backward side by side hide is not in the times");
    case LeftOut::OwnNumbers:
        return said("a number of their own that is not searched");
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
