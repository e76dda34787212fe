// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/name_rule.h"

#include "core/base/text.h"
#include "core/base/try.h"

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
    if (parts.size() == 1 && sourceOf(parts.front()).empty()) {
        PW_TRY(NamePattern name, NamePattern::parse(pattern, true));
        return NameRule(pattern, std::move(name));
    }
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
        Result<NamePattern> name = NamePattern::parse(parts[i].substr(source.size()), true);
        if (!name)
            return inPart(i, name.error());
        whole = NameRule(pattern, std::move(*name));
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
    return std::move(*whole);
}

Result<void> NameRule::takePlace(std::string_view source, std::string_view pattern)
{
    if (source == "args:") {
        const std::size_t equal = pattern.find('=');
        const std::string_view field =
            equal == std::string_view::npos ? std::string_view() : pattern.substr(equal + 1);
        PW_TRY(const NamePattern read, NamePattern::parse(field, false));
        const std::optional<Number> number = read.onlyNumber();
        if (equal == 0 || !number)
            return fail(ErrorCode::Syntax,
                        "an argument is args:KEY={field}, with the field of one number");
        m_arguments.push_back({std::string(pattern.substr(0, equal)), *number});
        return {};
    }
    std::optional<NamePattern>& mine = source == "process:"  ? m_process
                                       : source == "thread:" ? m_thread
                                                             : m_file;
    if (mine)
        return fail(ErrorCode::Syntax, "%1 appears twice", source.substr(0, source.size() - 1));
    PW_TRY(mine, NamePattern::parse(pattern, false));
    return {};
}

std::optional<SpanName> NameRule::readPlace(std::string_view process, std::string_view thread,
                                            std::string_view file) const
{
    SpanName all;
    const auto take = [&all](const std::optional<NamePattern>& rule, std::string_view text) {
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

int ruleOf(std::string_view name, const std::vector<NameRule>& rules)
{
    if (name.substr(0, 3) == "PP:")
        return -1;
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (rules[i].read(name))
            return static_cast<int>(i);
    return -1;
}

SpanName readSpanName(std::string_view name, const std::vector<NameRule>& rules)
{
    const int rule = ruleOf(name, rules);
    if (rule < 0)
        return readSpanName(name);
    SpanName said = *rules[static_cast<std::size_t>(rule)].read(name);
    said.placeRule = rules[static_cast<std::size_t>(rule)].hasPlaces() ? rule : -1;
    return said;
}

std::vector<std::string> ruleNotes(const Trace& trace, const std::vector<NameRule>& rules)
{
    if (rules.empty())
        return {};
    std::vector<std::int64_t> spansOfName(trace.names.size(), 0);
    for (const TraceSpan& span : trace.spans)
        ++spansOfName[static_cast<std::size_t>(span.name)];
    std::vector<std::int64_t> names(rules.size(), 0), spans(rules.size(), 0);
    for (std::size_t i = 0; i < trace.names.size(); ++i) {
        const int rule = spansOfName[i] == 0 ? -1 : ruleOf(trace.names[i], rules);
        if (rule < 0)
            continue;
        ++names[static_cast<std::size_t>(rule)];
        spans[static_cast<std::size_t>(rule)] += spansOfName[i];
    }
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const std::string rule = "the rule '" + rules[i].pattern() + "' reads ";
        notes.push_back(names[i] == 0
                            ? rule + "no name"
                            : rule + groupedNumber(names[i]) +
                                  (names[i] == 1 ? " name of " : " names of ") +
                                  groupedNumber(spans[i]) + (spans[i] == 1 ? " span" : " spans"));
    }
    return notes;
}

std::string describe(const SpanName& said)
{
    const SpanLabel& label = said.first;
    if (label.role == SpanRole::Other)
        return {};
    std::string text;
    switch (label.role) {
    case SpanRole::Step:
        text = "step";
        break;
    case SpanRole::Remainder:
        text = "work beside passes";
        break;
    case SpanRole::Send:
        text = label.kind == PassKind::F ? "send of an activation" : "send of a gradient";
        break;
    case SpanRole::Receive:
        text = label.kind == PassKind::F ? "receive of an activation" : "receive of a gradient";
        break;
    default:
        text = name(label.kind);
        if (label.openBackward)
            text += " (BW where the trace has no W)";
        if (said.second.role == SpanRole::Pass)
            text += "+" + std::string(name(said.second.kind));
    }
    const auto add = [&text](const char* what, std::int32_t number) {
        if (number >= 0)
            text += ", " + std::string(what) + " " + std::to_string(number);
    };
    add("iteration", label.iteration);
    add("rank", said.rankNumber);
    add("stage", label.stage);
    add("chunk", label.chunk);
    add("micro-batch", label.microBatch);
    add("segment", label.segment);
    return text;
}

} // namespace pw
