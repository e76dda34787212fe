// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/name_rule.h"

#include "core/base/text.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr RuleKind passOf(PassKind kind)
{
    return {SpanRole::Pass, kind, kind == PassKind::B};
}

struct KindName
{
    std::string_view name;
    RuleKind kind;
};

/// Kinds as a rule names them.
constexpr std::array<KindName, 11> kindNames = {
    {{"F", passOf(PassKind::F)},
     {"B", passOf(PassKind::B)},
     {"W", passOf(PassKind::W)},
     {"BW", passOf(PassKind::BW)},
     {"R", passOf(PassKind::R)},
     {"U", passOf(PassKind::U)},
     {"send-F", {SpanRole::Send, PassKind::F, false}},
     {"recv-F", {SpanRole::Receive, PassKind::F, false}},
     {"send-B", {SpanRole::Send, PassKind::BW, false}},
     {"recv-B", {SpanRole::Receive, PassKind::BW, false}},
     {"step", {SpanRole::Step, PassKind::F, false}}}};

struct UsualWord
{
    std::string_view word;
    std::string_view kind;
};

/// What `{kind}` alone takes; in lower case, and '-' stands for '_' and a blank too.
constexpr std::array<UsualWord, 33> usualWords = {{{"f", "F"},
                                                   {"fw", "F"},
                                                   {"fwd", "F"},
                                                   {"forward", "F"},
                                                   {"fprop", "F"},
                                                   {"b", "B"},
                                                   {"bwd", "B"},
                                                   {"backward", "B"},
                                                   {"bprop", "B"},
                                                   {"dgrad", "B"},
                                                   {"bw", "BW"},
                                                   {"w", "W"},
                                                   {"wgrad", "W"},
                                                   {"weight", "W"},
                                                   {"r", "R"},
                                                   {"recompute", "R"},
                                                   {"u", "U"},
                                                   {"update", "U"},
                                                   {"optimizer", "U"},
                                                   {"send-f", "send-F"},
                                                   {"send-fwd", "send-F"},
                                                   {"send-forward", "send-F"},
                                                   {"forward-send", "send-F"},
                                                   {"recv-f", "recv-F"},
                                                   {"recv-fwd", "recv-F"},
                                                   {"recv-forward", "recv-F"},
                                                   {"forward-recv", "recv-F"},
                                                   {"send-b", "send-B"},
                                                   {"send-bwd", "send-B"},
                                                   {"send-backward", "send-B"},
                                                   {"recv-b", "recv-B"},
                                                   {"recv-bwd", "recv-B"},
                                                   {"recv-backward", "recv-B"}}};

std::optional<RuleKind> kindNamed(std::string_view name)
{
    for (const KindName& one : kindNames)
        if (one.name == name)
            return one.kind;
    return std::nullopt;
}

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Bytes above 127 are parts of letters.
constexpr bool isLetter(char c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

constexpr char plainWord(char c)
{
    return c == '_' || c == ' ' ? '-' : lower(c);
}

} // namespace

/// Makes the parts of a rule from its text.
class RuleParser
{
public:
    explicit RuleParser(std::string_view text)
        : m_text(text)
    {
        m_rule.m_pattern = std::string(text);
    }

    Result<NameRule> run()
    {
        if (m_text.size() > NameRule::longest)
            return fail(ErrorCode::TooLarge,
                        "a rule has at most " + std::to_string(NameRule::longest) +
                            " bytes; this one has " + std::to_string(m_text.size()));
        while (m_at < m_text.size() && !m_failed)
            readPart();
        if (!m_failed)
            checkWhole();
        if (m_failed)
            return fail(ErrorCode::Syntax, m_why);
        std::stable_sort(m_rule.m_words.begin(), m_rule.m_words.end(),
                         [](const NameRule::Word& a, const NameRule::Word& b) {
                             return a.text.size() > b.text.size();
                         });
        return std::move(m_rule);
    }

private:
    using Field = NameRule::Field;

