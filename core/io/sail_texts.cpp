// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/number.h"
#include "core/io/sail_parts.h"

#include <algorithm>

namespace pw {

namespace {

constexpr std::string_view nodeMark = "ScheduledNode(";
constexpr std::string_view textBlanks = " \t\r\n";

/// Reads `ScheduledNode(type=F, stage=0, …)` wherever it stands in a text.
class NodeTexts
{
public:
    NodeTexts(std::string_view text, SailNodes& nodes, SailPlan& plan)
        : m_text(text)
        , m_maker(nodes, plan)
        , m_plan(plan)
    {
    }

    void read()
    {
        std::size_t at = 0;
        while ((at = m_text.find(nodeMark, at)) != std::string_view::npos) {
            m_maker.begin(placeOf(at));
            at += nodeMark.size();
            if (!readFields(at))
                return;
            m_maker.finish(-1);
        }
        m_maker.tellUnknown();
    }

private:
    FilePlace placeOf(std::size_t at)
    {
        for (; m_counted < at; ++m_counted) {
            if (m_text[m_counted] != '\n')
                continue;
            ++m_line;
            m_lineBegin = m_counted + 1;
        }
        return {m_line, static_cast<std::int32_t>(
                            std::min<std::size_t>(at - m_lineBegin + 1, 1'000'000'000))};
    }

    /// Up to the closing bracket. @return false where there is none
    bool readFields(std::size_t& at)
    {
        while (true) {
            at = std::min(m_text.find_first_not_of(textBlanks, at), m_text.size());
            if (at == m_text.size())
                return broken(at, said("the node has no closing bracket"));
            if (m_text[at] == ')') {
                ++at;
                return true;
            }
            const std::size_t equals = m_text.find_first_of("=,()<", at);
            if (equals == std::string_view::npos || m_text[equals] != '=')
                return broken(at, said("a field is written name=value"));
            const std::string_view name = trimmed(m_text.substr(at, equals - at));
            at = equals + 1;
            const std::size_t end = endOfValue(at);
            if (end == std::string_view::npos)
                return broken(at, said("the value of %1 has no end", name));
            m_maker.set(name, valueOf(trimmed(m_text.substr(at, end - at))));
            at = m_text[end] == ',' ? end + 1 : end;
        }
    }

    bool broken(std::size_t at, const Sentence& what)
    {
        m_plan.problems.add(placeOf(at), what);
        return false;
    }

    /// The comma or bracket behind a value.
    std::size_t endOfValue(std::size_t at) const
    {
        char quote = 0;
        int depth = 0;
        for (; at < m_text.size(); ++at) {
            const char c = m_text[at];
            if (c == '\n' && quote != 0)
                return std::string_view::npos;
            if (quote != 0) {
                quote = c == quote ? '\0' : quote;
                continue;
            }
            if (c == '\'' || c == '"')
                quote = c;
            else if (c == '<' || c == '(' || c == '[' || c == '{')
                ++depth;
            else if (depth > 0 && (c == '>' || c == ')' || c == ']' || c == '}'))
                --depth;
            else if (depth == 0 && (c == ',' || c == ')'))
                return at;
        }
        return std::string_view::npos;
    }

    static SailValue valueOf(std::string_view text)
    {
        SailValue value;
        if (text == "None")
            return value;
        value.type = SailValue::Type::Text;
        value.text = text;
        if (text == "True" || text == "False") {
            value.type = SailValue::Type::Truth;
            value.truth = text == "True";
        } else if (const std::optional<double> number = decimalNumber(text)) {
            value.type = SailValue::Type::Number;
            value.number = *number;
        } else if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) {
            value.text = text.substr(1, text.size() - 2);
        } else if (!text.empty() && text.front() == '<') {
            // <FuncType.F: 'F'>
            value.text = text.substr(1, std::min(text.find(':'), text.size() - 1) - 1);
        }
        return value;
    }

    std::string_view m_text;
    SailNodeMaker m_maker;
    SailPlan& m_plan;
    std::size_t m_counted = 0; // bytes in which lines were counted
    std::size_t m_lineBegin = 0;
    std::int32_t m_line = 1;
};

bool sameNode(const SailNode& a, const SailNode& b)
{
    return a.kind == b.kind && a.rank == b.rank && a.microBatch == b.microBatch &&
           a.chunk == b.chunk && a.segment == b.segment && a.group == b.group;
}

/// A log may hold a plan several times, since every process prints it.
void keepOnePlan(SailNodes& nodes, SailPlan& plan)
{
    std::vector<SailNode>& all = nodes.nodes;
    std::size_t period = 1;
    while (period < all.size() && !sameNode(all[period], all[0]))
        ++period;
    if (period >= all.size() || all.size() % period != 0)
        return;
    for (std::size_t i = period; i < all.size(); ++i)
        if (!sameNode(all[i], all[i - period]))
            return;
    plan.notes.add({},
                   said("the plan stands there %1 times; it is read once", all.size() / period));
    all.resize(period);
}

} // namespace

void readSailNodeTexts(std::string_view text, SailNodes& nodes, SailPlan& plan)
{
    plan.lineName = "line";
    plan.columnName = "column";
    NodeTexts(text, nodes, plan).read();
    keepOnePlan(nodes, plan);
}

} // namespace pw
