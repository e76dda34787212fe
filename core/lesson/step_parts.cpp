// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/step_parts.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/lesson/act_lines.h"
#include "core/lesson/lesson_json.h"
#include "core/lesson/step_stand.h"

#include <algorithm>
#include <cstdlib>

namespace pw {

namespace {

std::string oneLine(const JsonValue& value)
{
    JsonText json;
    copyJson(json, value);
    std::string text = json.text();
    std::string line;
    for (const char c : text)
        if (c != '\n')
            line += c;
    return line;
}

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string> wordsOf(std::string_view line)
{
    std::vector<std::string> words;
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        const std::size_t end = std::min(line.find(' '), line.size());
        words.emplace_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return words;
}

/// The element of a list that a line means.
class LineReader
{
public:
    explicit LineReader(JsonPool& pool)
        : m_pool(pool)
    {
    }

    JsonValue string(std::string_view text)
    {
        return JsonValue(text.data(), static_cast<rapidjson::SizeType>(text.size()), m_pool);
    }

    /// A number, or the word itself.
    JsonValue scalar(const std::string& word)
    {
        const auto number = parseDecimal(word);
        return number ? JsonValue(*number) : string(word);
    }

    Result<JsonValue> raw(const std::string& line)
    {
        PW_TRY(const auto document, parseJson(line, maxLessonBytes));
        return JsonValue(document, m_pool);
    }

    Result<JsonValue> goal(const std::string& line)
    {
        if (line.front() == '{')
            return raw(line);
        const auto words = wordsOf(line);
        if (words.size() > 2)
            return fail(ErrorCode::BadValue,
                        "%1 is not a goal: a name, and a number where it has one", inQuotes(line));
        JsonValue goal(rapidjson::kObjectType);
        goal.AddMember(string(words.front()),
                       words.size() == 1 ? JsonValue(true) : scalar(words[1]), m_pool);
        return goal;
    }

    Result<JsonValue> act(const std::string& line) { return actOf(line, m_pool); }

    Result<JsonValue> choice(const std::string& line)
    {
        if (line.front() == '{')
            return raw(line);
        const auto words = wordsOf(line);
        JsonValue choice(rapidjson::kObjectType);
        JsonValue counts(rapidjson::kArrayType), options(rapidjson::kObjectType);
        choice.AddMember("family", string(words.front()), m_pool);
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::size_t equal = words[i].find('=');
            const auto count = parseNumber(words[i]);
            if (equal != std::string::npos)
                options.AddMember(string(words[i].substr(0, equal)),
                                  scalar(words[i].substr(equal + 1)), m_pool);
            else if (count)
                counts.PushBack(JsonValue(static_cast<int>(*count)), m_pool);
            else
                return fail(
                    ErrorCode::BadValue,
                    "%1 is not a choice: a family, numbers of micro-batches, and options as "
                    "chunks=2",
                    inQuotes(line));
        }
        if (!options.ObjectEmpty())
            choice.AddMember("options", options, m_pool);
        if (!counts.Empty())
            choice.AddMember("micro_batches", counts, m_pool);
        return choice;
    }

private:
    static std::optional<double> parseDecimal(const std::string& word)
    {
        char* end = nullptr;
        const double number = std::strtod(word.c_str(), &end);
        return end == word.c_str() + word.size() && !word.empty() ? std::optional(number)
                                                                  : std::nullopt;
    }

