// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_kind.h"
#include "core/trace/name_rule.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pw {

/// A map whose texts are looked up without making one.
struct TextHash
{
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const
    {
        return std::hash<std::string_view>{}(text);
    }
};

template<typename T>
using ByText = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// Names and labels that all files of a trace share, found again by their text.
class TraceNames
{
public:
    /// @param rules    of a person for foreign names
    /// @param kernels  likewise for what kernels do
    explicit TraceNames(Trace& trace, std::vector<NameRule> rules = {},
                        std::vector<KernelRule> kernels = {});
    ~TraceNames();
    TraceNames(const TraceNames&) = delete;
    TraceNames& operator=(const TraceNames&) = delete;

    /// The index of a name in `Trace::names`; bytes that are not UTF-8 become U+FFFD.
    std::int32_t indexOf(std::string_view name);
    /// What a name says of the pipeline. Until the next name.
    const SpanName& said(std::int32_t name) const;
    /// What a kernel of that name does.
    ActivityKind kernelKind(std::int32_t name) const;
    /// The same for a kernel that has another name beside the one that is kept.
    ActivityKind kernelKind(std::int32_t name, std::string_view other) const;
    /// The index of a process group in `Trace::groups`.
    std::int32_t groupOf(const ProcessGroup& group);
    /// Where names and groups of others, in their order, are among these.
    struct Places
    {
        std::vector<std::int32_t> names;
        std::vector<std::int32_t> groups;
    };
    /// Takes in names and groups of a trace that was read by the same rules.
    Places takeOver(const TraceNames& other);
    /// What a name says by a person's rule; nothing where none matches.
    std::optional<SpanName> saidByRule(std::string_view name) const;
    /// The rule that a `SpanName::placeRule` means.
    const NameRule& rule(std::int32_t number) const;
    /// What an argument is by a person's rule or a shipped one; nothing where none knows it.
    std::optional<NameRule::Number> argument(std::string_view key) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// Valid UTF-8: other bytes become U+FFFD.
std::string cleanText(std::string_view text);

/// Names longer than this are cut.
constexpr std::size_t longestName = 4096;

} // namespace pw
