// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/data.h"

#include "core/base/assert.h"
#include "executor/model/random.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pw::exec {

namespace {

/// Tokens of one class: `count` of them from `first` on.
struct Words
{
    int first = 0;
    int count = 0;
};

enum SpecialWord : int
{
    FullStop,
    Say,
    Again,
    Count,
    That,
    SpecialWords
};

constexpr int singular = 0;
constexpr int plural = 1;

/// The word classes of a vocabulary, in the order of their tokens.
struct Lexicon
{
    static constexpr int leastVocabulary = 14;
    static constexpr int englishVocabulary = 64;

    Words numbers;
    std::array<Words, 2> determiners; ///< singular, plural
    Words adjectives;
    std::array<Words, 2> nouns;
    std::array<Words, 2> verbs;

    explicit Lexicon(int vocabulary)
    {
        const std::int64_t open = vocabulary - SpecialWords;
        constexpr std::int64_t english = englishVocabulary - SpecialWords;
        auto share = [&](std::int64_t ofEnglish, std::int64_t least, std::int64_t most) {
            return static_cast<int>(std::clamp(open * ofEnglish / english, least, most));
        };
        int next = SpecialWords;
        auto words = [&](int count) {
            const Words made{next, count};
            next += count;
            return made;
        };
        const int numberCount = share(9, 2, 9);
        const int determinerCount = share(3, 1, 3);
        const int nounCount = share(10, 1, open);
        const int verbCount = share(7, 1, open);
        numbers = words(numberCount);
        determiners = {words(determinerCount), words(determinerCount)};
        adjectives = words(static_cast<int>(open) - numberCount -
                           2 * (determinerCount + nounCount + verbCount));
        nouns = {words(nounCount), words(nounCount)};
        verbs = {words(verbCount), words(verbCount)};
        PW_ASSERT(adjectives.count > 0 && next == vocabulary);
    }
};

constexpr std::array<std::string_view, Lexicon::englishVocabulary> englishWords = {
    ".",      "say",   "again", "count",    "that",   "one",   "two",     "three", "four",  "five",
    "six",    "seven", "eight", "nine",     "a",      "every", "this",    "many",  "some",  "these",
    "big",    "small", "red",   "old",      "young",  "quick", "slow",    "quiet", "happy", "wise",
    "cat",    "dog",   "bird",  "child",    "horse",  "fox",   "mouse",   "owl",   "cow",   "duck",
    "cats",   "dogs",  "birds", "children", "horses", "foxes", "mice",    "owls",  "cows",  "ducks",
    "chases", "sees",  "likes", "fears",    "finds",  "helps", "follows", "chase", "see",   "like",
    "fear",   "find",  "help",  "follow"};

/// Puts tokens down. Every choice shows in the token that follows it, so what the grammar did can
/// be read off the text.
class Writer
{
public:
    Writer(std::uint64_t seed, std::int64_t index, int length)
        : m_random(scramble(seed) + static_cast<std::uint64_t>(index))
        , m_length(static_cast<std::size_t>(length))
    {
        m_tokens.reserve(m_length);
    }

    bool full() const { return m_tokens.size() >= m_length; }

    /// One of n, all alike.
    int any(int n) { return m_random.below(n); }
    /// True once in n.
    bool once(int n) { return m_random.below(n) == 0; }
    /// One of n, the first ones more often: the lesser of two.
    int favoured(int n) { return std::min(m_random.below(n), m_random.below(n)); }
    /// One of n: `favourite`, but for one time in so many, when it is any.
    int mostly(int favourite, int slips, int n)
    {
        return m_random.below(slips) == 0 ? m_random.below(n) : favourite;
    }

    void put(int token)
    {
        if (!full())
            m_tokens.push_back(token);
    }

