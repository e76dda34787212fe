// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_budget.h"

#include "core/base/text.h"

namespace pw {

bool ImportGuard::fine(const std::string& file, std::int64_t unpacked, std::int64_t size)
{
    if (!m_refusal.empty())
        return false;
    // A failed attempt takes its names back.
    if (m_names > m_trace.names.size())
        m_names = m_trace.names.size();
    for (; m_names < m_trace.names.size(); ++m_names)
        m_nameBytes += static_cast<std::int64_t>(m_trace.names[m_names].size());
    const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    if (count(m_trace.spans.size()) > m_budget.spans)
        m_refusal = "more than " + groupedNumber(m_budget.spans) + " spans";
    else if (count(m_trace.tracks.size()) > m_budget.tracks)
        m_refusal = "more than " + groupedNumber(m_budget.tracks) + " tracks";
    else if (m_nameBytes > m_budget.nameBytes)
        m_refusal = "names of more than " + byteText(m_budget.nameBytes) + " together";
    else if (unpacked > m_budget.freeUnpacked && unpacked / m_budget.unpacking > size)
        m_refusal = byteText(unpacked) + " packed into " + byteText(size) + ", more than " +
                    std::to_string(m_budget.unpacking) + " times";
    if (!m_refusal.empty())
        m_refusal = file + " has " + m_refusal + ", the most that is read";
    return m_refusal.empty();
}

} // namespace pw
