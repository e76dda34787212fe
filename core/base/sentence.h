// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pw {

/// The number of the place that stands at the begin of a text: 1 to 9 for "%1" to "%9", else 0.
constexpr std::size_t placeAt(const char* text)
{
    return text[0] == '%' && text[1] >= '1' && text[1] <= '9'
               ? static_cast<std::size_t>(text[1] - '0')
               : 0;
}

/// The English pattern of a sentence with %1 to %9 where names and numbers stand. It is a literal,
/// so it is the sentence's code, too: what programs look its translation up by, and what
/// `tests/checks/translations.sh` collects. A number of places that is not the number of arguments
/// does not compile.
template<std::size_t places>
class PatternOf
{
public:
    consteval PatternOf(const char* literal) // NOLINT(google-explicit-constructor)
        : m_text(literal)
    {
        std::size_t most = 0, found = 0;
        bool seen[10] = {};
        for (const char* at = literal; *at != '\0'; ++at) {
            const std::size_t place = placeAt(at);
            most = place > most ? place : most;
            found += place != 0 && !seen[place] ? 1 : 0;
            seen[place] = true;
        }
        if (most != places || found != most)
            throw "the places %1, %2, … of a pattern are not as many as its arguments";
    }

    constexpr const char* text() const { return m_text; }

private:
    const char* m_text;
};

/// A pattern for arguments that are known from elsewhere in a call.
template<typename... Arguments>
using Pattern = PatternOf<sizeof...(Arguments)>;

class Argument;

/// What the core says: a pattern and what stands at its places, which may be sentences themselves.
/// So it can be said in any language; its English is made at once. A text that is the same in every
/// language (a path, a number, a name) is a sentence without a pattern.
///
/// Values are immutable and shared: a copy costs a pointer.
class Sentence
{
public:
    Sentence() = default;
    /// A text that is the same in every language.
    Sentence(std::string plain);      // NOLINT(google-explicit-constructor)
    Sentence(std::string_view plain); // NOLINT(google-explicit-constructor)
    Sentence(const char* plain);      // NOLINT(google-explicit-constructor)
    Sentence(const char* pattern, std::initializer_list<Argument> arguments);

    const std::string& english() const;
    /// Null for a text that is the same in every language.
    const char* pattern() const { return m_parts ? m_parts->pattern : nullptr; }
    std::span<const Sentence> arguments() const;
    bool empty() const { return english().empty(); }
    const char* c_str() const { return english().c_str(); }

    operator const std::string&() const { return english(); } // NOLINT(google-explicit-constructor)
    operator std::string_view() const { return english(); }   // NOLINT(google-explicit-constructor)

    friend bool operator==(const Sentence& left, const Sentence& right)
    {
        return left.english() == right.english();
    }
    friend std::ostream& operator<<(std::ostream& out, const Sentence& sentence)
    {
        return out << sentence.english();
    }

private:
    struct Parts
    {
        std::string english;
        const char* pattern = nullptr;
        std::vector<Sentence> arguments;
    };

    std::shared_ptr<const Parts> m_parts;
};

/// What can stand at a place as a number.
template<typename T>
concept WholeNumber = std::convertible_to<T, std::int64_t> && !std::floating_point<T> &&
                      !std::same_as<T, bool> && !std::same_as<T, char> && !std::is_pointer_v<T>;

/// What stands at a place, for the length of a call: it refers to the text that it is made of.
/// Nothing is computed here, since more than a thousand calls make some.
class Argument
{
public:
    template<WholeNumber T>
    constexpr Argument(const T& number) // NOLINT(google-explicit-constructor)
        : m_number(static_cast<std::int64_t>(number))
        , m_kind(std::unsigned_integral<T> ? Kind::Unsigned : Kind::Whole)
    {
    }
    template<typename T>
    requires(!WholeNumber<T> && std::convertible_to<const T&, std::string_view> &&
             !std::same_as<T, Sentence>) constexpr Argument(const T& text) // NOLINT
        : m_text(text)
    {
    }
    constexpr Argument(const Sentence& sentence) // NOLINT(google-explicit-constructor)
        : m_sentence(&sentence)
        , m_kind(Kind::Sentence)
    {
    }

    Sentence sentence() const;

private:
    enum class Kind
    {
        Whole,
        Unsigned,
        Text,
        Sentence
    };

    std::string_view m_text;
    const Sentence* m_sentence = nullptr;
    std::int64_t m_number = 0;
    Kind m_kind = Kind::Text;
};

/// `said("device %1 has no entry %2", device, entry)`: whole numbers, texts, and other sentences.
/// A fraction goes through the function that says how it is rounded (`plainNumber`).
template<typename... Arguments>
Sentence said(Pattern<Arguments...> pattern, const Arguments&... arguments)
{
    return {pattern.text(), std::initializer_list<Argument>{arguments...}};
}

/// A number with its thing, one or many: `counted(stages, "%1 stage", "%1 stages")`.
Sentence counted(std::int64_t count, Pattern<std::int64_t> one, Pattern<std::int64_t> many);

/// Why the system refused, by its number (`errno`).
Sentence systemSentence(int reason);

/// Joined to a plain text: for what is read in English alone.
inline std::string operator+(const std::string& text, const Sentence& sentence)
{
    return text + sentence.english();
}
inline std::string operator+(const Sentence& sentence, const std::string& text)
{
    return sentence.english() + text;
}

} // namespace pw
