// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/io/file_problem.h"
#include "core/trace/name_rule.h"
#include "core/trace/name_rule_characters.h"

#include <algorithm>

namespace pw {

/// One match of a rule with a name. A place that failed once is not tried again, so the work is
/// bounded by parts times characters.
class RuleMatch
{
public:
    RuleMatch(const NameRule& rule, std::string_view name)
        : m_rule(rule)
        , m_name(name)
        , m_failed(rule.m_parts.size() * (name.size() + 1), false)
    {
    }

    std::optional<SpanName> run()
    {
        if (!from(0, 0))
            return std::nullopt;
        if (!m_rule.m_fixed && !m_kind)
            return m_said; // of a place
        const RuleKind& kind = m_rule.m_fixed ? *m_rule.m_fixed : *m_kind;
        m_said.first.role = kind.role;
        m_said.first.kind = kind.kind;
        m_said.first.openBackward = kind.open;
        return m_said;
    }

private:
    using Field = NameRule::Field;

    bool besideAny(std::size_t part, int side) const
    {
        const std::size_t other = side < 0 ? part - 1 : part + 1;
        return !(side < 0 && part == 0) && other < m_rule.m_parts.size() &&
               m_rule.m_parts[other].field == Field::Any;
    }

    /// Whether the parts from `part` on match the name from `at` on. No deeper than there are
    /// parts.
    bool from(std::size_t part, std::size_t at)
    {
        if (part == m_rule.m_parts.size())
            return at == m_name.size();
        const std::size_t place = part * (m_name.size() + 1) + at;
        if (m_failed[place])
            return false;
        const bool matched = tryPart(part, at);
        m_failed[place] = !matched;
        return matched;
    }

    bool tryPart(std::size_t part, std::size_t at)
    {
        const NameRule::Part& wanted = m_rule.m_parts[part];
        switch (wanted.field) {
        case Field::Text:
            return m_name.substr(at, wanted.text.size()) == wanted.text &&
                   from(part + 1, at + wanted.text.size());
        case Field::Any:
            return anyFrom(part, at);
        case Field::Kind:
            return kindFrom(part, at);
        default:
            return numberFrom(part, at);
        }
    }

    bool anyFrom(std::size_t part, std::size_t at)
    {
        for (std::size_t end = at; end <= m_name.size(); ++end) {
            const std::size_t place = part * (m_name.size() + 1) + end;
            // From here on it was tried before.
            if (m_failed[place])
                return false;
            if (from(part + 1, end))
                return true;
            m_failed[place] = true;
        }
        return false;
    }

    bool fits(const std::string& word, std::size_t at) const
    {
        if (word.size() > m_name.size() - at)
            return false;
        for (std::size_t i = 0; i < word.size(); ++i) {
            const char c = m_name[at + i];
            if ((m_rule.m_anyCase ? plainWord(c) : c) != word[i])
                return false;
        }
        return true;
    }

    bool kindFrom(std::size_t part, std::size_t at)
    {
        if (besideAny(part, -1) && at > 0 && isLetter(m_name[at - 1]) && at < m_name.size() &&
            isLetter(m_name[at]))
            return false;
        for (const NameRule::Word& word : m_rule.m_words) {
            if (!fits(word.text, at))
                continue;
            const std::size_t end = at + word.text.size();
            if (besideAny(part, 1) && end < m_name.size() && isLetter(m_name[end]) &&
                isLetter(m_name[end - 1]))
                continue;
            if (!from(part + 1, end))
                continue;
            m_kind = word.kind;
            return true;
        }
        return false;
    }

    bool numberFrom(std::size_t part, std::size_t at)
    {
        if (besideAny(part, -1) && at > 0 && isDigit(m_name[at - 1]))
            return false;
        std::size_t end = at;
        while (end < m_name.size() && isDigit(m_name[end]))
            ++end;
        const std::optional<std::int32_t> number = parseNumber(m_name.substr(at, end - at));
        if (!number || !from(part + 1, end))
            return false;
        into(m_rule.m_parts[part].field) = *number;
        return true;
    }

    std::int32_t& into(Field field)
    {
        switch (field) {
        case Field::Stage:
            return m_said.first.stage.value;
        case Field::MicroBatch:
            return m_said.first.microBatch;
        case Field::Chunk:
            return m_said.first.chunk;
        case Field::Segment:
            return m_said.first.segment;
        case Field::Iteration:
            return m_said.first.iteration;
        case Field::Replica:
            return m_said.replica;
        default:
            return m_said.rankNumber;
        }
    }

    const NameRule& m_rule;
    std::string_view m_name;
    std::vector<bool> m_failed; // by part and character
    std::optional<RuleKind> m_kind;
    SpanName m_said;
};

std::optional<SpanName> NameRule::read(std::string_view name) const
{
    return RuleMatch(*this, name).run();
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
