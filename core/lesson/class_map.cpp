// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/class_map.h"

#include "core/base/medians.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

ClassMark markOf(const LevelResult& result)
{
    if (!result.solved)
        return ClassMark::Tried;
    return result.hints > 0 ? ClassMark::Helped : ClassMark::Solved;
}

/// The levels that any person has a result of.
std::vector<ClassLevel> levelsOf(std::span<const LessonResults> all)
{
    std::map<std::pair<std::string, int>, ClassLevel> levels;
    std::map<std::pair<std::string, int>, std::vector<int>> tries;
    for (std::size_t person = 0; person < all.size(); ++person) {
        for (const LevelResult& result : all[person].levels) {
            const std::pair key{result.lesson, result.level};
            ClassLevel& level = levels[key];
            level.lesson = result.lesson;
            level.level = result.level;
            level.marks.resize(all.size(), ClassMark::None);
            level.marks[person] = markOf(result);
            ++level.reached;
            level.solved += result.solved ? 1 : 0;
            level.hints += result.hints;
            if (result.solved)
                tries[key].push_back(result.tries);
        }
    }
    std::vector<ClassLevel> sorted;
    for (auto& [key, level] : levels) {
        level.medianTries = medianOf(tries[key]);
        sorted.push_back(std::move(level));
    }
    return sorted;
}

std::vector<ClassQuestion> questionsOf(std::span<const LessonResults> all)
{
    std::map<std::tuple<std::string, int, int>, std::map<int, int>> wrong;
    std::map<std::tuple<std::string, int, int>, ClassQuestion> questions;
    for (const LessonResults& person : all) {
        for (const AnswerResult& answer : person.answers) {
            const std::tuple key{answer.lesson, answer.step, answer.question};
            ClassQuestion& question = questions[key];
            std::tie(question.lesson, question.step, question.question) = key;
            ++question.asked;
            if (answer.right)
                ++question.right;
            else
                ++wrong[key][answer.chosen];
        }
    }
    std::vector<ClassQuestion> sorted;
    for (auto& [key, question] : questions) {
        for (const auto& [chosen, times] : wrong[key]) {
            if (times <= question.times)
                continue;
            question.commonest = chosen;
            question.times = times;
        }
        sorted.push_back(std::move(question));
    }
    return sorted;
}

} // namespace

std::vector<ClassLevel> ClassMap::worst(std::size_t most) const
{
    std::vector<ClassLevel> stuck;
    std::copy_if(levels.begin(), levels.end(), std::back_inserter(stuck),
                 [](const ClassLevel& level) { return level.stuck() > 0; });
    std::stable_sort(stuck.begin(), stuck.end(), [](const ClassLevel& a, const ClassLevel& b) {
        return a.stuck() > b.stuck();
    });
    if (stuck.size() > most)
        stuck.erase(stuck.begin() + static_cast<std::ptrdiff_t>(most), stuck.end());
    return stuck;
}

ClassMap classMapOf(std::span<const LessonResults> all)
{
    ClassMap map;
    for (std::size_t i = 0; i < all.size(); ++i)
        map.people.push_back(all[i].who.empty() ? std::to_string(i + 1) : all[i].who);
    map.levels = levelsOf(all);
    map.questions = questionsOf(all);
    return map;
}

} // namespace pw
