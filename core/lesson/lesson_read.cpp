// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_parts.h"

#include <array>
#include <limits>
#include <set>

namespace pw {

namespace {

constexpr std::size_t mostItems = 100; ///< steps, goals, answers …
constexpr double mostMs = 1e6;

std::vector<PassKind> readKinds(JsonFields& fields)
{
    std::vector<PassKind> kinds;
    for (const std::string& word : fields.texts("passes")) {
        bool known = false;
        for (const PassKind kind :
             {PassKind::F, PassKind::B, PassKind::W, PassKind::BW, PassKind::R}) {
            if (word == name(kind)) {
                kinds.push_back(kind);
                known = true;
            }
        }
        if (!known)
            fields.refuse("passes", "%1 has %2; F, B, W, BW and R are known", inQuotes(word));
    }
    const std::set<PassKind> all(kinds.begin(), kinds.end());
    const bool split =
        all.contains(PassKind::B) && all.contains(PassKind::W) && !all.contains(PassKind::BW);
    const bool fused =
        all.contains(PassKind::BW) && !all.contains(PassKind::B) && !all.contains(PassKind::W);
    if (!all.contains(PassKind::F) || (!split && !fused) || all.size() != kinds.size())
        fields.refuse("passes", "%1 has to be F with BW, or F with B and W; R may be added");
    return kinds;
}

class LessonReader
{
public:
    explicit LessonReader(std::string id) { m_lesson.id = std::move(id); }

    Result<Lesson> run(const JsonValue& root)
    {
        JsonFields fields(root, "", m_failure);
        if (!fields.has("pipewright_lesson"))
            return fail(ErrorCode::Syntax,
                        "this is not a lesson: the field pipewright_lesson is missing");
        const std::int64_t version =
            fields.integer("pipewright_lesson", 0, std::numeric_limits<std::int64_t>::max());
        if (!m_failure && version != 1) {
            return fail(ErrorCode::Version,
                        "the lesson is of version %1; this program reads version 1", version);
        }
        m_lesson.title = readLessonText(fields, root, "title", true, m_failure);
        m_lesson.summary = readLessonText(fields, root, "summary", true, m_failure);
        m_lesson.source = fields.title("source", "");
        m_lesson.next = fields.title("next", "");
        if (fields.has("facts")) {
            if (const JsonValue* facts = fields.object("facts"))
                m_lesson.facts = readLessonFacts(*facts, fields.pathOf("facts"), m_failure);
        }
        each(fields, "steps", [&](JsonFields& step, const JsonValue& value) {
            m_lesson.steps.push_back(readStep(step, value));
        });
        if (m_lesson.steps.empty())
            fields.refuse("steps", "%1 is empty; a lesson has at least one step");
        fields.finish();
        if (m_failure)
            return fail(*m_failure);
        return std::move(m_lesson);
    }

private:
    /// Elements of a list, as fields with their path.
    template<typename Each>
    void each(JsonFields& fields, std::string_view name, Each read)
    {
        const JsonValue* list = fields.list(name);
        if (list == nullptr)
            return;
        if (list->Size() > mostItems)
            return fields.refuse(name, "%1 has %2 elements; %3 are the most", list->Size(),
                                 mostItems);
        for (rapidjson::SizeType i = 0; i < list->Size() && !m_failure; ++i) {
            JsonFields element((*list)[i], fields.pathOf(name, i), m_failure);
            if (m_failure)
                return;
            read(element, (*list)[i]);
            element.finish();
        }
    }

    LessonText text(JsonFields& fields, const JsonValue& value, std::string_view name,
                    bool needed = true)
    {
        return readLessonText(fields, value, name, needed, m_failure);
    }

    LessonStep readStep(JsonFields& fields, const JsonValue& value)
    {
        LessonStep step;
        step.title = text(fields, value, "title");
        step.text = text(fields, value, "text");
        if (fields.has("pictures")) {
            each(fields, "pictures", [&](JsonFields& picture, const JsonValue& inner) {
                LessonPicture made;
                made.caption = text(picture, inner, "caption", false);
                if (const JsonValue* schedule = picture.object("schedule"))
                    made.project =
                        readLessonStart(*schedule, picture.pathOf("schedule"), m_failure);
                step.pictures.push_back(std::move(made));
            });
        }
        if (fields.has("questions")) {
            each(fields, "questions", [&](JsonFields& question, const JsonValue& inner) {
                step.questions.push_back(readQuestion(question, inner));
            });
        }
        if (fields.has("level")) {
            if (const JsonValue* level = fields.object("level")) {
                JsonFields inner(*level, fields.pathOf("level"), m_failure);
                step.level = readLevel(inner, *level);
                inner.finish();
            }
        }
        return step;
    }