    std::vector<std::int32_t> takeTokens() { return std::move(m_tokens); }

private:
    RandomSequence m_random;
    std::size_t m_length = 0;
    std::vector<std::int32_t> m_tokens;
};

/// A determiner, perhaps an adjective, and the noun that `noun` chooses; returns which.
template<typename ChooseNoun>
int putNounPhrase(Writer& writer, const Lexicon& lexicon, std::size_t number, ChooseNoun noun)
{
    const Words& determiners = lexicon.determiners[number];
    writer.put(determiners.first + writer.any(determiners.count));
    if (writer.once(2))
        writer.put(lexicon.adjectives.first + writer.favoured(lexicon.adjectives.count));
    const int chosen = noun();
    writer.put(lexicon.nouns[number].first + chosen);
    return chosen;
}

/// Every noun does only a few of the things there are.
int putVerb(Writer& writer, const Lexicon& lexicon, std::size_t number, int noun)
{
    const Words& verbs = lexicon.verbs[number];
    const int verb = (noun + writer.any(std::min(3, verbs.count))) % verbs.count;
    writer.put(verbs.first + verb);
    return verb;
}

void putStatement(Writer& writer, const Lexicon& lexicon)
{
    const int nounCount = lexicon.nouns[singular].count;
    auto anyNoun = [&] { return writer.favoured(nounCount); };
    auto anyNumber = [&] { return static_cast<std::size_t>(writer.any(2)); };

    const std::size_t number = anyNumber();
    const int subject = putNounPhrase(writer, lexicon, number, anyNoun);
    if (writer.once(4)) {
        writer.put(That);
        const std::size_t otherNumber = anyNumber();
        const int other = putNounPhrase(writer, lexicon, otherNumber, anyNoun);
        putVerb(writer, lexicon, otherNumber, other);
    }
    const int verb = putVerb(writer, lexicon, number, subject);
    // Every verb is done to few nouns only.
    putNounPhrase(writer, lexicon, anyNumber(), [&] {
        return static_cast<int>(
            (3 * static_cast<std::int64_t>(verb) + writer.any(std::min(2, nounCount))) % nounCount);
    });
    writer.put(FullStop);
}

void putCopying(Writer& writer, const Lexicon& lexicon)
{
    constexpr int fewest = 2;
    constexpr int most = 4;
    std::array<int, most> words{};
    writer.put(Say);
    int count = 0;
    while (count < fewest || (count < most && !writer.once(most - count + 1))) {
        const int word = lexicon.adjectives.first + writer.favoured(lexicon.adjectives.count);
        words[static_cast<std::size_t>(count++)] = word;
        writer.put(word);
    }
    writer.put(Again);
    for (int i = 0; i < count; ++i)
        writer.put(words[static_cast<std::size_t>(i)]);
    writer.put(FullStop);
}

void putCounting(Writer& writer, const Lexicon& lexicon)
{
    writer.put(Count);
    const int last = writer.any(lexicon.numbers.count);
    writer.put(lexicon.numbers.first + last);
    for (int i = 0; i <= last; ++i)
        writer.put(lexicon.numbers.first + i);
    writer.put(FullStop);
}

void putSentence(Writer& writer, const Lexicon& lexicon)
{
    if (writer.once(2))
        putStatement(writer, lexicon);
    else if (writer.once(2))
        putCopying(writer, lexicon);
    else
        putCounting(writer, lexicon);
}

/// The language of a vocabulary that is too small for words.
void putNumbers(Writer& writer, int vocabulary)
{
    int token = writer.any(vocabulary);
    writer.put(token);
    while (!writer.full()) {
        token = writer.mostly((token + 1) % vocabulary, 8, vocabulary);
        writer.put(token);
    }
}

Writer write(std::uint64_t seed, std::int64_t index, int length, int vocabulary)
{
    PW_ASSERT(length >= 1 && vocabulary >= 2);
    Writer writer(seed, index, length);
    if (vocabulary < Lexicon::leastVocabulary) {
        putNumbers(writer, vocabulary);
        return writer;
    }
    const Lexicon lexicon(vocabulary);
    while (!writer.full())
        putSentence(writer, lexicon);
    return writer;
}

std::string wordOf(int token, const Lexicon& lexicon)
{
    constexpr std::array<std::string_view, SpecialWords> special = {".", "say", "again", "count",
                                                                    "that"};
    if (token < SpecialWords)
        return std::string(special[static_cast<std::size_t>(token)]);
    auto numbered = [token](const Words& words, std::string_view name) {
        return std::string(name) + std::to_string(token - words.first);
    };
    if (token >= lexicon.verbs[plural].first)
        return numbered(lexicon.verbs[plural], "verb");
    if (token >= lexicon.verbs[singular].first)
        return numbered(lexicon.verbs[singular], "verbs");
    if (token >= lexicon.nouns[plural].first)
        return numbered(lexicon.nouns[plural], "nouns");
    if (token >= lexicon.nouns[singular].first)
        return numbered(lexicon.nouns[singular], "noun");
    if (token >= lexicon.adjectives.first)
        return numbered(lexicon.adjectives, "adjective");
    if (token >= lexicon.determiners[plural].first)
        return numbered(lexicon.determiners[plural], "some");
    if (token >= lexicon.determiners[singular].first)
        return numbered(lexicon.determiners[singular], "a");
    return std::to_string(token - lexicon.numbers.first + 1);
}

} // namespace

std::vector<std::int32_t> sample(std::uint64_t seed, std::int64_t index, int length, int vocabulary)
{
    return write(seed, index, length, vocabulary).takeTokens();
}

std::string textOf(std::span<const std::int32_t> tokens, int vocabulary)
{
    std::string text;
    for (const std::int32_t token : tokens) {
        if (!text.empty())
            text += ' ';
        if (token < 0 || token >= vocabulary)
            text += '?';
        else if (vocabulary == Lexicon::englishVocabulary)
            text += englishWords[static_cast<std::size_t>(token)];
        else if (vocabulary < Lexicon::leastVocabulary)
            text += std::to_string(token);
        else
            text += wordOf(token, Lexicon(vocabulary));
    }
    return text;
}

} // namespace pw::exec
