// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/span_name.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What a kind in a rule stands for.
struct RuleKind
{
    SpanRole role = SpanRole::Pass;
    PassKind kind = PassKind::F;
    /// B: the input part where the trace has W passes, else the whole backward.
    bool open = false;

    friend bool operator==(const RuleKind&, const RuleKind&) = default;
};

/// A pattern for a name of a foreign trace: text, `*` for any text, and fields in braces.
///
///     {kind} mb{micro-batch} of stage {stage}
///     *{kind:fprop=F,bprop=BW}*/{micro-batch}
///     MyForward {micro-batch}{kind=F}
///
/// A pattern matches a name as a whole, in upper and lower case as written.
/// - `{stage}`, `{micro-batch}`, `{chunk}`, `{rank}`, `{segment}` and `{iteration}` take the digits
///   of a whole number.
/// - `{kind}` takes a usual word: fwd, forward, F … in any case. `{kind:word=KIND,…}` takes the
///   words that it lists, as written. `{kind=KIND}` takes no text. KIND is F, B, W, BW, R, U,
///   send-F, recv-F, send-B, recv-B or step. Of two words that both fit, the longer is taken.
/// - `\` before a character takes away its meaning.
///
/// Beside a `*` a number takes all digits that stand there, and `{kind}` no part of a longer word.
/// A `*` takes as little as it can.
///
/// Matching is bounded: time and memory are at most the length of the pattern times that of the
/// name, whatever they are.
class NamePattern
{
public:
    /// The longest one, in bytes.
    static constexpr std::size_t longest = 1000;

    /// @param kind    whether it says one
    /// @error Syntax  with the character, counted from 1: "character 8: {stgae} is not a field …"
    static Result<NamePattern> parse(std::string_view text, bool kind);

    /// What a name says by this pattern; nothing where it does not match.
    std::optional<SpanName> read(std::string_view name) const;

    /// What a number of a pattern is of.
    enum class Number : std::uint8_t
    {
        Stage,
        MicroBatch,
        Chunk,
        Rank,
        Segment,
        Iteration,
        Replica
    };
    /// The field of a pattern that is one number and nothing else; none of others.
    std::optional<Number> onlyNumber() const;

private:
    friend class RuleParser;
    friend class RuleMatch;

    enum class Field : std::uint8_t
    {
        Text,
        Any,
        Kind,
        Stage, ///< from here on as in `Number`
        MicroBatch,
        Chunk,
        Rank,
        Segment,
        Iteration,
        Replica
    };

    struct Word
    {
        std::string text;
        RuleKind kind;
    };

    struct Part
    {
        Field field = Field::Text;
        std::string text{}; // of Text
    };

    std::vector<Part> m_parts;
    std::vector<Word> m_words; // of {kind}; the longest first
    std::optional<RuleKind> m_fixed;
    bool m_anyCase = false; // words
};

} // namespace pw
