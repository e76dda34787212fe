// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/lesson/facts.h"
#include "core/lesson/formula.h"
#include "core/lesson/number_mark.h"

#include <algorithm>
#include <set>

namespace pw {

namespace {

/// Names of one mark: those that it brings itself, the figures of what its formula speaks of, and
/// those of the step.
class MarkNames
{
public:
    MarkNames(const StepNames& step, const NumberMark& mark)
        : m_step(step)
        , m_mark(mark)
    {
        const std::size_t point = mark.formula.find('.');
        std::size_t from = std::min(point, mark.formula.size());
        while (from > 0 && std::isalnum(static_cast<unsigned char>(mark.formula[from - 1])) != 0)
            --from;
        m_subject = point == std::string::npos ? "level" : mark.formula.substr(from, point - from);
    }

    /// @error Syntax  of a formula behind ;
    Result<void> readOwn()
    {
        for (const auto& [name, formula] : m_mark.where) {
            PW_TRY(const auto chain, computeFormula(formula, "en", names()));
            m_own.emplace_back(name, chain.terms.front().value);
        }
        return {};
    }

    FormulaNames names() const
    {
        return [this](const std::string& name) -> std::optional<double> {
            for (const auto& [own, value] : m_own)
                if (own == name)
                    return value;
            for (const std::string& whole : {name, m_subject + "." + name, "level." + name})
                if (const auto value = m_step.find(whole))
                    return value;
            return std::nullopt;
        };
    }

private:
    const StepNames& m_step;
    const NumberMark& m_mark;
    std::string m_subject;
    std::vector<std::pair<std::string, double>> m_own;
};

/// What is wrong with a mark; empty: nothing.
std::string wrongWith(const NumberMark& mark, const StepNames& step, std::string_view language)
{
    MarkNames own(step, mark);
    if (const auto read = own.readOwn(); !read)
        return read.error().message;
    const auto shown = computeFormula(mark.shown, language, own.names());
    if (!shown)
        return shown.error().message;
    if (mark.formula.empty() && shown->relations.empty())
        return "nothing says what it has to be";
    for (std::size_t i = 0; i < shown->relations.size(); ++i)
        if (!holds(shown->terms[i], shown->relations[i], shown->terms[i + 1], mark.rounded))
            return plainNumber(shown->terms[i].value, 9) + " and " +
                   plainNumber(shown->terms[i + 1].value, 9) + " are not as it says";
    if (mark.formula.empty())
        return {};
    const auto formula = computeFormula(mark.formula, "en", own.names());
    if (!formula)
        return formula.error().message;
    const FormulaTerm& should = formula->terms.front();
    if (!holds(shown->terms.back(), Relation::Equal, {should.value, 0}, mark.rounded))
        return "it is " + plainNumber(should.value, 9);
    return {};
}

/// A text of a lesson with where it is.
struct PlacedText
{
    const LessonText* text;
    std::string where;
};

std::vector<PlacedText> textsOf(const LessonStep& step)
{
    std::vector<PlacedText> texts = {{&step.title, "title"}, {&step.text, "text"}};
    for (const LessonPicture& picture : step.pictures)
        texts.push_back({&picture.caption, "caption"});
    for (const LessonQuestion& question : step.questions) {
        texts.push_back({&question.ask, "question"});
        texts.push_back({&question.answers[static_cast<std::size_t>(question.right)], "answer"});
        texts.push_back({&question.why, "why"});
    }
    if (step.level) {
        texts.push_back({&step.level->task, "task"});
        texts.push_back({&step.level->hints.say, "first hint"});
        texts.push_back({&step.level->hints.show, "second hint"});
    }
    return texts;
}

std::string placeOf(std::size_t step, const PlacedText& text, const std::string& language)
{
    return "step " + std::to_string(step + 1) + ", " + text.where + " (" + language + "): ";
}

std::multiset<std::string> subjectsOf(const std::string& written)
{
    std::multiset<std::string> subjects;
    for (const NumberMark& mark : marksOf(written))
        subjects.insert(mark.subject());
    return subjects;
}

void checkText(const PlacedText& placed, std::size_t number, const StepNames& names,
               std::vector<std::string>& problems)
{
    for (std::size_t l = 0; l < placed.text->languages.size(); ++l) {
        const std::string& language = placed.text->languages[l].first;
        const std::string written = placed.text->writtenIn(language);
        for (const NumberMark& mark : marksOf(written)) {
            const std::string wrong = wrongWith(mark, names, language);
            if (!wrong.empty())
                problems.push_back(placeOf(number, placed, language) + "the number '" + mark.shown +
                                   "' is wrong: " + wrong);
        }
        if (l > 0 && subjectsOf(written) !=
                         subjectsOf(placed.text->writtenIn(placed.text->languages[0].first)))
            problems.push_back(placeOf(number, placed, language) +
                               "marks other numbers than the text in " +
                               placed.text->languages[0].first);
    }
}

/// Wrong answers that come to the same as the right one.
void checkAnswers(const LessonQuestion& question, std::size_t number, const StepNames& names,
                  std::vector<std::string>& problems)
{
    const auto valueOf = [&](const LessonText& answer) -> std::optional<double> {
        const FormulaNames find = [&](const std::string& name) { return names.find(name); };
        const auto chain = computeFormula(answer.in("en"), "en", find);
        return chain ? std::optional(chain->terms.front().value) : std::nullopt;
    };
    const auto right = valueOf(question.answers[static_cast<std::size_t>(question.right)]);
    for (std::size_t i = 0; right && i < question.answers.size(); ++i)
        if (static_cast<int>(i) != question.right && valueOf(question.answers[i]) == right)
            problems.push_back("step " + std::to_string(number + 1) + ": the answer '" +
                               question.answers[i].in("en") + "' is as right as the right one");
}

} // namespace

std::vector<std::string> checkNumbers(const Lesson& lesson)
{
    std::vector<std::string> problems;
    const LessonStep none;
    checkText({&lesson.summary, "summary"}, 0, StepNames(lesson, none), problems);
    for (std::size_t s = 0; s < lesson.steps.size(); ++s) {
        const StepNames names(lesson, lesson.steps[s]);
        for (const PlacedText& placed : textsOf(lesson.steps[s]))
            checkText(placed, s, names, problems);
        for (const LessonQuestion& question : lesson.steps[s].questions)
            checkAnswers(question, s, names, problems);
    }
    return problems;
}

std::vector<std::string> uncheckedNumbers(const Lesson& lesson)
{
    std::vector<std::string> found;
    for (std::size_t s = 0; s < lesson.steps.size(); ++s)
        for (const PlacedText& placed : textsOf(lesson.steps[s]))
            for (const auto& [language, words] : placed.text->languages)
                for (const std::string& number :
                     bareNumbers(placed.text->writtenIn(language), language))
                    found.push_back(placeOf(s, placed, language) + "nothing checks '" + number +
                                    "'");
    return found;
}

} // namespace pw
