// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/sail_plan.h"

#include <array>

// What the parts of the reader of sail-sg's plans share; nobody else includes this.
namespace pw {

enum class SailKind : std::uint8_t
{
    F, ///< these five are passes
    B,
    W,
    BW,
    R,
    SendForward,
    RecvForward,
    SendBackward,
    RecvBackward,
    PostValidation, ///< of the optimizer, and its messages
    Vocabulary,     ///< passes and exchanges of an embedding that is split over all ranks
    Barrier,
    OffloadSendStart,
    OffloadSendEnd,
    OffloadRecvPrep,
    OffloadRecvStart,
    OffloadRecvEnd
};

constexpr bool isSailPass(SailKind kind)
{
    return kind <= SailKind::R;
}

constexpr bool isSailOffload(SailKind kind)
{
    return kind > SailKind::Barrier;
}

constexpr PassKind sailPassKind(SailKind kind)
{
    constexpr std::array<PassKind, 5> kinds = {PassKind::F, PassKind::B, PassKind::W, PassKind::BW,
                                               PassKind::R};
    return isSailPass(kind) ? kinds[static_cast<std::size_t>(kind)] : PassKind::F;
}

/// A type as nodes have it, and as the printed table has it.
struct SailType
{
    std::string_view name;
    std::string_view word;
    SailKind kind;
};

/// The type of a node's name, of any version; null if there is none.
const SailType* sailTypeOfName(std::string_view name);
/// The type of a word of the printed table, upper case.
const SailType* sailTypeOfWord(std::string_view word);
/// The name that nodes have.
std::string_view sailName(SailKind kind);

struct SailNode
{
    SailKind kind = SailKind::F;
    bool recompute = false;
    bool offload = false;
    std::int32_t rank = -1;
    std::int32_t microBatch = 0;
    std::int32_t chunk = 0;
    std::int32_t segment = 0;
    std::int32_t group = -1; ///< layer_group_idx, our stage; −1: not said
    std::int32_t recvPeer = -1;
    std::int32_t sendPeer = -1;
    std::optional<double> start;
    std::optional<double> end;
    FilePlace place;
};

/// The nodes of a file as they stand there.
struct SailNodes
{
    std::vector<SailNode> nodes; ///< of every rank in its order
    std::int32_t ranks = 0;      ///< lists or lines; 0: as many as nodes name
    bool peers = false;          ///< nodes say who sends to whom
};

/// A value of a field, of JSON or of Python.
struct SailValue
{
    enum class Type : std::uint8_t
    {
        Null,
        Number,
        Truth,
        Text,
        Other
    };

    Type type = Type::Null;
    double number = 0;
    bool truth = false;
    std::string_view text;
};

/// Makes nodes of fields under the several names that versions of the runtime gave them.
class SailNodeMaker
{
public:
    SailNodeMaker(SailNodes& nodes, SailPlan& plan)
        : m_nodes(nodes)
        , m_plan(plan)
    {
    }

    void begin(FilePlace place);
    void set(std::string_view name, const SailValue& value);
    /// @param listRank  the list that the node stands in; −1: the node has to say its rank
    void finish(std::int32_t listRank);
    /// Says which fields were left aside.
    void tellUnknown();

private:
    /// @param pattern  of the sentence; %1 is the field's name
    template<typename... Arguments>
    void refuse(std::string_view name, Pattern<std::string_view, Arguments...> pattern,
                const Arguments&... arguments)
    {
        refuse(said("field %1", said<std::string_view, Arguments...>(pattern, name, arguments...)));
    }
    void refuse(Sentence what);
    bool setType(const SailValue& value);
    void setCount(std::string_view name, const SailValue& value, std::int32_t most,
                  std::int32_t& into);
    void setTime(std::string_view name, const SailValue& value, std::optional<double>& into);

    SailNodes& m_nodes;
    SailPlan& m_plan;
    SailNode m_node;
    bool m_typed = false;
    bool m_numbered = false; // has a micro-batch
    bool m_good = true;
    std::vector<std::string> m_unknown;
};

/// The three forms. Each names its places and adds its problems.
void readSailJson(std::string_view text, SailNodes& nodes, SailPlan& plan);
void readSailNodeTexts(std::string_view text, SailNodes& nodes, SailPlan& plan);
void readSailWords(std::string_view text, SailNodes& nodes, SailPlan& plan);

/// Whether all words of a line are those of the printed table.
/// @param lower  only lines with a forward pass in lower case
bool isSailLine(std::string_view line, bool lower);
/// The line without what a launcher has put in front of it.
std::string_view withoutLogPrefix(std::string_view line);

/// Gives every node its stage, and the draft its placement. @return false after a problem
bool settleSailStages(SailNodes& nodes, SailPlan& plan);

/// What passes take, from the times of the nodes.
void readSailCosts(const SailNodes& nodes, SailPlan& plan);

/// What is left out of the draft, and which activations go to the host.
void tellSailRest(const SailNodes& nodes, SailPlan& plan);

/// Index of a (stage, micro-batch, segment) in a table over a spec.
inline std::size_t sailCell(const PipelineSpec& spec, const SailNode& node)
{
    return (static_cast<std::size_t>(node.group) * static_cast<std::size_t>(spec.microBatches) +
            static_cast<std::size_t>(node.microBatch)) *
               spec.segmentLengths.size() +
           static_cast<std::size_t>(node.segment);
}

} // namespace pw
