// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/costs_rounds.h"

#include "core/model/costs.h"

#include <algorithm>

namespace pw {

namespace {

using RoundLayout = JsonText::Layout;
using RoundTimes = std::vector<Ticks>;

constexpr Ticks longestRoundTime = longestPass;

void writeTimes(JsonText& json, std::string_view field, const RoundTimes& times)
{
    json.key(field);
    json.beginArray(RoundLayout::OneLine);
    for (const Ticks time : times)
        json.value(std::int64_t{time});
    json.endArray();
}

void writePlace(JsonText& json, PassKind kind, StageId stage, int segment)
{
    json.member("kind", name(kind));
    json.member("stage", stage);
    json.member("segment", segment);
}

void writeRound(JsonText& json, const MeasuredRound& round)
{
    json.beginObject();
    json.key("entries");
    json.beginArray();
    for (const auto& [kind, times] : round.entries) {
        json.beginObject(RoundLayout::OneLine);
        writePlace(json, kind.kind, kind.stage, kind.segment);
        if (kind.paired) {
            json.key("with");
            json.beginObject(RoundLayout::OneLine);
            writePlace(json, kind.partner, kind.partnerStage, kind.partnerSegment);
            json.endObject();
        }
        writeTimes(json, "ns", times);
        json.endObject();
    }
    json.endArray();
    json.key("messages");
    json.beginArray();
    for (const auto& [kind, times] : round.messages) {
        json.beginObject(RoundLayout::OneLine);
        json.member("carries", name(kind.carries));
        json.member("segment", kind.segment);
        writeTimes(json, "ns", times);
        json.endObject();
    }
    json.endArray();
    writeTimes(json, "gaps_ns", round.gaps);
    writeTimes(json, "update_gaps_ns", round.updateGaps);
    writeTimes(json, "openings_ns", round.openings);
    json.endObject();
}

/// Reads the rounds of a file of so many stages and segments.
class RoundsReader
{
public:
    RoundsReader(int stages, int segments, JsonFields::Failure& failure)
        : m_stages(stages)
        , m_segments(segments)
        , m_failure(failure)
    {
    }

    MeasuredRound read(JsonFields& fields)
    {
        MeasuredRound round;
        each(fields, "entries", [&](JsonFields& one) {
            EntryKind kind;
            readPlace(one, kind.kind, kind.stage, kind.segment);
            if (one.has("with")) {
                kind.paired = true;
                if (const JsonValue* partner = one.object("with")) {
                    JsonFields inner(*partner, one.pathOf("with"), m_failure);
                    readPlace(inner, kind.partner, kind.partnerStage, kind.partnerSegment);
                    inner.finish();
                }
            }
            if (!round.entries.emplace(kind, times(one, "ns")).second)
                one.refuse("kind", "%1 appears here for the second time");
        });
        each(fields, "messages", [&](JsonFields& one) {
            MessageKind kind;
            kind.carries = readKind(one, "carries");
            kind.segment = static_cast<int>(one.integer("segment", 0, m_segments - 1));
            if (!round.messages.emplace(kind, times(one, "ns")).second)
                one.refuse("carries", "%1 appears here for the second time");
        });
        round.gaps = times(fields, "gaps_ns");
        round.updateGaps = times(fields, "update_gaps_ns");
        round.openings = times(fields, "openings_ns");
        return round;
    }

    template<typename Each>
    void each(JsonFields& fields, std::string_view field, Each read)
    {
        const JsonValue* list = fields.list(field);
        if (list == nullptr)
            return;
        for (rapidjson::SizeType i = 0; i < list->Size() && !m_failure; ++i) {
            JsonFields element((*list)[i], fields.pathOf(field, i), m_failure);
            read(element);
            element.finish();
        }
    }

private:
    static RoundTimes times(JsonFields& fields, std::string_view field)
    {
        return fields.integers(field, 0, longestRoundTime);
    }

    static PassKind readKind(JsonFields& fields, std::string_view field)
    {
        const std::string kind = fields.text(field);
        const auto* known = std::find_if(allPassKinds.begin(), allPassKinds.end(),
                                         [&kind](PassKind k) { return name(k) == kind; });
        if (known != allPassKinds.end())
            return *known;
        fields.refuse(field, "%1 is none of F, B, W, BW, R, U");
        return PassKind::F;
    }

    void readPlace(JsonFields& fields, PassKind& kind, StageId& stage, int& segment) const
    {
        kind = readKind(fields, "kind");
        stage = StageId(fields.integer("stage", 0, m_stages - 1));
        segment = static_cast<int>(fields.integer("segment", 0, m_segments - 1));
    }

    int m_stages;
    int m_segments;
    JsonFields::Failure& m_failure;
};

} // namespace

void writeRounds(JsonText& json, const std::vector<MeasuredRound>& rounds)
{
    json.key("rounds");
    json.beginArray();
    for (const MeasuredRound& round : rounds)
        writeRound(json, round);
    json.endArray();
}

std::vector<MeasuredRound> readRounds(JsonFields& file, int stages, int segments,
                                      JsonFields::Failure& failure)
{
    std::vector<MeasuredRound> rounds;
    if (!file.has("rounds"))
        return rounds;
    RoundsReader reader(stages, segments, failure);
    reader.each(file, "rounds", [&](JsonFields& fields) { rounds.push_back(reader.read(fields)); });
    return rounds;
}

} // namespace pw
