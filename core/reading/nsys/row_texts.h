// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/nsys/nsys_content.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pw::nsys {

/// What a text id stands for.
struct KnownText
{
    std::int32_t name = -1;
    std::int32_t iteration = -1;
    std::int32_t rankNumber = -1;
    std::int32_t segment = -1;
};

/// What a call's name says.
struct KnownCall
{
    std::int32_t name = -1;
    ActivityKind kind = ActivityKind::Launch;
};

/// What a kernel's names say.
struct KnownKernel
{
    std::int64_t shortName = 0; ///< its id
    std::int32_t name = -1;
    ActivityKind activity = ActivityKind::Compute;
    DeviceWork work = DeviceWork::Compute;
};

/// What is known of texts by their ids. Exports count ids from 0, so nearly all are places of a
/// list.
///
/// @tparam Known  its `name` is −1 where nothing is known
template<typename Known>
class ByTextId
{
public:
    /// Null where nothing is known. Until the next one is kept.
    const Known* find(std::int64_t id) const
    {
        if (static_cast<std::uint64_t>(id) < m_listed.size()) {
            const Known& known = m_listed[static_cast<std::size_t>(id)];
            return known.name >= 0 ? &known : nullptr;
        }
        const auto known = m_others.find(id);
        return known == m_others.end() ? nullptr : &known->second;
    }

    /// In place of what was known.
    const Known& keep(std::int64_t id, const Known& known)
    {
        if (id < 0 || id >= mostListed)
            return m_others.insert_or_assign(id, known).first->second;
        const auto place = static_cast<std::size_t>(id);
        if (place >= m_listed.size())
            m_listed.resize(std::max(place + 1, 2 * m_listed.size()));
        return m_listed[place] = known;
    }

private:
    static constexpr std::int64_t mostListed = 65'536;

    std::vector<Known> m_listed;
    std::unordered_map<std::int64_t, Known> m_others;
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

    /// Of a call of the device's runtime.
    Result<KnownCall> callOfId(std::int64_t id)
    {
        if (const KnownCall* known = m_calls.find(id))
            return *known;
        return readCall(id);
    }
    Result<KnownText> rangeOfId(std::int64_t id)
    {
        if (const KnownText* known = m_ranges.find(id))
            return *known;
        return readRange(id);
    }
    KnownText rangeOf(std::string_view text);
    /// Of a row whose columns 6 and 7 are the short and the long name.
    Result<KnownKernel> kernelOf(const RowValues& row)
    {
        // A short name stands for many long ones, and a long one mostly for one.
        const std::int64_t shortName = row.isNull(6) ? none : row.whole(6);
        const std::int64_t id = row.isNull(7) ? shortName : row.whole(7);
        const KnownKernel* known = m_kernels.find(id);
        if (known != nullptr && known->shortName == shortName)
            return *known;
        return readKernel(row, id, shortName);
    }

private:
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

    Result<std::string> textOf(std::int64_t id);
    Result<KnownCall> readCall(std::int64_t id);
    Result<KnownText> readRange(std::int64_t id);
    Result<KnownKernel> readKernel(const RowValues& row, std::int64_t id, std::int64_t shortName);
    Result<std::int32_t> nameOfId(std::int64_t id);
    Result<ActivityKind> kernelKind(const RowValues& row, std::int32_t name);

    NsysTables& m_tables;
    Content& m_in;
    ByTextId<KnownKernel> m_kernels; ///< by the id of the long name, or of the only one
    ByTextId<KnownCall> m_calls;
    ByTextId<KnownText> m_ranges;
    std::unordered_map<std::int64_t, std::int32_t> m_names;
    std::unordered_map<std::int64_t, ActivityKind> m_kinds;
};

} // namespace pw::nsys
