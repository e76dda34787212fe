// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/guess.h"

#include "core/lesson/formula.h"
#include "core/lesson/number_mark.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

namespace {

/// The number that stands at the beginning of a text, as long as it can be: "3 ⁄ 7" of "3 ⁄ 7,
/// about 43 %".
std::optional<double> numberAtBegin(std::string_view words)
{
    const FormulaNames none = [](const std::string&) { return std::optional<double>(); };
    for (std::size_t end = words.size();; end = words.rfind(' ', end - 1)) {
        if (end == std::string_view::npos || end == 0)
            return std::nullopt;
        std::string_view part = words.substr(0, end);
        while (!part.empty() && (part.back() == ',' || part.back() == ':' || part.back() == ' '))
            part.remove_suffix(1);
        const auto chain = computeFormula(part, "en", none);
        if (chain && chain->relations.empty())
            return chain->terms.front().value;
    }
}

/// The first number of a text that begins with a digit, behind no letter.
std::optional<double> firstNumber(std::string_view words)
{
    for (std::size_t at = 0; at < words.size(); ++at) {
        const bool digit = words[at] >= '0' && words[at] <= '9';
        if (!digit || (at > 0 && words[at - 1] != ' '))
            continue;
        if (const auto number = numberAtBegin(words.substr(at)))
            return number;
    }
    return std::nullopt;
}

} // namespace

std::optional<Ticks> LessonGuess::timeOf(int answer) const
{
    if (!ofLevel || answer < 0 || answer >= static_cast<int>(answers.size()))
        return std::nullopt;
    return static_cast<Ticks>(
        std::llround(answers[static_cast<std::size_t>(answer)] * static_cast<double>(ticksPerMs)));
}

std::optional<LessonGuess> guessOf(const LessonStep& step, const LessonQuestion& question)
{
    LessonGuess guess;
    for (const LessonText& answer : question.answers) {
        const auto number = firstNumber(answer.in("en"));
        if (!number || *number < 0)
            return std::nullopt;
        guess.answers.push_back(*number);
    }
    if (question.answers.empty() ||
        *std::max_element(guess.answers.begin(), guess.answers.end()) <= 0)
        return std::nullopt;
    const LessonText& right = question.answers[static_cast<std::size_t>(question.right)];
    const auto marks = marksOf(right.writtenIn("en"));
    guess.ofLevel = step.level && step.level->freedom != Freedom::Block && !marks.empty() &&
                    (marks.front().formula == "par.time" || marks.front().formula == "demo.time");
    return guess;
}

std::vector<int> answerOrder(int count, std::uint32_t seed, std::string_view question)
{
    constexpr std::uint32_t prime = 0x01000193; // FNV's, of 32 bits
    std::uint32_t state = seed;
    for (const char letter : question)
        state = (state ^ static_cast<unsigned char>(letter)) * prime;
    const auto next = [&state] { // Mulberry32
        state += 0x6d2b79f5;
        std::uint32_t mixed = (state ^ (state >> 15)) * (state | 1);
        mixed ^= mixed + (mixed ^ (mixed >> 7)) * (mixed | 61);
        return mixed ^ (mixed >> 14);
    };
    std::vector<int> order(static_cast<std::size_t>(std::max(count, 0)));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[(std::uint64_t{next()} * left) >> 32]);
    return order;
}

} // namespace pw
