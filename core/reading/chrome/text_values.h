// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <rapidjson/rapidjson.h>

#include <cstdint>
#include <string_view>

namespace pw {

/// What RapidJSON calls for values, of a reader that asks for numbers as texts: what is a number or
/// a text comes to the reader's `scalar`, true, false and null to its `word`.
template<typename Reader>
class TextValues
{
public:
    bool Null() { return reader().word("null"); }
    bool Bool(bool truth) { return reader().word(truth ? "true" : "false"); }
    // Not called where numbers are texts.
    bool Int(int) { return true; }
    bool Uint(unsigned) { return true; }
    bool Int64(std::int64_t) { return true; }
    bool Uint64(std::uint64_t) { return true; }
    bool Double(double) { return true; }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool)
    {
        return reader().scalar({text, length});
    }
    bool String(const char* text, rapidjson::SizeType length, bool)
    {
        return reader().scalar({text, length});
    }

private:
    Reader& reader() { return static_cast<Reader&>(*this); }
};

} // namespace pw
