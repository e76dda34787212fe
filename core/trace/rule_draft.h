// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// What a number of a name stands for, as somebody who writes a rule says it.
enum class NumberMeaning : std::uint8_t
{
    Itself, ///< it has to be this number
    Any,    ///< it may be any text
    MicroBatch,
    Stage,
    Chunk,
    Rank,
    Replica,
    Segment,
    Iteration
};

constexpr int numberMeaningCount = 9;

/// The field of a rule: "{micro-batch}"; of `Any` "*", of `Itself` nothing.
std::string_view fieldOf(NumberMeaning meaning);

/// The kinds that a rule may give a name: "F", "B", "W", "BW", "R", "U", "send-F" …
constexpr std::array<std::string_view, 12> ruleKindNames = {
    "F", "B", "W", "BW", "R", "U", "send-F", "recv-F", "send-B", "recv-B", "step", "rest"};

/// A piece of what a span says of itself.
struct RulePiece
{
    std::string text;
    bool number = false;
    NumberMeaning meaning = NumberMeaning::Any; ///< of a number
};

/// Something that a span says: its name, its process, its thread, or an argument.
struct RuleSource
{
    std::string title; ///< "name", "process", "thread", or the argument's key
    bool argument = false;
    std::vector<RulePiece> pieces;

    /// Whether a number of it stands for something.
    bool speaks() const;
};

/// A rule in the making: a span's texts, cut at their numbers, and what somebody says each stands
/// for. What is guessed is what people usually mean: a number behind "mb" is a micro-batch.
class RuleDraft
{
public:
    using Arguments = std::vector<std::pair<std::string, std::string>>;

    RuleDraft() = default;
    /// @param process, thread  as files name them; may be empty
    /// @param arguments        those that are whole numbers can be used
    RuleDraft(std::string_view name, std::string_view process, std::string_view thread,
              const Arguments& arguments);

    const std::vector<RuleSource>& sources() const { return m_sources; }
    /// @param kind  of `ruleKindNames`; empty: not said yet
    void setKind(std::string_view kind) { m_kind = kind; }
    const std::string& kind() const { return m_kind; }
    void setMeaning(std::size_t source, std::size_t piece, NumberMeaning meaning);
    /// The rule as `NameRule::parse` takes it; empty where no kind is said.
    std::string pattern() const;

private:
    std::vector<RuleSource> m_sources;
    std::string m_kind;
};

struct TraceTrack;

/// What the part `process:` of a rule is held against: the name of a track's process, else its
/// number. A track says both, the number behind the name.
std::string_view processSaid(const TraceTrack& track);

} // namespace pw
