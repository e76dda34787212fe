// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/nsys/row_texts.h"

#include "core/base/try.h"
#include "core/reading/nsys/nsys_range_text.h"
#include "core/trace/message_split.h"

#include <string>

namespace pw::nsys {

/// The text of an id, or what stands for it where there is none.
Result<std::string> RowTexts::textOf(std::int64_t id)
{
    Result<std::string> text = m_tables.text(id);
    if (text && text->empty()) {
        ++m_in.withoutText;
        *text = "string " + std::to_string(id);
    }
    return text;
}

Result<std::int32_t> RowTexts::nameOfId(std::int64_t id)
{
    if (const auto known = m_names.find(id); known != m_names.end())
        return known->second;
    PW_TRY(const std::string text, textOf(id));
    const std::int32_t name = m_in.names.indexOf(std::string_view(text).substr(0, longestName));
    m_names.emplace(id, name);
    return name;
}

KnownText RowTexts::rangeOf(std::string_view text)
{
    const RangeText said = readRangeText(text.substr(0, longestName));
    return {m_in.names.indexOf(said.name), said.iteration, said.rankNumber, said.segment};
}

Result<KnownText> RowTexts::readRange(std::int64_t id)
{
    PW_TRY(const std::string text, textOf(id));
    return m_ranges.keep(id, rangeOf(text));
}

/// Without the version that the exporter puts behind it: "cudaLaunchKernel_v7000".
Result<KnownCall> RowTexts::readCall(std::int64_t id)
{
    PW_TRY(std::string text, textOf(id));
    const std::size_t version = text.rfind("_v");
    if (version != std::string::npos &&
        text.find_first_not_of("0123456789", version + 2) == std::string::npos)
        text.resize(version);
    const std::int32_t name = m_in.names.indexOf(std::string_view(text).substr(0, longestName));
    return m_calls.keep(id, {name, callKind(m_in.trace.names[m_in.at(name)])});
}

/// By the short name; where that is of any kernel, by the one with its namespaces.
Result<ActivityKind> RowTexts::kernelKind(const RowValues& row, std::int32_t name)
{
    const ActivityKind kind = m_in.names.kernelKind(name);
    if (kind != ActivityKind::Compute || row.isNull(6) || row.isNull(7))
        return kind;
    const std::int64_t id = row.whole(7);
    if (const auto known = m_kinds.find(id); known != m_kinds.end())
        return known->second;
    PW_TRY(const std::string text, textOf(id));
    const ActivityKind full = m_in.names.kernelKind(name, text);
    m_kinds.emplace(id, full);
    return full;
}

Result<KnownKernel> RowTexts::readKernel(const RowValues& row, std::int64_t id,
                                         std::int64_t shortName)
{
    KnownKernel kernel;
    kernel.shortName = shortName;
    PW_TRY(kernel.name, nameOfId(row.whole(row.isNull(6) ? 7 : 6)));
    PW_TRY(kernel.activity, kernelKind(row, kernel.name));
    kernel.work = isSendReceiveKernel(m_in.trace.names[m_in.at(kernel.name)]) ? DeviceWork::Message
                                                                              : DeviceWork::Compute;
    return m_kernels.keep(id, kernel);
}

} // namespace pw::nsys
