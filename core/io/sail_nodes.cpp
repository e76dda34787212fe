// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/io/sail_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw {

namespace {

// Words that stand for two types (B, S) have the commoner one first.
constexpr std::array<SailType, 27> sailTypes = {{
    {"F", "F", SailKind::F},
    {"B", "B", SailKind::B},
    {"W", "W", SailKind::W},
    {"BW", "BW", SailKind::BW},
    {"R", "R", SailKind::R},
    {"SEND_FORWARD", "SF", SailKind::SendForward},
    {"RECV_FORWARD", "RF", SailKind::RecvForward},
    {"SEND_BACKWARD", "SB", SailKind::SendBackward},
    {"RECV_BACKWARD", "RB", SailKind::RecvBackward},
    {"POST_VALIDATION", "PV", SailKind::PostValidation},
    {"SEND_POST_VALIDATION", "SPV", SailKind::PostValidation},
    {"RECV_POST_VALIDATION", "RPV", SailKind::PostValidation},
    {"OFFLOAD_BARRIER", "OB", SailKind::Barrier},
    {"OFFLOAD_SEND_START", "OSS", SailKind::OffloadSendStart},
    {"OFFLOAD_SEND_END", "OSE", SailKind::OffloadSendEnd},
    {"OFFLOAD_RECV_PREP", "ORP", SailKind::OffloadRecvPrep},
    {"OFFLOAD_RECV_START", "ORS", SailKind::OffloadRecvStart},
    {"OFFLOAD_RECV_END", "ORE", SailKind::OffloadRecvEnd},
    {"S", "S", SailKind::Vocabulary},
    {"T", "T", SailKind::Vocabulary},
    {"IF", "IF", SailKind::Vocabulary},
    {"IB", "IB", SailKind::Vocabulary},
    {"REDUCE_INPUT_EMBD_FORWARD", "SIF", SailKind::Vocabulary},
    {"BROADCAST_INPUT_EMBD_BACKWARD", "RIB", SailKind::Vocabulary},
    {"BROADCAST_OUTPUT_EMBD_S", "RS", SailKind::Vocabulary},
    {"BROADCAST_OUTPUT_EMBD_T", "RT", SailKind::Vocabulary},
    {"REDUCE_OUTPUT_EMBD", "SS", SailKind::Vocabulary},
}};

constexpr std::int32_t mostChunks = 65'536;
constexpr std::int32_t mostNumber = std::numeric_limits<std::int32_t>::max() - 1;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

SailValue valueOf(const JsonValue& json)
{
    SailValue value;
    if (json.IsNull())
        return value;
    if (json.IsNumber()) {
        value.type = SailValue::Type::Number;
        value.number = json.GetDouble();
    } else if (json.IsBool()) {
        value.type = SailValue::Type::Truth;
        value.truth = json.GetBool();
    } else if (json.IsString()) {
        value.type = SailValue::Type::Text;
        value.text = {json.GetString(), json.GetStringLength()};
    } else {
        value.type = SailValue::Type::Other;
    }
    return value;
}

/// Walks the lists of a JSON text.
class JsonLists
{
public:
    JsonLists(SailNodes& nodes, SailPlan& plan)
        : m_nodes(nodes)
        , m_plan(plan)
        , m_maker(nodes, plan)
    {
    }

    void read(const JsonValue& root)
    {
        const JsonValue* const lists = listsOf(root);
        if (lists == nullptr)
            return;
        if (lists->IsObject()) {
            readNumbered(*lists);
        } else {
            const auto all = lists->GetArray();
            const bool nested = all.Size() > 0 && all[0].IsArray();
            if (nested && all.Size() > static_cast<rapidjson::SizeType>(maxFileDevices)) {
                m_plan.problems.add(
                    {}, said("%1 lists; at most %2 ranks are read", all.Size(), maxFileDevices));
                return;
            }
            if (nested)
                readRanks(all);
            else
                readList(*lists, -1, 1);
        }
        m_maker.tellUnknown();
    }

private:
    /// The list of lists, or of nodes, wherever a writer may have put it.
    const JsonValue* listsOf(const JsonValue& root)
    {
        if (root.IsArray())
            return &root;
        if (root.IsObject()) {
            bool numbered = root.MemberCount() > 0;
            for (const auto& member : root.GetObject())
                numbered &= parseNumber({member.name.GetString(), member.name.GetStringLength()})
                                .has_value();
            if (numbered)
                return &root;
            for (const char* name :
                 {"nodes", "schedule", "schedules", "local_order", "order", "plan"}) {
                const auto found = root.FindMember(name);
                if (found != root.MemberEnd() && (found->value.IsArray()))
                    return &found->value;
            }
        }
        m_plan.problems.add({}, said("no list of nodes: a list a rank is expected, such as "
                                     "[[{\"type\": \"F\", \"stage\": 0, \"microbatch\": 0}]]"));
        return nullptr;
    }