    LessonQuestion readQuestion(JsonFields& fields, const JsonValue& value)
    {
        LessonQuestion question;
        question.ask = text(fields, value, "ask");
        question.why = text(fields, value, "why");
        if (const JsonValue* list = fields.list("answers")) {
            if (list->Size() < 2 || list->Size() > 9)
                fields.refuse("answers", "%1 has %2 elements; a question has 2 to 9", list->Size());
            for (rapidjson::SizeType i = 0; i < list->Size() && !m_failure; ++i)
                question.answers.push_back(
                    lessonTextOf((*list)[i], fields.pathOf("answers", i), m_failure));
        }
        question.right = static_cast<int>(fields.integer(
            "right", 0,
            static_cast<std::int64_t>(std::max<std::size_t>(question.answers.size(), 1)) - 1));
        return question;
    }

    LessonLevel readLevel(JsonFields& fields, const JsonValue& value)
    {
        LessonLevel level;
        level.task = text(fields, value, "task");
        if (const JsonValue* start = fields.object("start"))
            level.start = readLessonStart(*start, fields.pathOf("start"), m_failure);
        if (m_failure)
            return level;
        readFreedom(fields, value, level);
        each(fields, "goals", [&](JsonFields& goal, const JsonValue& inner) {
            level.goals.push_back(readGoal(goal, inner));
        });
        if (level.goals.empty())
            fields.refuse("goals", "%1 is empty; a level has at least one goal");
        // A level whose figures cannot vary has no medals, and no par.
        if (const JsonValue* par = fields.has("par") ? fields.object("par") : nullptr)
            readPar(*par, fields.pathOf("par"), level.freedom, level.par);
        if (const JsonValue* hints = fields.object("hints")) {
            JsonFields inner(*hints, fields.pathOf("hints"), m_failure);
            level.hints.say = text(inner, *hints, "say");
            level.hints.show = text(inner, *hints, "show");
            level.hints.showDevice =
                static_cast<int>(inner.integer("device", 0, level.start.draft.spec.devices - 1, 0));
            level.hints.showPass = inner.title("pass", "");
            level.hints.steps =
                static_cast<int>(inner.integer("do", 0, static_cast<std::int64_t>(mostItems), 1));
            inner.finish();
        }
        readDemonstration(fields, value, level);
        return level;
    }

    /// A list of acts, or whole orders that are placed pass by pass.
    void readDemonstration(JsonFields& fields, const JsonValue& value, LessonLevel& level)
    {
        const bool whole = fields.has("demonstration") && value["demonstration"].IsObject();
        if (!whole) {
            each(fields, "demonstration", [&](JsonFields& act, const JsonValue& inner) {
                level.demonstration.push_back(readAct(act, inner));
            });
            return;
        }
        if (const JsonValue* object = fields.object("demonstration")) {
            JsonFields inner(*object, fields.pathOf("demonstration"), m_failure);
            const PipelineSpec& spec = level.start.draft.spec;
            DeviceOrders orders;
            if (level.freedom == Freedom::Block) {
                LessonAct act;
                act.kind = LessonAct::Kind::Block;
                act.block = readStartBlock(inner, spec, m_failure);
                level.demonstration = {std::move(act)};
            } else {
                orders = readLessonOrders(inner, "orders", spec, m_failure);
            }
            inner.finish();
            if (!m_failure && level.freedom != Freedom::Block)
                level.demonstration = actsOf(level.start, orders);
        }
    }

