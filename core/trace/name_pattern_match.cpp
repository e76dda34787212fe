// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/io/file_problem.h"
#include "core/trace/name_pattern.h"
#include "core/trace/name_rule_characters.h"

#include <algorithm>

namespace pw {

/// One match of a rule with a name. A place that failed once is not tried again, so the work is
/// bounded by parts times characters.
class RuleMatch
{
public:
    RuleMatch(const NamePattern& rule, std::string_view name)
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
    using Field = NamePattern::Field;

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
        const NamePattern::Part& wanted = m_rule.m_parts[part];
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
        for (const NamePattern::Word& word : m_rule.m_words) {
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

    const NamePattern& m_rule;
    std::string_view m_name;
    std::vector<bool> m_failed; // by part and character
    std::optional<RuleKind> m_kind;
    SpanName m_said;
};

std::optional<SpanName> NamePattern::read(std::string_view name) const
{
    return RuleMatch(*this, name).run();
}

} // namespace pw
