// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/name_pattern.h"

#include "core/base/text.h"
#include "core/io/file_problem.h"
#include "core/trace/name_rule_characters.h"

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
constexpr std::array<KindName, 12> kindNames = {
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
     {"step", {SpanRole::Step, PassKind::F, false}},
     {"rest", {SpanRole::Remainder, PassKind::F, false}}}};

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

} // namespace

/// Makes the parts of a rule from its text.
class RuleParser
{
public:
    /// @param kind  whether it says a kind, as every rule for names does
    explicit RuleParser(std::string_view text, bool kind = true)
        : m_text(text)
        , m_wantsKind(kind)
    {
    }

    Result<NamePattern> run()
    {
        if (m_text.size() > NamePattern::longest)
            return fail(ErrorCode::TooLarge, "a rule has at most %1 bytes; this one has %2",
                        NamePattern::longest, m_text.size());
        while (m_at < m_text.size() && !m_failed)
            readPart();
        if (!m_failed)
            checkWhole();
        if (m_failed)
            return fail(ErrorCode::Syntax, m_why);
        std::stable_sort(m_rule.m_words.begin(), m_rule.m_words.end(),
                         [](const NamePattern::Word& a, const NamePattern::Word& b) {
                             return a.text.size() > b.text.size();
                         });
        return std::move(m_rule);
    }

private:
    using Field = NamePattern::Field;

    /// People count characters, not bytes.
    void refuse(std::size_t at, const Sentence& why)
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
            refuse(m_at - 1,
                   said("a \\ comes before the character that it escapes; \\\\ is a backslash"));
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
            refuse(begin, said("} without its {; \\} is the character itself"));
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
            refuse(begin, said("a digit right behind a number cannot be told from it"));
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
            refuse(begin, said("one * is enough"));
            return;
        }
        if (field > Field::Kind && endsWithNumber()) {
            refuse(
                begin,
                said("two numbers side by side cannot be told apart; put something between them"));
            return;
        }
        const bool twice =
            field != Field::Any &&
            std::any_of(m_rule.m_parts.begin(), m_rule.m_parts.end(),
                        [field](const NamePattern::Part& part) { return part.field == field; });
        if (twice) {
            refuse(begin, said("this field appears twice"));
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
            refuse(begin, said("{ without its }; \\{ is the character itself"));
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
        constexpr std::array<Known, 10> known = {{{"stage", Field::Stage},
                                                  {"micro-batch", Field::MicroBatch},
                                                  {"micro_batch", Field::MicroBatch},
                                                  {"microbatch", Field::MicroBatch},
                                                  {"mb", Field::MicroBatch},
                                                  {"chunk", Field::Chunk},
                                                  {"rank", Field::Rank},
                                                  {"segment", Field::Segment},
                                                  {"iteration", Field::Iteration},
                                                  {"replica", Field::Replica}}};
        for (const Known& one : known) {
            if (one.name != name)
                continue;
            if (m_text[m_at] != '}')
                refuse(m_at, said("{%1} takes a number and nothing else", name));
            else
                append(begin, one.field);
            ++m_at;
            return;
        }
        refuse(begin, said("{%1} is not a field; fields are kind, stage, micro-batch, chunk, rank, "
                           "segment, iteration and replica",
                           name));
    }

    std::optional<RuleKind> takeKind(std::string_view ends, std::size_t begin)
    {
        const std::size_t at = m_at;
        const std::string name = takeUntil(ends, begin);
        const std::optional<RuleKind> kind = kindNamed(name);
        if (!kind)
            refuse(at, said("%1 is not a kind; kinds are F, B, W, BW, R, U, send-F, recv-F, "
                            "send-B, recv-B, step and rest",
                            inQuotes(name)));
        return kind;
    }

    void readKind(std::size_t begin)
    {
        if (m_kindAt) {
            refuse(begin, said("this field appears twice"));
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
                refuse(at, said("a word and its kind: {kind:fprop=F,bprop=BW}"));
                return;
            }
            ++m_at;
            const std::optional<RuleKind> kind = takeKind(",}", begin);
            if (!kind || m_failed)
                return;
            for (const NamePattern::Word& other : m_rule.m_words)
                if (other.text == word)
                    refuse(at, said("%1 appears twice", inQuotes(word)));
            m_rule.m_words.push_back({word, *kind});
            if (m_text[m_at++] == '}')
                return;
        }
    }

    void checkWhole()
    {
        if (!m_wantsKind) {
            if (m_kindAt)
                refuse(*m_kindAt, said("only a span's name says the kind"));
            return;
        }
        if (!m_kindAt) {
            refuse(m_text.size(),
                   said("a rule says what kind of pass a name is: {kind}, or {kind=F}"));
            return;
        }
        const bool text = std::any_of(
            m_rule.m_parts.begin(), m_rule.m_parts.end(),
            [](const NamePattern::Part& part) { return part.field != NamePattern::Field::Any; });
        if (!text)
            refuse(m_text.size(), said("such a rule would match every name"));
        const auto step = [](const RuleKind& kind) { return kind.role == SpanRole::Step; };
        const bool steps =
            (m_rule.m_fixed && step(*m_rule.m_fixed)) ||
            std::any_of(m_rule.m_words.begin(), m_rule.m_words.end(),
                        [&](const NamePattern::Word& word) { return step(word.kind); });
        const bool numbered = std::any_of(
            m_rule.m_parts.begin(), m_rule.m_parts.end(),
            [](const NamePattern::Part& part) { return part.field == Field::Iteration; });
        if (steps && !numbered)
            refuse(*m_kindAt, said("a step has its number: {iteration}"));
    }

    std::string_view m_text;
    bool m_wantsKind;
    std::size_t m_at = 0;
    std::optional<std::size_t> m_kindAt;
    bool m_failed = false;
    std::string m_why;
    NamePattern m_rule;
};

Result<NamePattern> NamePattern::parse(std::string_view text, bool kind)
{
    return RuleParser(text, kind).run();
}

std::optional<NamePattern::Number> NamePattern::onlyNumber() const
{
    if (m_parts.size() != 1 || m_parts.front().field < Field::Stage)
        return std::nullopt;
    return static_cast<Number>(static_cast<int>(m_parts.front().field) -
                               static_cast<int>(Field::Stage));
}

} // namespace pw
