// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/row_values.h"

#include "core/base/assert.h"

#include <sqlite3.h>

namespace pw {

std::int64_t RowValues::converted(int column) const
{
    return isNull(column) ? 0 : sqlite3_value_int64(m_values[column]);
}

std::string_view RowValues::view(int column) const
{
    if (isNull(column))
        return {};
    sqlite3_value* const value = m_values[column];
    const auto* text = sqlite3_value_text(value);
    if (text == nullptr)
        return {};
    return {reinterpret_cast<const char*>(text),
            static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

bool RowTaking::next(int count, sqlite3_value** values)
{
    PW_ASSERT(count <= RowValues::mostColumns);
    ++m_rows;
    m_row.m_values = values;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        switch (sqlite3_value_type(values[i])) {
        case SQLITE_INTEGER:
            m_row.m_kinds[at] = RowValues::Kind::Whole;
            m_row.m_wholes[at] = sqlite3_value_int64(values[i]);
            break;
        case SQLITE_NULL:
            m_row.m_kinds[at] = RowValues::Kind::Null;
            break;
        default:
            m_row.m_kinds[at] = RowValues::Kind::Other;
        }
    }
    try {
        m_ended = !m_take(m_row);
    } catch (...) {
        m_thrown = std::current_exception();
        m_ended = true;
    }
    return !m_ended;
}

Result<std::int64_t> RowTaking::outcome(const Result<bool>& done) const
{
    if (m_thrown)
        std::rethrow_exception(m_thrown);
    if (!done && !m_ended)
        return fail(done.error());
    return m_rows;
}

namespace {

void takeStep(sqlite3_context* context, int count, sqlite3_value** values)
{
    RowTaking* const taking = *static_cast<RowTaking**>(sqlite3_user_data(context));
    if (taking == nullptr || !taking->next(count, values))
        sqlite3_result_error(context, "ended", -1);
}

void takeEnd(sqlite3_context*) {}

} // namespace

void addTakeFunction(sqlite3* database, RowTaking** slot)
{
    // An aggregate: its step is called for every row inside one run of the statement. No view or
    // trigger of a file names it.
    (void)sqlite3_create_function_v2(database, "pw_take", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, slot,
                                     nullptr, takeStep, takeEnd, nullptr);
}

} // namespace pw
