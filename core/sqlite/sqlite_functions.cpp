// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/sqlite_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

namespace {

std::string_view sqlText(sqlite3_value* value)
{
    const auto* text = sqlite3_value_text(value);
    if (text == nullptr)
        return {};
    return {reinterpret_cast<const char*>(text),
            static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

bool isSqlNull(sqlite3_value* value)
{
    return sqlite3_value_type(value) == SQLITE_NULL;
}

void answerText(sqlite3_context* context, std::string_view text)
{
    sqlite3_result_text64(context, text.empty() ? "" : text.data(), text.size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8);
}

/// Finds a text in another one, each byte looked at a few times at most (Knuth, Morris, Pratt).
class WordSearch
{
public:
    explicit WordSearch(std::string_view word)
        : m_word(word)
        , m_back(word.size() + 1, 0)
    {
        for (std::size_t i = 1, k = 0; i < word.size(); ++i) {
            while (k > 0 && word[i] != word[k])
                k = m_back[k];
            k += word[i] == word[k] ? 1 : 0;
            m_back[i + 1] = k;
        }
    }

    /// @pre  the word is not empty
    std::size_t find(std::string_view text, std::size_t from) const
    {
        std::size_t k = 0;
        for (std::size_t i = from; i < text.size(); ++i) {
            while (k > 0 && text[i] != m_word[k])
                k = m_back[k];
            k += text[i] == m_word[k] ? 1 : 0;
            if (k == m_word.size())
                return i + 1 - k;
        }
        return std::string_view::npos;
    }

private:
    std::string_view m_word;
    std::vector<std::size_t> m_back;
};

bool beginsCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

void replaceIn(sqlite3_context* context, int, sqlite3_value** values)
{
    if (isSqlNull(values[0]) || isSqlNull(values[1]) || isSqlNull(values[2]))
        return;
    const std::string_view text = sqlText(values[0]), word = sqlText(values[1]),
                           with = sqlText(values[2]);
    if (word.empty()) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    const auto longest = static_cast<std::size_t>(
        sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
    const WordSearch search(word);
    std::string made;
    std::size_t from = 0;
    for (std::size_t at = search.find(text, 0); at != std::string_view::npos;
         at = search.find(text, from)) {
        made.append(text.substr(from, at - from)).append(with);
        from = at + word.size();
        if (made.size() > longest) {
            sqlite3_result_error_toobig(context);
            return;
        }
    }
    answerText(context, made.append(text.substr(from)));
}

/// Counts characters of texts, bytes of two blobs; from 1, and 0 for none.
void findIn(sqlite3_context* context, int, sqlite3_value** values)
{
    if (isSqlNull(values[0]) || isSqlNull(values[1]))
        return;
    const bool bytes = sqlite3_value_type(values[0]) == SQLITE_BLOB &&
                       sqlite3_value_type(values[1]) == SQLITE_BLOB;
    const auto content = [bytes](sqlite3_value* value) -> std::string_view {
        if (!bytes)
            return sqlText(value);
        const auto* blob = static_cast<const char*>(sqlite3_value_blob(value));
        const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
        return blob == nullptr ? std::string_view() : std::string_view(blob, size);
    };
    const std::string_view text = content(values[0]), word = content(values[1]);
    const std::size_t at = word.empty() ? 0 : WordSearch(word).find(text, 0);
    if (at == std::string_view::npos) {
        sqlite3_result_int(context, 0);
        return;
    }
    const auto before =
        bytes ? static_cast<std::int64_t>(at)
              : static_cast<std::int64_t>(std::count_if(
                    text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), beginsCharacter));
    sqlite3_result_int64(context, before + 1);
}

std::size_t firstCharacter(std::string_view text)
{
    std::size_t size = text.empty() ? 0 : 1;
    while (size < text.size() && !beginsCharacter(text[size]))
        ++size;
    return size;
}

enum TrimmedEnds : int
{
    trimsLeft = 1,
    trimsRight = 2
};

void trimText(sqlite3_context* context, int count, sqlite3_value** values)
{
    if (isSqlNull(values[0]) || (count > 1 && isSqlNull(values[1])))
        return;
    std::string_view text = sqlText(values[0]);
    std::vector<std::string_view> taken;
    std::string_view rest = count > 1 ? sqlText(values[1]) : std::string_view(" ");
    while (!rest.empty()) {
        const std::size_t size = firstCharacter(rest);
        taken.push_back(rest.substr(0, size));
        rest.remove_prefix(size);
    }
    std::sort(taken.begin(), taken.end());
    const auto goes = [&taken](std::string_view character) {
        return std::binary_search(taken.begin(), taken.end(), character);
    };
    const auto ends = *static_cast<const int*>(sqlite3_user_data(context));
    while ((ends & trimsLeft) != 0 && !text.empty()) {
        const std::size_t size = firstCharacter(text);
        if (!goes(text.substr(0, size)))
            break;
        text.remove_prefix(size);
    }
    while ((ends & trimsRight) != 0 && !text.empty()) {
        std::size_t at = text.size() - 1;
        while (at > 0 && !beginsCharacter(text[at]))
            --at;
        if (!goes(text.substr(at)))
            break;
        text = text.substr(0, at);
    }
    answerText(context, text);
}

/// Writes what a format asks for, one conversion after the other, each by SQLite itself.
class BoundedFormat
{
public:
    BoundedFormat(sqlite3_context* context, int count, sqlite3_value** values)
        : m_context(context)
        , m_count(count)
        , m_values(values)
        , m_made(sqlite3_str_new(sqlite3_context_db_handle(context)))
    {
    }
    ~BoundedFormat() { sqlite3_free(sqlite3_str_finish(m_made)); }
    BoundedFormat(const BoundedFormat&) = delete;
    BoundedFormat& operator=(const BoundedFormat&) = delete;

    void write()
    {
        const std::string_view format = sqlText(m_values[0]);
        std::size_t at = 0;
        while (at < format.size() && sqlite3_str_errcode(m_made) == SQLITE_OK) {
            const std::size_t mark = std::min(format.find('%', at), format.size());
            sqlite3_str_append(m_made, format.data() + at, static_cast<int>(mark - at));
            at = mark;
            if (at < format.size() && !convert(format, at))
                break;
        }
        if (m_refused)
            sqlite3_result_error(m_context,
                                 "a width or a precision of printf is at most 1000 characters", -1);
        else if (sqlite3_str_errcode(m_made) == SQLITE_TOOBIG)
            sqlite3_result_error_toobig(m_context);
        else if (sqlite3_str_errcode(m_made) != SQLITE_OK)
            sqlite3_result_error_nomem(m_context);
        else
            answerText(m_context, {sqlite3_str_length(m_made) == 0 ? "" : sqlite3_str_value(m_made),
                                   static_cast<std::size_t>(sqlite3_str_length(m_made))});
    }

private:
    static constexpr std::int64_t most = 1000;

    sqlite3_value* take() { return m_next < m_count ? m_values[m_next++] : nullptr; }
    std::int64_t takeWhole()
    {
        sqlite3_value* const value = take();
        return value == nullptr ? 0 : sqlite3_value_int64(value);
    }
    std::string takeText()
    {
        sqlite3_value* const value = take();
        return value == nullptr ? std::string() : std::string(sqlText(value));
    }

    /// A number in the format, or the next value for a star. @return  −1: none
    std::int64_t number(std::string_view format, std::size_t& at)
    {
        if (at < format.size() && format[at] == '*') {
            ++at;
            return takeWhole();
        }
        std::int64_t found = -1;
        while (at < format.size() && format[at] >= '0' && format[at] <= '9')
            found =
                std::min(std::max<std::int64_t>(found, 0) * 10 + (format[at++] - '0'), most + 1);
        return found;
    }

    /// @param at  of its percent sign; then behind it. @return  false: it and the rest stay out
    bool convert(std::string_view format, std::size_t& at)
    {
        if (++at == format.size()) {
            sqlite3_str_appendchar(m_made, 1, '%');
            return false;
        }
        std::string one = "%";
        while (at < format.size() &&
               std::string_view("-+ 0#,!").find(format[at]) != std::string_view::npos)
            one += format[at++];
        const bool star = at < format.size() && format[at] == '*';
        std::int64_t width = number(format, at);
        if (star && width < 0) {
            one += '-';
            width = width < -most ? most + 1 : -width;
        }
        std::int64_t precision = -1;
        if (at < format.size() && format[at] == '.') {
            ++at;
            const bool given = at < format.size() && format[at] == '*';
            precision = number(format, at);
            if (precision < 0)
                precision = given ? std::max(precision, -most - 1) * -1 : 0;
        }
        m_refused = width > most || precision > most;
        while (at < format.size() && format[at] == 'l')
            ++at;
        if (m_refused || at >= format.size())
            return false;
        if (width >= 0)
            one += std::to_string(width);
        return append(std::move(one), precision, format[at++]);
    }

    bool append(std::string one, std::int64_t precision, char kind)
    {
        if (kind == 'c') {
            const std::string text = takeText();
            const std::string character = text.substr(0, firstCharacter(text));
            std::string repeated = character;
            for (std::int64_t i = 1; i < precision; ++i)
                repeated += character;
            sqlite3_str_appendf(m_made, (one + "s").c_str(), repeated.c_str());
            return true;
        }
        if (precision >= 0)
            one += "." + std::to_string(precision);
        if (std::string_view("diuxXop").find(kind) != std::string_view::npos) {
            one += "ll";
            one += kind == 'p' ? 'X' : kind;
            sqlite3_str_appendf(m_made, one.c_str(), takeWhole());
        } else if (std::string_view("feEgG").find(kind) != std::string_view::npos) {
            sqlite3_value* const value = take();
            one += kind;
            sqlite3_str_appendf(m_made, one.c_str(),
                                value == nullptr ? 0.0 : sqlite3_value_double(value));
        } else if (std::string_view("szqQw").find(kind) != std::string_view::npos) {
            sqlite3_value* const value = take();
            const bool none = value == nullptr || isSqlNull(value);
            const std::string text = none ? std::string() : std::string(sqlText(value));
            one += kind == 'z' ? 's' : kind;
            // What quotes says NULL of a value that is none.
            sqlite3_str_appendf(m_made, one.c_str(),
                                none && kind != 's' && kind != 'z' ? nullptr : text.c_str());
        } else if (kind == '%') {
            sqlite3_str_appendchar(m_made, 1, '%');
        } else {
            return kind == 'n';
        }
        return true;
    }

    sqlite3_context* m_context;
    int m_count;
    sqlite3_value** m_values;
    sqlite3_str* m_made;
    int m_next = 1;
    bool m_refused = false;
};

void formatValues(sqlite3_context* context, int count, sqlite3_value** values)
{
    if (count > 0 && !isSqlNull(values[0]) && !sqlText(values[0]).empty())
        BoundedFormat(context, count, values).write();
}

using SqlFunction = void(sqlite3_context*, int, sqlite3_value**);

/// Nothing is thrown through SQLite.
template<SqlFunction* function>
void keptWhole(sqlite3_context* context, int count, sqlite3_value** values)
{
    try {
        function(context, count, values);
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    }
}

} // namespace

void boundFunctions(sqlite3* database)
{
    static constexpr int left = trimsLeft, right = trimsRight, both = trimsLeft | trimsRight;
    struct Bound
    {
        const char* name;
        int values;
        SqlFunction* function;
        const int* ends = nullptr;
    };
    constexpr std::array<Bound, 10> all = {{{"printf", -1, keptWhole<formatValues>},
                                            {"format", -1, keptWhole<formatValues>},
                                            {"replace", 3, keptWhole<replaceIn>},
                                            {"instr", 2, keptWhole<findIn>},
                                            {"trim", 1, keptWhole<trimText>, &both},
                                            {"trim", 2, keptWhole<trimText>, &both},
                                            {"ltrim", 1, keptWhole<trimText>, &left},
                                            {"ltrim", 2, keptWhole<trimText>, &left},
                                            {"rtrim", 1, keptWhole<trimText>, &right},
                                            {"rtrim", 2, keptWhole<trimText>, &right}}};
    for (const Bound& one : all)
        (void)sqlite3_create_function_v2(
            database, one.name, one.values, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            const_cast<int*>(one.ends), one.function, nullptr, nullptr, nullptr);
}

} // namespace pw