    template<typename Array>
    void readRanks(const Array& all)
    {
        m_nodes.ranks = static_cast<std::int32_t>(all.Size());
        for (rapidjson::SizeType i = 0; i < all.Size(); ++i)
            readList(all[i], static_cast<std::int32_t>(i), static_cast<std::int32_t>(i) + 1);
    }

    /// {"0": […], "1": […]}
    void readNumbered(const JsonValue& lists)
    {
        std::int32_t number = 0;
        for (const auto& member : lists.GetObject()) {
            const std::int32_t rank =
                *parseNumber({member.name.GetString(), member.name.GetStringLength()});
            if (rank >= maxFileDevices) {
                m_plan.problems.add({}, said("a list for rank %1; at most %2 ranks are read", rank,
                                             maxFileDevices));
                return;
            }
            m_nodes.ranks = std::max(m_nodes.ranks, rank + 1);
            readList(member.value, rank, ++number);
        }
    }

    void readList(const JsonValue& list, std::int32_t rank, std::int32_t number)
    {
        if (!list.IsArray()) {
            m_plan.problems.add({number, 1}, said("a list of nodes is expected"));
            return;
        }
        std::int32_t column = 0;
        for (const JsonValue& node : list.GetArray()) {
            ++column;
            if (!node.IsObject()) {
                m_plan.problems.add(
                    {number, column},
                    said("a node is expected, an object with type, stage and microbatch"));
                continue;
            }
            m_maker.begin({number, column});
            for (const auto& member : node.GetObject())
                m_maker.set({member.name.GetString(), member.name.GetStringLength()},
                            valueOf(member.value));
            m_maker.finish(rank);
        }
    }

    SailNodes& m_nodes;
    SailPlan& m_plan;
    SailNodeMaker m_maker;
};

} // namespace

const SailType* sailTypeOfName(std::string_view name)
{
    constexpr std::string_view enumeration = "FuncType.";
    if (name.substr(0, enumeration.size()) == enumeration)
        name.remove_prefix(enumeration.size());
    for (const SailType& type : sailTypes)
        if (type.name == name)
            return &type;
    return nullptr;
}

const SailType* sailTypeOfWord(std::string_view word)
{
    for (const SailType& type : sailTypes)
        if (type.word == word)
            return &type;
    return nullptr;
}

std::string_view sailName(SailKind kind)
{
    for (const SailType& type : sailTypes)
        if (type.kind == kind)
            return type.name;
    return {};
}

void SailNodeMaker::begin(FilePlace place)
{
    m_node = SailNode();
    m_node.place = place;
    m_typed = m_numbered = false;
    m_good = true;
}

void SailNodeMaker::refuse(Sentence what)
{
    m_plan.problems.add(m_node.place, std::move(what));
    m_good = false;
}

bool SailNodeMaker::setType(const SailValue& value)
{
    if (value.type != SailValue::Type::Text) {
        refuse("type", "%1 is not text");
        return false;
    }
    const SailType* const type = sailTypeOfName(value.text);
    if (type == nullptr) {
        refuse("type", "%1 is %2, which no node has; passes are F, B, W, BW and R",
               inQuotes(value.text));
        return false;
    }
    m_node.kind = type->kind;
    return true;
}

void SailNodeMaker::setCount(std::string_view name, const SailValue& value, std::int32_t most,
                             std::int32_t& into)
{
    if (value.type == SailValue::Type::Null)
        return;
    if (value.type != SailValue::Type::Number || value.number != std::floor(value.number)) {
        refuse(name, "%1 is not a whole number");
        return;
    }
    if (value.number < 0 || value.number > most) {
        refuse(name, "%1 is out of its range, which is 0 to %2%3", most,
               (std::abs(value.number) < 1e15
                    ? "; it is " + std::to_string(static_cast<std::int64_t>(value.number))
                    : std::string()));
        return;
    }
    into = static_cast<std::int32_t>(value.number);
}

