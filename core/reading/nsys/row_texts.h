// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/nsys/nsys_content.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pw::nsys {

/// What a text id stands for.
struct KnownText
{
    std::int32_t name = -1;
    std::int32_t iteration = -1;
    std::int32_t rankNumber = -1;
    std::int32_t segment = -1;
};

/// What a kernel's names say.
struct KnownKernel
{
    std::int64_t longName = 0; ///< its id
    std::int32_t name = -1;
    ActivityKind activity = ActivityKind::Compute;
    DeviceWork work = DeviceWork::Compute;
};

/// What the texts say that rows name by an id. Texts are few and rows are many, so each is read and
/// understood once.
class RowTexts
{
public:
    RowTexts(NsysTables& tables, Content& content)
        : m_tables(tables)
        , m_in(content)
    {
    }

    Result<std::int32_t> nameOfId(std::int64_t id);
    /// Of a call of the device's runtime.
    Result<std::int32_t> callOfId(std::int64_t id);
    Result<KnownText> rangeOfId(std::int64_t id);
    KnownText rangeOf(std::string_view text);
    /// Of a row whose columns 6 and 7 are the short and the long name.
    Result<KnownKernel> kernelOf(const RowValues& row);

private:
    Result<std::string> textOf(std::int64_t id);
    Result<ActivityKind> kernelKind(const RowValues& row, std::int32_t name);

    NsysTables& m_tables;
    Content& m_in;
    std::unordered_map<std::int64_t, KnownKernel> m_kernels; ///< by the id of the name
    std::unordered_map<std::int64_t, std::int32_t> m_names;
    std::unordered_map<std::int64_t, std::int32_t> m_calls;
    std::unordered_map<std::int64_t, KnownText> m_ranges;
    std::unordered_map<std::int64_t, ActivityKind> m_kinds;
};

} // namespace pw::nsys
