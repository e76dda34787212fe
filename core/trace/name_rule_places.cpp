// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// Rules that join what a file says in several places.
#include "core/base/try.h"
#include "core/trace/name_rule.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr std::string_view join = " & ";
constexpr std::array<std::string_view, 5> sources = {
    "process:", "thread:", "file:", "args:", "name:"};

/// The source that a part names; empty where it is a name without one.
std::string_view sourceOf(std::string_view part)
{
    for (const std::string_view source : sources)
        if (part.substr(0, source.size()) == source)
            return source;
    return {};
}

/// The parts of a joined rule; one where it is none: a name may have the mark in it.
std::vector<std::string_view> partsOf(std::string_view pattern)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = pattern;;) {
        const std::size_t at = rest.find(join);
        parts.push_back(rest.substr(0, at));
        if (at == std::string_view::npos)
            break;
        rest.remove_prefix(at + join.size());
    }
    const bool any = std::any_of(parts.begin(), parts.end(),
                                 [](std::string_view part) { return !sourceOf(part).empty(); });
    if (!any)
        parts = {pattern};
    return parts;
}

template<typename Number>
void fill(Number& mine, Number theirs)
{
    mine = mine < 0 ? theirs : mine;
}

} // namespace

Result<NameRule> NameRule::parse(std::string_view pattern)
{
    const std::vector<std::string_view> parts = partsOf(pattern);
    if (parts.size() == 1 && sourceOf(parts.front()).empty())
        return parsePattern(pattern, true);
    if (pattern.size() > longest)
        return fail(ErrorCode::TooLarge, "a rule has at most %1 bytes; this one has %2", longest,
                    pattern.size());
    std::optional<NameRule> whole;
    const auto inPart = [](std::size_t part, const Error& error) {
        return fail(error.code, "part %1, %2", part + 1, error.message);
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view source = sourceOf(parts[i]);
        if (!source.empty() && source != "name:")
            continue;
        if (whole)
            return fail(ErrorCode::Syntax, "part %1: the span's name has a pattern already", i + 1);
        Result<NameRule> name = parsePattern(parts[i].substr(source.size()), true);
        if (!name)
            return inPart(i, name.error());
        whole = std::move(*name);
    }
    if (!whole)
        return fail(ErrorCode::Syntax, "a joined rule has a pattern for the span's name too, with "
                                       "its {kind}");
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view source = sourceOf(parts[i]);
        if (source.empty() || source == "name:")
            continue;
        if (const Result<void> taken = whole->takePlace(source, parts[i].substr(source.size()));
            !taken)
            return inPart(i, taken.error());
    }
    whole->m_pattern = std::string(pattern);
    return std::move(*whole);
}

Result<void> NameRule::takePlace(std::string_view source, std::string_view pattern)
{
    if (source == "args:") {
        const std::size_t equal = pattern.find('=');
        const std::string_view field =
            equal == std::string_view::npos ? std::string_view() : pattern.substr(equal + 1);
        PW_TRY(const NameRule number, parsePattern(field, false));
        if (equal == 0 || number.m_parts.size() != 1 || number.m_parts.front().field < Field::Stage)
            return fail(ErrorCode::Syntax,
                        "an argument is args:KEY={field}, with the field of one number");
        m_arguments.push_back({std::string(pattern.substr(0, equal)),
                               static_cast<Number>(static_cast<int>(number.m_parts.front().field) -
                                                   static_cast<int>(Field::Stage))});
        return {};
    }
    std::shared_ptr<const NameRule>& mine = source == "process:"  ? m_process
                                            : source == "thread:" ? m_thread
                                                                  : m_file;
    if (mine)
        return fail(ErrorCode::Syntax, "%1 appears twice", source.substr(0, source.size() - 1));
    PW_TRY(NameRule place, parsePattern(pattern, false));
    mine = std::make_shared<const NameRule>(std::move(place));
    return {};
}

std::optional<SpanName> NameRule::readPlace(std::string_view process, std::string_view thread,
                                            std::string_view file) const
{
    SpanName all;
    const auto take = [&all](const std::shared_ptr<const NameRule>& rule, std::string_view text) {
        if (!rule)
            return true;
        const std::optional<SpanName> one = rule->read(text);
        if (!one)
            return false;
        fill(all.rankNumber, one->rankNumber);
        fill(all.replica, one->replica);
        fill(all.first.stage, one->first.stage);
        fill(all.first.chunk, one->first.chunk);
        fill(all.first.microBatch, one->first.microBatch);
        fill(all.first.segment, one->first.segment);
        fill(all.first.iteration, one->first.iteration);
        return true;
    };
    if (!take(m_process, process) || !take(m_thread, thread) || !take(m_file, file))
        return std::nullopt;
    return all;
}

const std::vector<NameRule>& shippedRules()
{
    // ByteDance's StragglerAnalysis: a process is a data-parallel rank, a thread a pipeline rank.
    static constexpr std::string_view place =
        "process:DP rank [{replica}] & thread:PP rank {rank},* & "
        "args:mb_id={micro-batch} & args:step={iteration} & ";
    static const std::vector<NameRule> rules = [] {
        std::vector<NameRule> all;
        for (const std::string_view name :
             {std::string_view("{kind:forward-compute=F,backward-compute=BW}"),
              std::string_view("{kind:params-all-gather=rest,grads-reduce-scatter=rest,"
                               "embedding-grads-all-reduce=rest,layernorm-grads-all-reduce=rest,"
                               "optimizer=rest,optimizer-clip-main-grad=rest,gc=rest}")}) {
            Result<NameRule> rule = NameRule::parse(std::string(place) + std::string(name));
            if (rule)
                all.push_back(std::move(*rule));
        }
        return all;
    }();
    return rules;
}

} // namespace pw