    JsonPool& m_pool;
};

std::string goalLine(const JsonValue& goal)
{
    const bool plain = goal.MemberCount() == 1 &&
                       (goal.MemberBegin()->value.IsNumber() || goal.MemberBegin()->value.IsTrue());
    if (!plain)
        return oneLine(goal);
    const std::string name(viewOf(goal.MemberBegin()->name));
    const JsonValue& value = goal.MemberBegin()->value;
    return value.IsTrue() ? name : name + " " + plainNumber(value.GetDouble(), 9);
}

std::string choiceLine(const JsonValue& choice)
{
    std::string line;
    std::string counts;
    std::string options;
    for (const auto& member : choice.GetObject()) {
        const std::string_view name = viewOf(member.name);
        if (name == "family") {
            line = viewOf(member.value);
        } else if (name == "micro_batches" && member.value.IsArray()) {
            for (const JsonValue& count : member.value.GetArray())
                counts += " " + std::to_string(count.GetInt64());
        } else if (name == "options") {
            for (const auto& one : member.value.GetObject())
                options += " " + std::string(viewOf(one.name)) + "=" +
                           (one.value.IsString() ? std::string(viewOf(one.value))
                                                 : plainNumber(one.value.GetDouble(), 9));
        } else {
            return oneLine(choice);
        }
    }
    return line + counts + options;
}

std::string textIn(const JsonValue& text, std::string_view language)
{
    if (text.IsString())
        return std::string(viewOf(text));
    for (const auto& member : text.GetObject())
        if (viewOf(member.name) == language)
            return std::string(viewOf(member.value));
    return std::string(viewOf(text.MemberBegin()->value));
}

std::string questionLines(const JsonValue& questions, std::string_view language)
{
    std::string lines;
    for (const JsonValue& question : questions.GetArray()) {
        lines += (lines.empty() ? "" : "\n") + textIn(question["ask"], language) + "\n";
        int number = 0;
        for (const JsonValue& answer : question["answers"].GetArray())
            lines += (number++ == question["right"].GetInt() ? "+ " : "- ") +
                     textIn(answer, language) + "\n";
        lines += "= " + textIn(question["why"], language) + "\n";
    }
    return lines;
}

/// Writes lines over what a step has.
class PartWriter
{
public:
    PartWriter(JsonDocument& document, JsonValue& step, std::string_view language)
        : m_document(document)
        , m_step(step)
        , m_language(language)
        , m_lines(document.GetAllocator())
    {
    }

    Result<void> questions(const std::string& text)
    {
        JsonPool& pool = m_document.GetAllocator();
        JsonValue before(rapidjson::kArrayType);
        if (m_step.HasMember("questions"))
            before = m_step["questions"];
        JsonValue made(rapidjson::kArrayType);
        std::vector<std::string> block;
        auto lines = linesOf(text);
        lines.emplace_back();
        for (const std::string& line : lines) {
            if (!line.empty()) {
                block.push_back(line);
                continue;
            }
            if (block.empty())
                continue;
            JsonValue old(rapidjson::kObjectType);
            if (made.Size() < before.Size())
                old = before[made.Size()];
            PW_TRY(JsonValue question, questionOf(block, std::move(old)));
            made.PushBack(question, pool);
            block.clear();
        }
        m_step.RemoveMember("questions");
        if (!made.Empty())
            m_step.AddMember("questions", made, pool);
        return {};
    }

    template<typename Read>
    Result<void> list(const char* name, const std::string& text, Read read)
    {
        JsonValue list(rapidjson::kArrayType);
        for (const std::string& line : linesOf(text)) {
            if (line.empty())
                continue;
            PW_TRY(JsonValue one, (m_lines.*read)(line));
            list.PushBack(one, m_document.GetAllocator());
        }
        set(name, std::move(list));
        return {};
    }

    /// Acts, or the block that all of them come to.
    Result<void> acts(const std::string& text)
    {
        PW_DO(list("demonstration", text, &LineReader::act));
        JsonValue& made = m_step["level"]["demonstration"];
        if (made.Size() == 1 && !made[0].HasMember("do")) {
            JsonValue whole(rapidjson::kNullType);
            whole = made[0];
            set("demonstration", std::move(whole));
        }
        // The third hint does no more than there is.
        JsonValue& level = m_step["level"];
        if (level.HasMember("hints") && level["hints"].HasMember("do")) {
            const int most = made.IsArray() ? static_cast<int>(made.Size()) : 1;
            JsonValue& steps = level["hints"]["do"];
            if (steps.IsInt() && steps.GetInt() > most)
                steps = JsonValue(most);
        }
        return {};
    }

    void passes(const std::string& text)
    {
        JsonValue list(rapidjson::kArrayType);
        for (const std::string& word : wordsOf(text))
            list.PushBack(m_lines.string(word), m_document.GetAllocator());
        set("passes", std::move(list));
    }

