// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/name_pattern.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// A person's rule for the names of a foreign trace: a `NamePattern`, or several that are joined
/// with ` & ` for what a file says elsewhere, too:
///
///     process:DP rank [{replica}] & thread:PP rank {rank},* & {kind}-compute &
///     args:mb={micro-batch}
///
/// - `process:`, `thread:` and `file:` and a pattern without {kind}: the name of the process, of
///   the thread, and of the file with its folder. A span counts where all of them match; `{rank}`
///   and `{replica}` say whose the thread is.
/// - `args:KEY={field}`: an argument that is a number.
/// - `name:`, or nothing: the span's name.
class NameRule
{
public:
    using Number = NamePattern::Number;

    /// An argument that a rule knows.
    struct Argument
    {
        std::string key;
        Number number = Number::MicroBatch;
    };

    /// The longest pattern, in bytes.
    static constexpr std::size_t longest = NamePattern::longest;

    /// @error Syntax  with the character, and in a joined rule with the part, counted from 1
    static Result<NameRule> parse(std::string_view pattern);

    const std::string& pattern() const { return m_pattern; }
    /// What a name says by this rule; nothing where it does not match.
    std::optional<SpanName> read(std::string_view name) const { return m_name.read(name); }

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
    NameRule(std::string_view text, NamePattern name)
        : m_pattern(text)
        , m_name(std::move(name))
    {
    }

    /// Takes a part of a joined rule that is not the name.
    Result<void> takePlace(std::string_view source, std::string_view pattern);

    std::string m_pattern;
    NamePattern m_name;
    // Without a kind.
    std::optional<NamePattern> m_process;
    std::optional<NamePattern> m_thread;
    std::optional<NamePattern> m_file;
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
