// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/sail_plan.h"
#include "core/io/schedule_text.h"
#include "tests/support/family_runs.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::test {

/// JSON that is written with ' in place of ".
inline std::string json(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

inline std::string notesOf(const SailPlan& plan)
{
    std::string text;
    for (const FileProblems* list : {&plan.problems, &plan.notes})
        for (const FileProblem& one : list->list)
            text += describe(one, plan.lineName, plan.columnName) + "\n";
    return text;
}

inline bool says(const SailPlan& plan, std::string_view text)
{
    return notesOf(plan).find(text) != std::string::npos;
}

/// How a test writes nodes, by the rules of the runtime and apart from the program's own writer.
enum class SailText
{
    Json,
    Printed, ///< ScheduledNode(…) in a log
    Words    ///< f0 b0 w0
};

struct SailSaying
{
    bool groups = true;
    bool peers = false;
    bool sends = false;
};

inline std::string nodeText(SailText form,
                            const std::vector<std::pair<std::string, std::string>>& fields)
{
    std::string text = form == SailText::Json ? "{" : "ScheduledNode(";
    for (const auto& [name, value] : fields) {
        const bool word = !value.empty() && value.front() >= 'A' && value.front() <= 'Z';
        text += text.back() == '{' || text.back() == '(' ? "" : ", ";
        if (form == SailText::Json)
            text += "\"" + name + "\": " + (word ? "\"" + value + "\"" : value);
        else
            text += name + "=" + (value == "null" ? "None" : value);
    }
    return text + (form == SailText::Json ? "}" : ")");
}

/// The nodes of an order, a text a rank.
class SailNodeTexts
{
public:
    SailNodeTexts(const PipelineSpec& spec, SailText form, SailSaying saying)
        : m_spec(spec)
        , m_form(form)
        , m_saying(saying)
        , m_chunks(spec)
    {
    }

    std::vector<std::string> ranks(const DeviceOrders& orders) const
    {
        std::vector<std::string> texts;
        for (const auto& order : orders) {
            std::string text;
            for (const OrderEntry& entry : order)
                add(text, entry.pass);
            texts.push_back(text);
        }
        return texts;
    }

private:
    int rank(StageId stage) const { return m_spec.device(0, stage); }

    std::string peer(StageId stage, int own) const
    {
        if (stage < 0 || stage >= m_spec.stages() || rank(stage) == own)
            return "null";
        return std::to_string(rank(stage));
    }

    void add(std::string& text, const Pass& pass) const
    {
        const int chunk = m_chunks.chunk(0, pass.stage);
        const bool moves = pass.kind != PassKind::W && pass.kind != PassKind::R;
        const int way = pass.kind == PassKind::F ? 1 : -1;
        const std::string to =
            moves ? peer(pass.stage + way, rank(pass.stage)) : std::string("null");
        const std::string from =
            moves ? peer(pass.stage - way, rank(pass.stage)) : std::string("null");
        if (m_saying.sends && from != "null")
            put(text, way > 0 ? "RECV_FORWARD" : "RECV_BACKWARD", way > 0 ? "RF" : "RB", pass,
                chunk, "null", "null");
        put(text, std::string(name(pass.kind)), pass.kind == PassKind::BW ? "B" : "", pass, chunk,
            from, to);
        if (m_saying.sends && to != "null")
            put(text, way > 0 ? "SEND_FORWARD" : "SEND_BACKWARD", way > 0 ? "SF" : "SB", pass,
                chunk, "null", "null");
    }

    void put(std::string& text, const std::string& type, std::string word, const Pass& pass,
             int chunk, const std::string& from, const std::string& to) const
    {
        text += text.empty() ? "" : m_form == SailText::Words ? " " : ", ";
        if (m_form == SailText::Words) {
            if (word.empty())
                word = type;
            if (chunk == 0)
                for (char& c : word)
                    c = static_cast<char>(c - 'A' + 'a');
            const std::string long_ = m_saying.peers && from != "null" ? "r" + from : "";
            text += long_ + word + std::to_string(pass.microBatch) +
                    (m_saying.peers && to != "null" ? "s" + to : "");
            return;
        }
        std::vector<std::pair<std::string, std::string>> fields = {
            {"type", type},
            {"stage", std::to_string(rank(pass.stage))},
            {"microbatch", std::to_string(pass.microBatch)},
            {"chunk", std::to_string(chunk)},
            {"seq_split_idx", std::to_string(pass.segment)}};
        fields.emplace_back("layer_group_idx",
                            m_saying.groups ? std::to_string(pass.stage) : "null");
        fields.emplace_back("start_time", "null");
        fields.emplace_back("completion_time", "null");
        fields.emplace_back("recv_peer_stage", m_saying.peers ? from : "null");
        fields.emplace_back("send_peer_stage", m_saying.peers ? to : "null");
        if (m_form == SailText::Printed)
            fields.emplace_back("comm_direction", "<CommDirection.NEXT: 0>");
        fields.emplace_back("rollback", m_form == SailText::Json ? "false" : "False");
        text += nodeText(m_form, fields);
    }

    const PipelineSpec& m_spec;
    SailText m_form;
    SailSaying m_saying;
    ChunkTable m_chunks;
};

inline std::string planText(const Schedule& schedule, SailText form, SailSaying saying = {})
{
    const std::vector<std::string> ranks =
        SailNodeTexts(schedule.spec(), form, saying).ranks(schedule.orders());
    std::string text = form == SailText::Json ? "[" : "";
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (form == SailText::Json)
            text += (i > 0 ? ",\n [" : "[") + ranks[i] + "]";
        else if (form == SailText::Printed)
            text += "rank " + std::to_string(i) + " has [" + ranks[i] + "]\n";
        else
            text += ranks[i] + "\n";
    }
    return text + (form == SailText::Json ? "]" : "");
}

inline Schedule made(std::string_view family, int devices, int microBatches, double chunks = 0)
{
    FamilyOptions options = test::sized(devices, microBatches);
    if (chunks > 0)
        options.parameters.emplace_back("chunks", chunks);
    return *buildUniform(**findFamily(family), options, UniformCosts{});
}

inline bool same(const Schedule& schedule, const SailPlan& plan)
{
    return plan.problems.none() && plan.draft == draftOf(schedule);
}

} // namespace pw::test