    void par(const LessonPar& par)
    {
        JsonPool& pool = m_document.GetAllocator();
        JsonValue object(rapidjson::kObjectType);
        const bool block = m_step["level"].HasMember("free") &&
                           viewOf(m_step["level"]["free"]) == "block" && !par.repeated;
        if (par.time && block)
            object.AddMember("interval", JsonValue(static_cast<std::int64_t>(*par.time)), pool);
        else if (par.time)
            object.AddMember("time_ms", JsonValue(msFromTicks(*par.time)), pool);
        if (par.memory)
            object.AddMember("memory", JsonValue(microBatchesFromShare(*par.memory)), pool);
        if (!par.curve.empty()) {
            JsonValue curve(rapidjson::kArrayType);
            for (const auto& [time, memory] : par.curve) {
                JsonValue point(rapidjson::kObjectType);
                point.AddMember("time_ms", JsonValue(msFromTicks(time)), pool);
                point.AddMember("memory", JsonValue(microBatchesFromShare(memory)), pool);
                curve.PushBack(point, pool);
            }
            object.AddMember("curve", curve, pool);
        }
        if (par.messages)
            object.AddMember("messages", JsonValue(*par.messages), pool);
        if (object.ObjectEmpty())
            m_step["level"].RemoveMember("par");
        else
            set("par", std::move(object));
    }

    const LineReader& lines() const { return m_lines; }

private:
    void set(const char* name, JsonValue value)
    {
        JsonValue& level = m_step["level"];
        level.RemoveMember(name);
        level.AddMember(JsonValue(name, m_document.GetAllocator()), value,
                        m_document.GetAllocator());
    }

    /// A question of its lines; words of other languages stay where it had them.
    Result<JsonValue> questionOf(const std::vector<std::string>& block, JsonValue question)
    {
        JsonPool& pool = m_document.GetAllocator();
        JsonValue before(rapidjson::kArrayType), answers(rapidjson::kArrayType);
        if (question.HasMember("answers"))
            before = question["answers"];
        std::optional<std::string> ask, why;
        int right = -1;
        for (const std::string& line : block) {
            const std::string rest(trimmed(std::string_view(line).substr(1)));
            if (line.front() == '=') {
                why = rest;
            } else if (line.front() == '-' || line.front() == '+') {
                if (line.front() == '+')
                    right = static_cast<int>(answers.Size());
                JsonValue holder(rapidjson::kObjectType);
                if (answers.Size() < before.Size())
                    holder.AddMember("answer", before[answers.Size()], pool);
                setWords(m_document, holder, "answer", rest, m_language);
                answers.PushBack(holder["answer"], pool);
            } else {
                ask = ask ? *ask + " " + line : line;
            }
        }
        if (!ask || !why || right < 0)
            return fail(ErrorCode::BadValue,
                        "the question %1 needs its own line, an answer behind '+', others behind "
                        "'-', and a reason behind '='",
                        inQuotes(block.front()));
        setWords(m_document, question, "ask", ask, m_language);
        setWords(m_document, question, "why", why, m_language);
        question.RemoveMember("answers");
        question.RemoveMember("right");
        question.AddMember("answers", answers, pool);
        question.AddMember("right", JsonValue(right), pool);
        return question;
    }

    JsonDocument& m_document;
    JsonValue& m_step;
    std::string_view m_language;
    LineReader m_lines;
};

Result<JsonValue*> stepOf(JsonDocument& document, std::size_t step)
{
    JsonValue& steps = document["steps"];
    if (step >= steps.Size())
        return fail(ErrorCode::BadValue, "the lesson has %1 steps, and none of number %2",
                    steps.Size(), step + 1);
    return &steps[static_cast<rapidjson::SizeType>(step)];
}

} // namespace

namespace {

/// A demonstration that is given as whole orders is the acts that place them.
std::string demonstrationLines(const JsonValue& demonstration, const LessonLevel& level)
{
    std::string lines;
    if (demonstration.IsArray()) {
        for (const JsonValue& act : demonstration.GetArray())
            lines += actLine(act) + "\n";
    } else if (level.freedom == Freedom::Block) {
        lines = actLine(demonstration) + "\n";
    } else {
        for (const LessonAct& act : level.demonstration) {
            if (act.kind == LessonAct::Kind::Clear)
                lines += "clear\n";
            else
                lines += "place " + std::to_string(static_cast<int>(act.device)) + " " +
                         act.passes + "\n";
        }
    }
    return lines;
}

} // namespace