void SailNodeMaker::setTime(std::string_view name, const SailValue& value,
                            std::optional<double>& into)
{
    if (value.type == SailValue::Type::Null)
        return;
    // Microseconds of about 11 days; before the first pass there may be some.
    constexpr double most = 1e12;
    if (value.type != SailValue::Type::Number || !(std::abs(value.number) <= most)) {
        refuse(name, "%1 is not a time of at most 1e12 microseconds");
        return;
    }
    into = value.number;
}

void SailNodeMaker::set(std::string_view name, const SailValue& value)
{
    if (isOneOf(name, {"type", "func_type"})) {
        m_typed = true;
        setType(value);
    } else if (isOneOf(name, {"microbatch", "minibatch", "micro_batch", "mini_batch"})) {
        m_numbered = value.type != SailValue::Type::Null;
        setCount(name, value, mostNumber, m_node.microBatch);
    } else if (isOneOf(name, {"stage", "rank"})) {
        setCount(name, value, maxFileDevices - 1, m_node.rank);
    } else if (name == "chunk") {
        setCount(name, value, mostChunks - 1, m_node.chunk);
    } else if (isOneOf(name, {"seq_split_idx", "seq"})) {
        setCount(name, value, mostChunks - 1, m_node.segment);
    } else if (name == "layer_group_idx") {
        setCount(name, value, mostNumber, m_node.group);
    } else if (isOneOf(name, {"start_time", "start"})) {
        setTime(name, value, m_node.start);
    } else if (isOneOf(name, {"completion_time", "end_time", "end"})) {
        setTime(name, value, m_node.end);
    } else if (name == "recv_peer_stage") {
        setCount(name, value, maxFileDevices - 1, m_node.recvPeer);
    } else if (name == "send_peer_stage") {
        setCount(name, value, maxFileDevices - 1, m_node.sendPeer);
    } else if (name == "need_recompute") {
        m_node.recompute = value.truth;
    } else if (name == "should_offload") {
        m_node.offload = value.truth;
    } else if (!isOneOf(name, {"comm_direction", "comm_peer_stage", "comm_pair_id", "rollback"}) &&
               m_unknown.size() < 100 &&
               std::find(m_unknown.begin(), m_unknown.end(), name) == m_unknown.end()) {
        m_unknown.emplace_back(name);
    }
}

void SailNodeMaker::finish(std::int32_t listRank)
{
    if (!m_typed)
        refuse("type", "%1 is missing");
    if (!m_numbered && m_typed && m_good)
        refuse("microbatch", "%1 is missing (older plans: minibatch); what load_nsys_events.py "
                             "writes has none, import the .sqlite files in its place");
    if (m_node.rank < 0)
        m_node.rank = listRank;
    else if (listRank >= 0 && m_node.rank != listRank)
        refuse("stage", "%1 is %2 in the list of rank %3", m_node.rank, listRank);
    if (m_node.rank < 0 && m_good)
        refuse("stage", "%1 is missing; it is the rank");
    if (m_node.start && m_node.end && *m_node.end < *m_node.start)
        refuse("completion_time", "%1 lies before start_time");
    if (static_cast<std::int64_t>(m_nodes.nodes.size()) >= maxSailNodes) {
        if (m_good)
            m_plan.problems.add(m_node.place,
                                said("more than %1 nodes, the most that is read", maxSailNodes));
        return;
    }
    m_nodes.peers |= m_node.recvPeer >= 0 || m_node.sendPeer >= 0;
    if (m_good)
        m_nodes.nodes.push_back(m_node);
}

void SailNodeMaker::tellUnknown()
{
    if (m_unknown.empty())
        return;
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(m_unknown.size(), 5); ++i)
        list += (list.empty() ? "" : ", ") + inQuotes(m_unknown[i]);
    m_plan.notes.add({}, said("fields that say nothing of a plan are left out: %1%2", list,
                              m_unknown.size() > 5 ? said(" and others") : Sentence()));
}

void readSailJson(std::string_view text, SailNodes& nodes, SailPlan& plan)
{
    plan.lineName = "list";
    plan.columnName = "node";
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.substr(0, byteOrderMark.size()) == byteOrderMark)
        text.remove_prefix(byteOrderMark.size());
    const Result<JsonDocument> json = parseJson(text, maxSailBytes);
    if (!json) {
        plan.problems.add({}, json.error().message);
        return;
    }
    JsonLists(nodes, plan).read(*json);
}

} // namespace pw
