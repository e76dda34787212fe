// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/trace_names.h"

#include "core/reading/events/recent_texts.h"

#include <utility>

namespace pw {

std::string cleanText(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        bool sound = lead < 0x80 || (lead >= 0xC2 && lead <= 0xF4);
        for (std::size_t i = 1; i < length; ++i)
            sound = sound && at + i < text.size() &&
                    (static_cast<unsigned char>(text[at + i]) & 0xC0U) == 0x80U;
        if (sound) {
            out.append(text.substr(at, length));
            at += length;
        } else {
            out += "\xEF\xBF\xBD";
            ++at;
        }
    }
    return out;
}

struct TraceNames::Parts
{
    Trace& trace;
    std::vector<NameRule> rules;
    ByText<std::int32_t> names;
    std::vector<SpanName> said; // by name
    std::vector<KernelRule> kernels;
    std::vector<std::int8_t> kinds;            // of kernels, by name; −1: not asked yet
    ByText<std::int32_t> groups;               // by name, ranks and size
    std::vector<NameRule::Argument> arguments; // that rules know; the first of a key counts
    RecentTexts<std::int32_t> recent;          // of the names

    std::int32_t groupOf(const std::string& key, const ProcessGroup& group)
    {
        const auto [found, made] =
            groups.try_emplace(key, static_cast<std::int32_t>(trace.groups.size()));
        if (made)
            trace.groups.push_back({cleanText(group.name), cleanText(group.description),
                                    cleanText(group.ranks), group.size, group.unique});
        std::string& description =
            trace.groups[static_cast<std::size_t>(found->second)].description;
        if (description.empty())
            description = cleanText(group.description);
        return found->second;
    }
};

TraceNames::TraceNames(Trace& trace, std::vector<NameRule> rules, std::vector<KernelRule> kernels)
    : m_parts(std::make_unique<Parts>(
          Parts{trace, std::move(rules), {}, {}, std::move(kernels), {}, {}, {}, {}}))
{
    // Asked for every argument of a trace.
    for (const std::vector<NameRule>* all : {&std::as_const(m_parts->rules), &shippedRules()})
        for (const NameRule& rule : *all)
            m_parts->arguments.insert(m_parts->arguments.end(), rule.arguments().begin(),
                                      rule.arguments().end());
}

TraceNames::~TraceNames() = default;

std::int32_t TraceNames::indexOf(std::string_view name)
{
    Parts& parts = *m_parts;
    if (const auto* known = parts.recent.find(name))
        return known->second;
    auto found = parts.names.find(name);
    if (found == parts.names.end()) {
        found =
            parts.names.emplace(name, static_cast<std::int32_t>(parts.trace.names.size())).first;
        parts.trace.names.push_back(cleanText(name));
        parts.said.push_back(readSpanName(name, parts.rules));
        if (SpanName& said = parts.said.back(); said.first.role == SpanRole::Other)
            if (const int shipped = ruleOf(name, shippedRules()); shipped >= 0) {
                said = *shippedRules()[static_cast<std::size_t>(shipped)].read(name);
                said.placeRule = shipped + static_cast<std::int32_t>(parts.rules.size());
            }
    }
    parts.recent.keep(*found);
    return found->second;
}

const SpanName& TraceNames::said(std::int32_t name) const
{
    return m_parts->said[static_cast<std::size_t>(name)];
}

ActivityKind TraceNames::kernelKind(std::int32_t name) const
{
    Parts& parts = *m_parts;
    if (parts.kinds.size() < parts.trace.names.size())
        parts.kinds.resize(parts.trace.names.size(), -1);
    std::int8_t& kind = parts.kinds[static_cast<std::size_t>(name)];
    if (kind < 0)
        kind = static_cast<std::int8_t>(
            pw::kernelKind(parts.trace.names[static_cast<std::size_t>(name)], parts.kernels));
    return static_cast<ActivityKind>(kind);
}

ActivityKind TraceNames::kernelKind(std::int32_t name, std::string_view other) const
{
    const ActivityKind kind = kernelKind(name);
    return kind == ActivityKind::Compute ? pw::kernelKind(other, m_parts->kernels) : kind;
}

std::int32_t TraceNames::groupOf(const ProcessGroup& group)
{
    return m_parts->groupOf(group.name + '\n' + group.ranks + '\n' + std::to_string(group.size),
                            group);
}

TraceNames::Places TraceNames::takeOver(const TraceNames& other)
{
    // Both know names and groups by the bytes of the files, from which cleaned texts may be alike.
    const auto byNumber = [](const ByText<std::int32_t>& all, std::size_t count) {
        std::vector<const std::string*> texts(count, nullptr);
        for (const auto& [text, number] : all)
            texts[static_cast<std::size_t>(number)] = &text;
        return texts;
    };
    Parts& parts = *m_parts;
    const Parts& others = *other.m_parts;
    Places places;
    for (const std::string* name : byNumber(others.names, others.trace.names.size())) {
        const std::size_t from = places.names.size();
        const auto [found, made] =
            parts.names.try_emplace(*name, static_cast<std::int32_t>(parts.trace.names.size()));
        if (made) {
            parts.trace.names.push_back(others.trace.names[from]);
            parts.said.push_back(others.said[from]);
        }
        places.names.push_back(found->second);
    }
    for (const std::string* key : byNumber(others.groups, others.trace.groups.size()))
        places.groups.push_back(parts.groupOf(*key, others.trace.groups[places.groups.size()]));
    return places;
}

std::optional<SpanName> TraceNames::saidByRule(std::string_view name) const
{
    const int rule = ruleOf(name, m_parts->rules);
    if (rule < 0)
        return std::nullopt;
    return m_parts->rules[static_cast<std::size_t>(rule)].read(name);
}

const NameRule& TraceNames::rule(std::int32_t number) const
{
    const std::vector<NameRule>& mine = m_parts->rules;
    const auto at = static_cast<std::size_t>(number);
    return at < mine.size() ? mine[at] : shippedRules()[at - mine.size()];
}

std::optional<NameRule::Number> TraceNames::argument(std::string_view key) const
{
    for (const NameRule::Argument& one : m_parts->arguments)
        if (one.key == key)
            return one.number;
    return std::nullopt;
}

} // namespace pw
