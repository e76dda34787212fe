// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/act_lines.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/lesson/lesson_json.h"

#include <algorithm>
#include <array>
#include <vector>

namespace pw {

namespace {

/// What stands behind the name of an act, in the sequence of a line.
struct ActShape
{
    std::string_view name;
    std::array<std::string_view, 3> fields; ///< in the words of a file; empty: no more
};

constexpr std::string_view passesField = "passes", placeField = "at";

constexpr std::array<ActShape, 10> actShapes = {{{"place", {"device", passesField, placeField}},
                                                 {"move", {"device", "from", "to"}},
                                                 {"remove", {"device", "from"}},
                                                 {"clear", {}},
                                                 {"reorder", {}},
                                                 {"shift", {passesField, "by"}},
                                                 {"interval", {"value"}},
                                                 {"stamp", {"micro_batches"}},
                                                 {"layer", {"from", "to"}},
                                                 {"toggle", {"device", passesField}}}};

const ActShape* shapeOf(std::string_view name)
{
    const auto* found = std::find_if(actShapes.begin(), actShapes.end(),
                                     [&](const ActShape& one) { return one.name == name; });
    return found == actShapes.end() ? nullptr : found;
}

std::string valueText(const JsonValue& value)
{
    return value.IsString() ? std::string(viewOf(value)) : plainNumber(value.GetDouble(), 9);
}

std::vector<std::string> actWordsOf(std::string_view line)
{
    std::vector<std::string> words;
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        const std::size_t end = std::min(line.find(' '), line.size());
        words.emplace_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return words;
}

Error noAct(std::string_view line)
{
    return {
        ErrorCode::BadValue,
        said("%1 is no act; place 0 F0 at 2, move 0 3 1, remove 0 3, shift 1:B0.1 -2, interval 6, "
             "layer 0 1, toggle 0 F3, clear, or JSON",
             inQuotes(line))};
}

/// The words of a line as the fields of its act.
class ActFields
{
public:
    ActFields(const ActShape& shape, std::vector<std::string> words, JsonPool& pool)
        : m_shape(shape)
        , m_words(std::move(words))
        , m_pool(pool)
    {
    }

    /// @return  false where the words are others than the act has
    bool read(JsonValue& act)
    {
        m_at = 1;
        for (const std::string_view field : m_shape.fields) {
            if (field.empty())
                break;
            if (field == placeField ? !place(act) : !one(act, field))
                return false;
        }
        return m_at == m_words.size();
    }

private:
    bool place(JsonValue& act)
    {
        if (m_at + 2 != m_words.size() || m_words[m_at] != placeField)
            return m_at == m_words.size();
        ++m_at;
        return number(act, placeField);
    }

    bool one(JsonValue& act, std::string_view field)
    {
        if (field != passesField)
            return number(act, field);
        std::string passes;
        const bool several = m_shape.name == "place";
        while (m_at < m_words.size() && m_words[m_at] != placeField && (several || passes.empty()))
            passes += (passes.empty() ? "" : " ") + m_words[m_at++];
        add(act, field, text(passes));
        return !passes.empty();
    }

    bool number(JsonValue& act, std::string_view field)
    {
        if (m_at >= m_words.size())
            return false;
        std::string_view word = m_words[m_at++];
        const bool less = !word.empty() && word.front() == '-';
        word.remove_prefix(less ? 1 : 0);
        const auto read = parseNumber(word);
        if (read)
            add(act, field, JsonValue(less ? -*read : *read));
        return read.has_value();
    }

    JsonValue text(std::string_view words)
    {
        return JsonValue(words.data(), static_cast<rapidjson::SizeType>(words.size()), m_pool);
    }
    void add(JsonValue& act, std::string_view field, JsonValue value)
    {
        act.AddMember(text(field), value, m_pool);
    }

    const ActShape& m_shape;
    std::vector<std::string> m_words;
    JsonPool& m_pool;
    std::size_t m_at = 1;
};

} // namespace

std::string actLine(const JsonValue& act)
{
    const ActShape* shape = act.HasMember("do") ? shapeOf(viewOf(act["do"])) : nullptr;
    std::string line(shape != nullptr ? shape->name : std::string_view());
    rapidjson::SizeType known = 1;
    for (const std::string_view field : shape != nullptr ? shape->fields : ActShape{}.fields) {
        const auto found = act.FindMember(std::string(field).c_str());
        if (field.empty() || found == act.MemberEnd())
            continue;
        ++known;
        line += (field == placeField ? " at " : " ") + valueText(found->value);
    }
    if (shape != nullptr && known == act.MemberCount())
        return line;
    JsonText json;
    copyJson(json, act);
    std::string all = json.text();
    all.erase(std::remove(all.begin(), all.end(), '\n'), all.end());
    return all;
}

Result<JsonValue> actOf(std::string_view line, JsonPool& pool)
{
    line = trimmed(line);
    if (!line.empty() && line.front() == '{') {
        PW_TRY(const auto document, parseJson(line, maxLessonBytes));
        return JsonValue(document, pool);
    }
    auto words = actWordsOf(line);
    const ActShape* shape = words.empty() ? nullptr : shapeOf(words.front());
    if (shape == nullptr)
        return fail(noAct(line));
    JsonValue act(rapidjson::kObjectType);
    act.AddMember(
        "do",
        JsonValue(shape->name.data(), static_cast<rapidjson::SizeType>(shape->name.size()), pool),
        pool);
    if (!ActFields(*shape, std::move(words), pool).read(act))
        return fail(noAct(line));
    return act;
}

} // namespace pw