Result<StepParts> stepParts(std::string_view lesson, std::size_t step, std::string_view language)
{
    PW_TRY(const Lesson read, readLesson(lesson, "lesson"));
    auto document = parseJson(lesson, maxLessonBytes);
    PW_TRY(const JsonValue* found, stepOf(*document, step));
    StepParts parts;
    parts.questions =
        found->HasMember("questions") ? questionLines((*found)["questions"], language) : "";
    if (!found->HasMember("level"))
        return parts;
    const JsonValue& level = (*found)["level"];
    parts.goals.emplace();
    for (const JsonValue& goal : level["goals"].GetArray())
        *parts.goals += goalLine(goal) + "\n";
    const std::string_view free = level.HasMember("free") ? viewOf(level["free"]) : "order";
    if (free == "order") {
        parts.passes = level.HasMember("passes") ? "" : "F BW";
        if (level.HasMember("passes"))
            for (const JsonValue& kind : level["passes"].GetArray())
                *parts.passes += (parts.passes->empty() ? "" : " ") + std::string(viewOf(kind));
    }
    if (free == "choice") {
        parts.choices.emplace();
        for (const JsonValue& choice : level["choices"].GetArray())
            *parts.choices += choiceLine(choice) + "\n";
    }
    parts.acts = demonstrationLines(level["demonstration"], *read.steps[step].level);
    return parts;
}

Result<std::string> actLinesBetween(const LessonLevel& level, const Project& before,
                                    const Project& after)
{
    JsonDocument document;
    PW_TRY(const JsonValue acts, actsBetween(document, level, before, after));
    std::string lines;
    for (const JsonValue& act : acts.GetArray())
        lines += actLine(act) + "\n";
    return lines;
}

Result<std::string> withParts(std::string_view lesson, std::size_t step, const StepParts& parts,
                              std::string_view language)
{
    PW_TRY(const Lesson before, readLesson(lesson, "lesson"));
    auto document = parseJson(lesson, maxLessonBytes);
    PW_TRY(JsonValue * found, stepOf(*document, step));
    PartWriter writer(*document, *found, language);
    if (parts.questions)
        PW_DO(writer.questions(*parts.questions));
    const bool ofLevel = parts.goals || parts.passes || parts.choices || parts.acts ||
                         parts.start || parts.demonstration || parts.par;
    if (ofLevel && !found->HasMember("level"))
        return fail(ErrorCode::BadValue, "step %1 has no level", step + 1);
    if (parts.goals)
        PW_DO(writer.list("goals", *parts.goals, &LineReader::goal));
    if (parts.passes)
        writer.passes(*parts.passes);
    if (parts.choices)
        PW_DO(writer.list("choices", *parts.choices, &LineReader::choice));
    if (parts.acts)
        PW_DO(writer.acts(*parts.acts));
    if (parts.start)
        PW_DO(setStart(*document, (*found)["level"], *before.steps[step].level, *parts.start));
    if (parts.demonstration)
        PW_DO(setDemonstration(*document, (*found)["level"], *before.steps[step].level,
                               *parts.demonstration));
    if (parts.par)
        writer.par(*parts.par);
    JsonText json;
    copyJson(json, *document);
    std::string text = json.text();
    PW_DO(readLesson(text, "lesson"));
    return text;
}

Result<StepCheck> checkStep(std::string_view lesson, std::size_t step, std::int64_t mostNodes)
{
    PW_TRY(Lesson read, readLesson(lesson, "lesson"));
    if (step >= read.steps.size() || !read.steps[step].level)
        return fail(ErrorCode::BadValue, "step %1 has no level", step + 1);
    StepCheck check;
    LessonLevel& level = *read.steps[step].level;
    if (const auto proof = provePar(level, level.par, mostNodes); proof && proof->proven) {
        level.par = proof->least;
        check.par = proof->least;
    }
    check.problems = checkLevel(level, mostNodes).problems;
    return check;
}

} // namespace pw