    void readFreedom(JsonFields& fields, const JsonValue& value, LessonLevel& level)
    {
        const std::string free = fields.title("free", "order");
        if (free == "order")
            level.freedom = Freedom::Order;
        else if (free == "choice")
            level.freedom = Freedom::Choice;
        else if (free == "block")
            level.freedom = Freedom::Block;
        else if (free == "layers")
            level.freedom = Freedom::Layers;
        else if (free == "offload")
            level.freedom = Freedom::Offload;
        else if (free == "repair")
            level.freedom = Freedom::Repair;
        else
            return fields.refuse("free",
                                 "%1 is %2; order, choice, block, layers, offload or repair",
                                 inQuotes(free));
        if (level.freedom == Freedom::Order) {
            level.kinds = {PassKind::F, PassKind::BW};
            if (fields.has("passes"))
                level.kinds = readKinds(fields);
            if (fields.has("fixed"))
                level.fixed = readLessonOrders(fields, "fixed", level.start.draft.spec, m_failure);
        }
        if (level.freedom == Freedom::Choice) {
            each(fields, "choices",
                 [&](JsonFields& choice, const JsonValue&) { readChoices(choice, level); });
            if (level.choices.empty() || level.choices.size() > 1000)
                fields.refuse("choices", "%1 makes %2 choices; 1 to 1000", level.choices.size());
        }
        if (fields.has("batch")) {
            if (const JsonValue* batch = fields.object("batch"))
                readLessonBatch(*batch, fields.pathOf("batch"), level, m_failure);
        }
        if (level.freedom == Freedom::Block && level.start.blocks.size() != 1)
            fields.refuse("start", "%1 has no block");
        if (level.freedom == Freedom::Layers)
            if (const JsonValue* layers = fields.object("layers"))
                readLessonLayers(*layers, fields.pathOf("layers"), level, m_failure);
        if (level.freedom == Freedom::Repair)
            readLessonRepair(fields, value, level, m_failure);
    }

    /// A family with several numbers of micro-batches and values of one parameter each.
    void readChoices(JsonFields& fields, LessonLevel& level)
    {
        FamilyChoice choice;
        readLessonFamily(fields, choice, level.start.draft.spec.devices, m_failure);
        std::vector<std::int64_t> counts;
        if (fields.has("micro_batches"))
            counts = fields.integers("micro_batches", 1, 1'000'000);
        else
            counts = {level.start.draft.spec.microBatches};
        for (const std::int64_t count : counts) {
            if (level.choices.size() > 1000 || m_failure)
                return;
            choice.options.microBatches = static_cast<int>(count);
            const auto family = findFamily(choice.id);
            const auto spec = family ? specOf(**family, choice.options)
                                     : Result<PipelineSpec>(fail(family.error()));
            if (!spec)
                return fields.refuse("family", "%1 cannot be chosen: %2", spec.error().message);
            level.choices.push_back(choice);
        }
    }

    LessonGoal readGoal(JsonFields& fields, const JsonValue& value)
    {
        struct Limit
        {
            std::string_view name;
            GoalKind kind;
            double most;
            double size;
        };
        constexpr double share = static_cast<double>(shareOne);
        static constexpr std::array<Limit, 10> limits = {{
            {"makespan_ms", GoalKind::Makespan, mostMs, static_cast<double>(ticksPerMs)},
            {"peak", GoalKind::Peak, 1e4, share},
            {"span_bubble", GoalKind::SpanBubble, 1, 1},
            {"wall_bubble", GoalKind::WallBubble, 1, 1},
            {"messages", GoalKind::Messages, 1e9, 1},
            {"gathers", GoalKind::Gathers, 1e9, 1},
            {"versions", GoalKind::Versions, 1e4, 1},
            {"interval", GoalKind::Interval, 1e6, 1},
            {"block_peak", GoalKind::BlockPeak, 1e4, share},
            {"micro_batches", GoalKind::MicroBatches, 1e6, 1},
        }};
        LessonGoal goal;
        for (const Limit& limit : limits) {
            if (!fields.has(limit.name))
                continue;
            goal.kind = limit.kind;
            goal.limit = fields.number(limit.name, 0, limit.most) * limit.size;
            return goal;
        }
        if (fields.has("family")) {
            goal.kind = GoalKind::Family;
            FamilyChoice choice;
            readLessonFamily(fields, choice, 1, m_failure);
            goal.family = choice.id;
            goal.options = choice.options;
        } else if (fields.has("order")) {
            goal.kind = GoalKind::Order;
            goal.order = fields.texts("order");
        } else if (!fields.truth("complete", false)) {
            static constexpr std::string_view known =
                "a goal is one of complete, makespan_ms, peak, span_bubble, wall_bubble, messages, "
                "gathers, versions, interval, block_peak, micro_batches, family, order";
            if (value.MemberCount() > 0 && !fields.has("complete"))
                fields.refuse(value.MemberBegin()->name.GetString(), "%1 is not a goal; %2", known);
            else
                fields.refuse("complete", "%1 is missing or false; %2", known);
        }
        return goal;
    }

