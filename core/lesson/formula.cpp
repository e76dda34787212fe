// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/formula.h"

#include "core/base/number.h"
#include "core/base/try.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pw {

namespace {

struct NumberWord
{
    std::string_view language, word;
    double value;
};

constexpr double third = 1.0 / 3;

// In lower case, but for letters beyond ASCII.
constexpr std::array<NumberWord, 48> numberWords = {{
    {"en", "one", 1},         {"en", "two", 2},         {"en", "three", 3},
    {"en", "four", 4},        {"en", "five", 5},        {"en", "six", 6},
    {"en", "seven", 7},       {"en", "eight", 8},       {"en", "nine", 9},
    {"en", "ten", 10},        {"en", "eleven", 11},     {"en", "twelve", 12},
    {"en", "fifteen", 15},    {"en", "sixteen", 16},    {"en", "eighteen", 18},
    {"en", "half", 0.5},      {"en", "third", third},   {"en", "thirds", third},
    {"en", "quarter", 0.25},  {"en", "quarters", 0.25}, {"en", "double", 2},
    {"en", "twice", 2},       {"en", "tenth", 0.1},     {"de", "ein", 1},
    {"de", "eine", 1},        {"de", "einem", 1},       {"de", "einen", 1},
    {"de", "einer", 1},       {"de", "zwei", 2},        {"de", "drei", 3},
    {"de", "vier", 4},        {"de", "fünf", 5},        {"de", "sechs", 6},
    {"de", "sieben", 7},      {"de", "acht", 8},        {"de", "neun", 9},
    {"de", "zehn", 10},       {"de", "elf", 11},        {"de", "zwölf", 12},
    {"de", "sechzehn", 16},   {"de", "achtzehn", 18},   {"de", "halb", 0.5},
    {"de", "drittel", third}, {"de", "viertel", 0.25},  {"de", "zehntel", 0.1},
    {"de", "doppelt", 2},     {"de", "hälfte", 0.5},
}};

bool digitAt(char c)
{
    return c >= '0' && c <= '9';
}

/// Reads and computes in one go, by descent.
class FormulaReader
{
public:
    FormulaReader(std::string_view text, std::string_view language, const FormulaNames& names)
        : m_rest(text)
        , m_language(language)
        , m_names(names)
    {
    }

    Result<FormulaChain> run()
    {
        FormulaChain chain;
        for (;;) {
            m_lone = true;
            m_rounding = 0;
            const double value = sum();
            chain.terms.push_back({value, m_lone ? m_rounding : 0});
            const auto relation = takeRelation();
            if (!relation)
                break;
            chain.relations.push_back(*relation);
        }
        space();
        if (!m_failed && !m_rest.empty())
            refuse();
        if (m_failed)
            return fail(ErrorCode::Syntax, "'%1' cannot be computed", m_wrong);
        return chain;
    }

private:
    void refuse()
    {
        if (!m_failed)
            m_wrong = std::string(m_rest);
        m_failed = true;
        m_rest = {};
    }

    bool take(std::string_view token)
    {
        if (m_rest.substr(0, token.size()) != token)
            return false;
        m_rest.remove_prefix(token.size());
        return true;
    }

    void space()
    {
        while (take(" ") || take("\u00a0") || take("\u202f")) {
        }
    }

    std::optional<Relation> takeRelation()
    {
        static constexpr std::array<std::pair<std::string_view, Relation>, 5> signs = {{
            {"=", Relation::Equal},
            {"≤", Relation::LessEqual},
            {"≥", Relation::GreaterEqual},
            {"<", Relation::Less},
            {">", Relation::Greater},
        }};
        space();
        for (const auto& [sign, relation] : signs)
            if (take(sign))
                return relation;
        return std::nullopt;
    }

    double sum()
    {
        double value = product();
        for (;;) {
            space();
            if (take("+"))
                value += product();
            else if (take("−") || take("-"))
                value -= product();
            else
                return value;
            m_lone = false;
        }
    }

    double product()
    {
        double value = factor();
        for (;;) {
            space();
            if (take("·") || take("*") || take("×")) {
                value *= factor();
            } else if (take("⁄") || take("/")) {
                const std::string_view at = m_rest;
                const double by = factor();
                if (by == 0) {
                    m_rest = at;
                    refuse();
                    return 0;
                }
                value /= by;
            } else if (startsFactor()) {
                value *= factor(); // "2pv"
            } else {
                return value;
            }
            m_lone = false;
        }
    }

    /// Whether something follows that can be multiplied without a sign.
    bool startsFactor() const
    {
        if (m_rest.empty())
            return false;
        for (const std::string_view open : {"(", "⌊", "⌈"})
            if (m_rest.substr(0, open.size()) == open)
                return true;
        return digitAt(m_rest.front()) || !wordAt().empty();
    }

    double factor()
    {
        space();
        if (take("−") || take("-"))
            return -factor();
        for (const auto& [open, close] : {std::pair{"(", ")"}, {"⌊", "⌋"}, {"⌈", "⌉"}}) {
            if (!take(open))
                continue;
            m_lone = false;
            const double inner = sum();
            space();
            if (!take(close))
                refuse();
            constexpr double slack = 1e-9;
            return *open == '('                    ? inner
                   : std::string_view(open) == "⌊" ? std::floor(inner + slack)
                                                   : std::ceil(inner - slack);
        }
        if (!m_rest.empty() && digitAt(m_rest.front()))
            return unit(number());
        return word();
    }

