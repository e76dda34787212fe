// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <rapidjson/document.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace pw {

// The one way in for JSON of any kind. Numbers come as text and become numbers by `core/base/
// number.h`, in place of the library's own conversion, which reads far outside its tables for
// decimals with some 350 zeros in front.

/// Memory for RapidJSON, which itself would go on with a null pointer where there is none.
/// Throws std::bad_alloc.
class JsonMemory
{
public:
    static constexpr bool kNeedFree = true;

    void* Malloc(std::size_t size) { return size == 0 ? nullptr : ::operator new(size); }
    void* Realloc(void* old, std::size_t oldSize, std::size_t size)
    {
        void* const made = Malloc(size);
        if (made != nullptr && old != nullptr)
            std::memcpy(made, old, std::min(oldSize, size));
        Free(old);
        return made;
    }
    static void Free(void* memory) { ::operator delete(memory); }
};

using JsonPool = rapidjson::MemoryPoolAllocator<JsonMemory>;
using JsonValue = rapidjson::GenericValue<rapidjson::UTF8<>, JsonPool>;
using JsonDocument = rapidjson::GenericDocument<rapidjson::UTF8<>, JsonPool, JsonMemory>;

/// How deep arrays and objects may lie in each other, in JSON of any kind.
constexpr std::size_t deepestJson = 64;

/// Parses JSON of any content without recursion.
///
/// @error Syntax    with line and column: not JSON, not UTF-8, a number beyond the largest double,
/// a
///                  zero byte, or nested deeper than `deepestJson`
/// @error TooLarge  longer than `maxBytes`
Result<JsonDocument> parseJson(std::string_view text, std::int64_t maxBytes);

/// A short text, parsed where it stands, with memory of its own for most: a line of many.
class JsonLine
{
public:
    /// @param text  is changed; outlives this
    explicit JsonLine(std::string& text);
    JsonLine(const JsonLine&) = delete;
    JsonLine& operator=(const JsonLine&) = delete;

    /// Null where the text is not JSON.
    const JsonValue* value() const { return m_problem.empty() ? &m_document : nullptr; }
    /// What is wrong, with its byte; empty where nothing is.
    const std::string& problem() const { return m_problem; }

private:
    alignas(8) char m_memory[8192];
    alignas(8) char m_nesting[2048];
    JsonPool m_values;
    JsonPool m_stack;
    rapidjson::GenericDocument<rapidjson::UTF8<>, JsonPool, JsonPool> m_document;
    std::string m_problem;
};

/// A text in a JSON stream is longer than what is read.
struct JsonTextTooLong
{
};

/// Memory of a parser that hands values on as they come: holds one text at a time, and throws
/// `JsonTextTooLong` where it is longer than `longestText`.
class JsonStreamMemory : public JsonMemory
{
public:
    static constexpr std::size_t longestText = std::size_t{32} << 20;

    void* Realloc(void* old, std::size_t oldSize, std::size_t size)
    {
        // The library asks for half as much again as it has.
        if (size / 3 * 2 > longestText)
            throw JsonTextTooLong{};
        return JsonMemory::Realloc(old, oldSize, size);
    }
};

/// For JSON of any length. Gives numbers to its handler as text, by `RawNumber`.
using JsonStreamParser =
    rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, JsonStreamMemory>;
constexpr unsigned jsonStreamFlags = rapidjson::kParseNumbersAsStringsFlag;

} // namespace pw
