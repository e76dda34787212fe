// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/row_batch.h"

#include "core/base/try.h"

#include <utility>

namespace pw {

Result<RowBatch> RowBatch::open(Database& database, std::string_view table,
                                std::string_view columns, RunNumber run)
{
    PW_TRY(FeedInsert insert, FeedInsert::open(database, table, "run", columns));
    return RowBatch(database, std::move(insert), run);
}

Result<void> RowBatch::flush()
{
    if (m_feed->rows() == 0)
        return {};
    PW_TRY(const bool done, m_insert.run(m_run, *m_feed));
    if (!done)
        return fail(m_database->error("cannot be written"));
    m_feed->clear();
    return {};
}

} // namespace pw