    double number()
    {
        const char point = writesDecimalComma(m_language) ? ',' : '.';
        std::size_t size = 0;
        int decimals = 0;
        while (size < m_rest.size() && digitAt(m_rest[size]))
            ++size;
        if (size + 1 < m_rest.size() && m_rest[size] == point && digitAt(m_rest[size + 1])) {
            ++size;
            for (; size < m_rest.size() && digitAt(m_rest[size]); ++size)
                ++decimals;
        }
        std::string digits(m_rest.substr(0, size));
        std::replace(digits.begin(), digits.end(), ',', '.');
        m_rest.remove_prefix(size);
        m_rounding = 0.5 * std::pow(10, -decimals);
        return decimalNumber(digits).value_or(0);
    }

    /// A unit behind a number.
    double unit(double value)
    {
        const std::string_view before = m_rest;
        space();
        if (take("%")) {
            m_rounding /= 100;
            return value / 100;
        }
        if (const std::string_view name = wordAt(); name == "ms" || name == "mb") {
            m_rest.remove_prefix(name.size());
            return value;
        }
        m_rest = before;
        return value;
    }

    /// Letters, then also digits, _ and points between them.
    std::string_view wordAt() const
    {
        const auto letter = [&](std::size_t i) {
            const auto c = static_cast<unsigned char>(m_rest[i]);
            // Of what lies beyond ASCII only the letters of Latin alphabets.
            return std::isalpha(c) != 0 || c == '_' || c == 0xc3 ||
                   (c >= 0x80 && c < 0xc0 && i > 0 &&
                    static_cast<unsigned char>(m_rest[i - 1]) == 0xc3);
        };
        constexpr std::string_view times = "×";
        std::size_t size = 0;
        while (size < m_rest.size()) {
            if (m_rest.substr(size, times.size()) == times)
                break;
            const bool inside = size > 0 && (digitAt(m_rest[size]) ||
                                             (m_rest[size] == '.' && size + 1 < m_rest.size() &&
                                              (letter(size + 1) || digitAt(m_rest[size + 1]))));
            if (!letter(size) && !inside)
                break;
            ++size;
        }
        return m_rest.substr(0, size);
    }

    /// The least or the greatest of what stands in brackets.
    double extreme(bool least)
    {
        double value = sum();
        while (take(",")) {
            const double other = sum();
            value = least ? std::min(value, other) : std::max(value, other);
        }
        if (!take(")"))
            refuse();
        m_lone = false;
        return value;
    }

    double word()
    {
        const std::string name(wordAt());
        if (name.empty()) {
            refuse();
            return 0;
        }
        const std::string_view at = m_rest;
        m_rest.remove_prefix(name.size());
        if ((name == "min" || name == "max") && take("("))
            return extreme(name == "min");
        if (const auto value = m_names(name)) {
            m_lone = false;
            return *value;
        }
        if (const auto value = numberWord(name, m_language)) {
            m_rounding = 0;
            return unit(*value);
        }
        double value = 1; // "pv"
        for (const char letter : name) {
            const auto part = m_names(std::string(1, letter));
            if (!part) {
                m_rest = at;
                refuse();
                return 0;
            }
            value *= *part;
        }
        m_lone = false;
        return value;
    }

    std::string_view m_rest;
    std::string_view m_language;
    const FormulaNames& m_names;
    bool m_lone = true;    // the term is a written number, so far
    double m_rounding = 0; // of the last one
    bool m_failed = false;
    std::string m_wrong;
};

} // namespace

Result<FormulaChain> computeFormula(std::string_view text, std::string_view language,
                                    const FormulaNames& names)
{
    return FormulaReader(text, language, names).run();
}

bool holds(const FormulaTerm& left, Relation relation, const FormulaTerm& right, bool rounded)
{
    // Rates and times are sums of a few binary fractions.
    const double slack = 1e-9 * std::max({1.0, std::abs(left.value), std::abs(right.value)}) +
                         (rounded ? std::max(left.rounding, right.rounding) : 0.0);
    const double more = left.value - right.value;
    switch (relation) {
    case Relation::Equal:
        return std::abs(more) <= slack;
    case Relation::Less:
        return more < 0;
    case Relation::LessEqual:
        return more <= slack;
    case Relation::Greater:
        return more > 0;
    case Relation::GreaterEqual:
        return more >= -slack;
    }
    return false;
}

std::optional<double> numberWord(std::string_view word, std::string_view language)
{
    std::string low(word);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    const auto found =
        std::find_if(numberWords.begin(), numberWords.end(), [&](const NumberWord& known) {
            return known.language == language && known.word == low;
        });
    return found == numberWords.end() ? std::nullopt : std::optional(found->value);
}

bool writesDecimalComma(std::string_view language)
{
    static constexpr std::array<std::string_view, 10> all = {"de", "fr", "es", "it", "nl",
                                                             "pt", "pl", "ru", "sv", "tr"};
    return std::find(all.begin(), all.end(), language) != all.end();
}

} // namespace pw
