// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/keep_meter.h"

#include "core/base/try.h"
#include "core/sqlite/sqlite.h"

#include <algorithm>

namespace pw {

KeepMeter::KeepMeter(Database& database, const KeepOn& goOn, std::int64_t all)
    : m_database(database)
    , m_goOn(goOn)
    , m_all(std::max<std::int64_t>(all, 1))
{
}

Result<std::int64_t> KeepMeter::used()
{
    return m_database.number(
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, "
        "pragma_freelist_count, pragma_page_size");
}

Result<void> KeepMeter::ask()
{
    if (!m_goOn)
        return {};
    PW_TRY(const std::int64_t now, used());
    if (m_usedBefore < 0)
        m_usedBefore = now;
    const KeepProgress progress{
        std::min(static_cast<double>(m_done) / static_cast<double>(m_all), 1.0),
        std::max<Bytes>(now - m_usedBefore, 0)};
    if (m_goOn(progress))
        return {};
    return fail(ErrorCode::Cancelled, "keeping was stopped; nothing of it is in %1",
                m_database.path());
}

} // namespace pw
