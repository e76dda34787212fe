// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/span_name.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
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

/// A person's rule for the names of a foreign trace: a pattern of text, `*` for any text, and
/// fields in braces.
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
/// A rule may join what a file says elsewhere, one part after the other with ` & ` between them:
///
///     process:DP rank [{replica}] & thread:PP rank {rank},* & {kind}-compute &
///     args:mb={micro-batch}
///
/// - `process:`, `thread:` and `file:` and a pattern without {kind}: the name of the process, of
/// the
///   thread, and of the file with its folder. A span counts where all of them match; `{rank}` and
///   `{replica}` say whose the thread is.
/// - `args:KEY={field}`: an argument that is a number.
/// - `name:`, or nothing: the span's name.
///
/// Beside a `*` a number takes all digits that stand there, and `{kind}` no part of a longer word.
/// A `*` takes as little as it can.
///
/// Matching is bounded: time and memory are at most the length of the pattern times that of the
/// name, whatever they are.
class NameRule
{
public:
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

    /// An argument that a rule knows.
    struct Argument
    {
        std::string key;
        Number number = Number::MicroBatch;
    };

    /// The longest pattern, in bytes.
    static constexpr std::size_t longest = 1000;

    /// @error Syntax  with the character, counted from 1: "character 8: {stgae} is not a field …"
    static Result<NameRule> parse(std::string_view pattern);

    const std::string& pattern() const { return m_pattern; }
    /// What a name says by this rule; nothing where it does not match.
    std::optional<SpanName> read(std::string_view name) const;

    /// Whether it looks at more than names and arguments.
    bool hasPlaces() const { return m_process || m_thread || m_file; }
    /// What process, thread and file say together; nothing where one of them does not match.
    std::optional<SpanName> readPlace(std::string_view process, std::string_view thread,
                                      std::string_view file) const;
    const std::vector<Argument>& arguments() const { return m_arguments; }

    friend bool operator==(const NameRule& a, const NameRule& b)
    {
        return a.m_pattern == b.m_pattern;
    }

private:
    friend class RuleParser;
    friend class RuleMatch;

    /// One pattern. @param kind  whether it says one
    static Result<NameRule> parsePattern(std::string_view pattern, bool kind);
    /// Takes a part of a joined rule that is not the name.
    Result<void> takePlace(std::string_view source, std::string_view pattern);

    enum class Field : std::uint8_t
    {
        Text,
        Any,
        Kind,
        Stage,
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

    std::string m_pattern;
    std::vector<Part> m_parts;
    std::vector<Word> m_words; // of {kind}; the longest first
    std::optional<RuleKind> m_fixed;
    bool m_anyCase = false; // words
    // Patterns of their own, without a kind.
    std::shared_ptr<const NameRule> m_process;
    std::shared_ptr<const NameRule> m_thread;
    std::shared_ptr<const NameRule> m_file;
    std::vector<Argument> m_arguments;
};

/// Rules for what programs write whose traces are read without a rule of a person's.
const std::vector<NameRule>& shippedRules();

/// Reads a span's name with rules: names that begin with `PP:` say what they are and are no matter
/// for rules; then the first rule that matches; then what `readSpanName(name)` knows.
SpanName readSpanName(std::string_view name, const std::vector<NameRule>& rules);

/// The rule that reads a name, an index; −1: none.
int ruleOf(std::string_view name, const std::vector<NameRule>& rules);

/// What each rule did in a trace that was read with them, in a sentence for each rule: "rule
/// '{kind}_{mb}' reads 12 names of 480 spans".
std::vector<std::string> ruleNotes(const Trace& trace, const std::vector<NameRule>& rules);

/// What a name says of a span, in words: "F, stage 2, micro-batch 3"; empty where it says nothing.
std::string describe(const SpanName& said);

} // namespace pw