    /// People count characters, not bytes.
    void refuse(std::size_t at, const std::string& why)
    {
        if (m_failed)
            return;
        m_failed = true;
        std::size_t characters = 1;
        for (const char c : m_text.substr(0, at))
            characters += (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 0 : 1;
        m_why = "character " + std::to_string(characters) + ": " + why;
    }

    /// The next character with what `\` does to it. @return whether it has its own meaning
    bool takeCharacter(char& c)
    {
        c = m_text[m_at++];
        if (c != '\\')
            return true;
        if (m_at == m_text.size())
            refuse(m_at - 1, "a \\ stands before the character that it is about; \\\\ is a "
                             "backslash");
        else
            c = m_text[m_at++];
        return false;
    }

    void readPart()
    {
        const std::size_t begin = m_at;
        char c = 0;
        const bool own = takeCharacter(c);
        if (m_failed)
            return;
        if (own && c == '{')
            readField(begin);
        else if (own && c == '}')
            refuse(begin, "} without its {; \\} is the character itself");
        else if (own && c == '*')
            append(begin, Field::Any);
        else
            appendText(begin, c);
    }

    bool endsWithNumber() const
    {
        return !m_rule.m_parts.empty() && m_rule.m_parts.back().field > Field::Kind;
    }

    void appendText(std::size_t begin, char c)
    {
        if (endsWithNumber() && isDigit(c)) {
            refuse(begin, "a digit right behind a number cannot be told from it");
            return;
        }
        if (m_rule.m_parts.empty() || m_rule.m_parts.back().field != Field::Text)
            m_rule.m_parts.push_back({Field::Text});
        m_rule.m_parts.back().text += c;
    }

    void append(std::size_t begin, Field field)
    {
        if (field == Field::Any && !m_rule.m_parts.empty() &&
            m_rule.m_parts.back().field == Field::Any) {
            refuse(begin, "one * is enough");
            return;
        }
        if (field > Field::Kind && endsWithNumber()) {
            refuse(begin, "two numbers side by side cannot be told apart; put something between "
                          "them");
            return;
        }
        const bool twice =
            field != Field::Any &&
            std::any_of(m_rule.m_parts.begin(), m_rule.m_parts.end(),
                        [field](const NameRule::Part& part) { return part.field == field; });
        if (twice) {
            refuse(begin, "this field stands there twice");
            return;
        }
        m_rule.m_parts.push_back({field});
    }

    /// Text up to one of `ends`, which is not taken.
    std::string takeUntil(std::string_view ends, std::size_t begin)
    {
        std::string taken;
        while (m_at < m_text.size() && ends.find(m_text[m_at]) == std::string_view::npos &&
               !m_failed) {
            char c = 0;
            takeCharacter(c);
            taken += c;
        }
        if (m_at == m_text.size())
            refuse(begin, "{ without its }; \\{ is the character itself");
        return taken;
    }

    void readField(std::size_t begin)
    {
        const std::string name = takeUntil("}:=", begin);
        if (m_failed)
            return;
        if (name == "kind") {
            readKind(begin);
            return;
        }
        struct Known
        {
            std::string_view name;
            Field field;
        };
        constexpr std::array<Known, 9> known = {{{"stage", Field::Stage},
                                                 {"micro-batch", Field::MicroBatch},
                                                 {"micro_batch", Field::MicroBatch},
                                                 {"microbatch", Field::MicroBatch},
                                                 {"mb", Field::MicroBatch},
                                                 {"chunk", Field::Chunk},
                                                 {"rank", Field::Rank},
                                                 {"segment", Field::Segment},
                                                 {"iteration", Field::Iteration}}};
        for (const Known& one : known) {
            if (one.name != name)
                continue;
            if (m_text[m_at] != '}')
                refuse(m_at, "{" + name + "} takes a number and nothing else");
            else
                append(begin, one.field);
            ++m_at;
            return;
        }
        refuse(begin, "{" + name +
                          "} is no field; fields are kind, stage, micro-batch, chunk, rank, "
                          "segment and iteration");
    }

    std::optional<RuleKind> takeKind(std::string_view ends, std::size_t begin)
    {
        const std::size_t at = m_at;
        const std::string name = takeUntil(ends, begin);
        const std::optional<RuleKind> kind = kindNamed(name);
        if (!kind)
            refuse(at, inQuotes(name) + " is no kind; kinds are F, B, W, BW, R, U, send-F, recv-F, "
                                        "send-B, recv-B and step");
        return kind;
    }

    void readKind(std::size_t begin)
    {
        if (m_kindAt) {
            refuse(begin, "this field stands there twice");
            return;
        }
        m_kindAt = begin;
        const char mark = m_text[m_at++];
        if (mark == '=') {
            m_rule.m_fixed = takeKind("}", begin);
            ++m_at;
            return;
        }
        append(begin, Field::Kind);
        if (mark == ':') {
            readWords(begin);
            return;
        }
        m_rule.m_anyCase = true;
        for (const UsualWord& usual : usualWords)
            m_rule.m_words.push_back({std::string(usual.word), *kindNamed(usual.kind)});
    }

    void readWords(std::size_t begin)
    {
        while (!m_failed) {
            const std::size_t at = m_at;
            const std::string word = takeUntil("=,}", begin);
            if (m_failed)
                return;
            if (word.empty() || m_text[m_at] != '=') {
                refuse(at, "a word and its kind: {kind:fprop=F,bprop=BW}");
                return;
            }
            ++m_at;
            const std::optional<RuleKind> kind = takeKind(",}", begin);
            if (!kind || m_failed)
                return;
            for (const NameRule::Word& other : m_rule.m_words)
                if (other.text == word)
                    refuse(at, inQuotes(word) + " stands there twice");
            m_rule.m_words.push_back({word, *kind});
            if (m_text[m_at++] == '}')
                return;
        }
    }

    void checkWhole()
    {
        if (!m_kindAt) {
            refuse(m_text.size(), "a rule says what kind of pass a name is: {kind}, or {kind=F}");
            return;
        }
        const bool text = std::any_of(
            m_rule.m_parts.begin(), m_rule.m_parts.end(),
            [](const NameRule::Part& part) { return part.field != NameRule::Field::Any; });
        if (!text)
            refuse(m_text.size(), "such a rule would match every name");
        const auto step = [](const RuleKind& kind) { return kind.role == SpanRole::Step; };
        const bool steps = (m_rule.m_fixed && step(*m_rule.m_fixed)) ||
                           std::any_of(m_rule.m_words.begin(), m_rule.m_words.end(),
                                       [&](const NameRule::Word& word) { return step(word.kind); });
        const bool numbered =
            std::any_of(m_rule.m_parts.begin(), m_rule.m_parts.end(),
                        [](const NameRule::Part& part) { return part.field == Field::Iteration; });
        if (steps && !numbered)
            refuse(*m_kindAt, "a step has its number: {iteration}");
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::optional<std::size_t> m_kindAt;
    bool m_failed = false;
    std::string m_why;
    NameRule m_rule;
};

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
            return m_said.first.stage;
        case Field::MicroBatch:
            return m_said.first.microBatch;
        case Field::Chunk:
            return m_said.first.chunk;
        case Field::Segment:
            return m_said.first.segment;
        case Field::Iteration:
            return m_said.first.iteration;
        default:
            return m_said.rank;
        }
    }

    const NameRule& m_rule;
    std::string_view m_name;
    std::vector<bool> m_failed; // by part and character
    std::optional<RuleKind> m_kind;
    SpanName m_said;
};

Result<NameRule> NameRule::parse(std::string_view pattern)
{
    return RuleParser(pattern).run();
}

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
    return rule < 0 ? readSpanName(name) : *rules[static_cast<std::size_t>(rule)].read(name);
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
    add("rank", said.rank);
    add("stage", label.stage);
    add("chunk", label.chunk);
    add("micro-batch", label.microBatch);
    add("segment", label.segment);
    return text;
}

} // namespace pw