    void readPar(const JsonValue& value, const std::string& path, Freedom freedom, LessonPar& par)
    {
        JsonFields fields(value, path, m_failure);
        if (fields.has("time_ms")) {
            par.time = ticksFromMs(fields.number("time_ms", 0, mostMs));
            par.repeated = freedom == Freedom::Block;
        } else if (fields.has("interval"))
            par.time = fields.integer("interval", 1, maxBlockTicks);
        if (fields.has("memory"))
            par.memory = shareFrom(fields.number("memory", 0, 1e4));
        if (fields.has("curve") && par.memory)
            fields.refuse("curve", "%1 and memory are both given; one medal is for one of them");
        if (fields.has("curve"))
            each(fields, "curve", [&](JsonFields& point, const JsonValue&) {
                const Ticks time = ticksFromMs(point.number("time_ms", 0, mostMs));
                par.curve.emplace_back(time, shareFrom(point.number("memory", 0, 1e4)));
            });
        if (fields.has("messages"))
            par.messages = fields.integer("messages", 0, 1'000'000'000);
        fields.finish();
        if (!m_failure && par == LessonPar{})
            m_failure =
                Error{ErrorCode::Syntax, said("%1 is empty; a level has a par for time_ms "
                                              "(of a block: interval), memory, curve or messages",
                                              path)};
    }

    LessonAct readAct(JsonFields& fields, const JsonValue&)
    {
        using Kind = LessonAct::Kind;
        struct Word
        {
            std::string_view word;
            Kind kind;
        };
        static constexpr std::array<Word, 12> words = {{{"place", Kind::Place},
                                                        {"move", Kind::Move},
                                                        {"remove", Kind::Remove},
                                                        {"clear", Kind::Clear},
                                                        {"finish", Kind::Finish},
                                                        {"reorder", Kind::Reorder},
                                                        {"family", Kind::Family},
                                                        {"shift", Kind::Shift},
                                                        {"interval", Kind::Interval},
                                                        {"stamp", Kind::Stamp},
                                                        {"layer", Kind::Layer},
                                                        {"toggle", Kind::Toggle}}};
        LessonAct act;
        const std::string word = fields.title("do");
        const auto* found =
            std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.word == word; });
        if (found == words.end()) {
            fields.refuse("do",
                          "%1 is %2; place, move, remove, clear, finish, reorder, family, shift, "
                          "interval, stamp, layer or toggle",
                          inQuotes(word));
            return act;
        }
        act.kind = found->kind;
        if (act.kind == Kind::Place || act.kind == Kind::Move || act.kind == Kind::Remove ||
            act.kind == Kind::Toggle)
            act.device = DeviceId(fields.integer("device", 0, maxFileDevices));
        if (act.kind == Kind::Place || act.kind == Kind::Shift || act.kind == Kind::Toggle)
            act.passes = fields.text("passes");
        if (act.kind == Kind::Place)
            act.from = static_cast<int>(fields.integer("at", -1, maxLessonPasses, -1));
        if (act.kind == Kind::Move || act.kind == Kind::Remove || act.kind == Kind::Layer)
            act.from = static_cast<int>(fields.integer("from", 0, maxLessonPasses));
        if (act.kind == Kind::Move || act.kind == Kind::Layer)
            act.to = static_cast<int>(fields.integer("to", 0, maxLessonPasses));
        if (act.kind == Kind::Finish) {
            act.rule = fields.title("rule", "backward-first");
            act.amount = fields.number("cap", 0, 1e4, 0);
        }
        if (act.kind == Kind::Shift)
            act.amount = static_cast<double>(fields.integer("by", -1'000'000, 1'000'000));
        if (act.kind == Kind::Interval)
            act.amount = static_cast<double>(fields.integer("value", 1, 1'000'000));
        if (act.kind == Kind::Stamp)
            act.count = static_cast<int>(fields.integer("micro_batches", 1, 100'000));
        if (act.kind == Kind::Family) {
            readLessonFamily(fields, act.family, 1, m_failure);
            act.family.options.devices = 0; // those of the level
            act.family.options.microBatches =
                static_cast<int>(fields.integer("micro_batches", 0, 1'000'000, 0));
        }
        return act;
    }

    JsonFields::Failure m_failure;
    Lesson m_lesson;
};

} // namespace

Share shareFrom(double microBatches)
{
    return static_cast<Share>(microBatches * static_cast<double>(shareOne) + 0.5);
}

Result<Lesson> readLesson(std::string_view text, std::string id)
{
    PW_TRY(const auto document, parseJson(text, maxLessonBytes));
    return LessonReader(std::move(id)).run(document);
}

} // namespace pw
