// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"

#include "core/base/number.h"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace pw {

namespace {

/// Of UTF-8 that is else right: whether it holds a half of a surrogate pair, which no text of
/// Unicode may. The library refuses it as bytes, and the first half as an escape, not the second.
bool holdsHalfPair(const char* text, std::size_t length)
{
    constexpr unsigned char lead = 0xED, firstSurrogate = 0xA0;
    const char* const end = text + length;
    while (text < end) {
        const void* const found = std::memchr(text, lead, static_cast<std::size_t>(end - text));
        if (found == nullptr)
            return false;
        text = static_cast<const char*>(found) + 1;
        if (text < end && static_cast<unsigned char>(*text) >= firstSurrogate)
            return true;
    }
    return false;
}

/// Hands what a parser finds to a document, with its numbers converted and its depth counted.
template<typename Document>
class ExactHandler
{
public:
    using Ch = char;

    /// @param escapes  whether the text has any; without one no half of a pair comes this far
    ExactHandler(Document& document, bool escapes)
        : m_document(document)
        , m_escapes(escapes)
    {
    }

    bool tooDeep() const { return m_tooDeep; }
    bool tooBig() const { return m_tooBig; }
    bool halfPair() const { return m_halfPair; }

    bool Null() { return m_document.Null(); }
    bool Bool(bool truth) { return m_document.Bool(truth); }
    // The parser gives numbers as text alone; it wants the names all the same.
    bool Int(int number) { return m_document.Int(number); }
    bool Uint(unsigned number) { return m_document.Uint(number); }
    bool Int64(std::int64_t number) { return m_document.Int64(number); }
    bool Uint64(std::uint64_t number) { return m_document.Uint64(number); }
    bool Double(double number) { return m_document.Double(number); }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool)
    {
        const char* const end = text + length;
        std::int64_t whole = 0;
        if (const auto read = std::from_chars(text, end, whole);
            read.ec == std::errc() && read.ptr == end)
            return m_document.Int64(whole);
        std::uint64_t positive = 0;
        if (const auto read = std::from_chars(text, end, positive);
            read.ec == std::errc() && read.ptr == end)
            return m_document.Uint64(positive);
        const std::optional<double> number = decimalNumber({text, length});
        m_tooBig = !number;
        return number && m_document.Double(*number);
    }
    bool String(const char* text, rapidjson::SizeType length, bool copy)
    {
        return whole(text, length) && m_document.String(text, length, copy);
    }
    bool Key(const char* text, rapidjson::SizeType length, bool copy)
    {
        return whole(text, length) && m_document.Key(text, length, copy);
    }
    bool StartObject() { return deeper() && m_document.StartObject(); }
    bool EndObject(rapidjson::SizeType members)
    {
        --m_depth;
        return m_document.EndObject(members);
    }
    bool StartArray() { return deeper() && m_document.StartArray(); }
    bool EndArray(rapidjson::SizeType elements)
    {
        --m_depth;
        return m_document.EndArray(elements);
    }

private:
    bool deeper()
    {
        m_tooDeep = ++m_depth > deepestJson;
        return !m_tooDeep;
    }

    bool whole(const char* text, rapidjson::SizeType length)
    {
        m_halfPair = m_escapes && holdsHalfPair(text, length);
        return !m_halfPair;
    }

    Document& m_document;
    bool m_escapes = true;
    std::size_t m_depth = 0;
    bool m_tooDeep = false;
    bool m_tooBig = false;
    bool m_halfPair = false;
};

/// What the library says of a text, in words that can be translated.
Sentence parseReason(rapidjson::ParseErrorCode code)
{
    switch (code) {
    case rapidjson::kParseErrorDocumentEmpty:
        return said("The document is empty.");
    case rapidjson::kParseErrorDocumentRootNotSingular:
        return said("The document root must not be followed by other values.");
    case rapidjson::kParseErrorValueInvalid:
        return said("Invalid value.");
    case rapidjson::kParseErrorObjectMissName:
        return said("Missing a name for object member.");
    case rapidjson::kParseErrorObjectMissColon:
        return said("Missing a colon after a name of object member.");
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
        return said("Missing a comma or '}' after an object member.");
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
        return said("Missing a comma or ']' after an array element.");
    case rapidjson::kParseErrorStringEscapeInvalid:
        return said("Invalid escape character in string.");
    case rapidjson::kParseErrorStringMissQuotationMark:
        return said("Missing a closing quotation mark in string.");
    case rapidjson::kParseErrorStringInvalidEncoding:
        return said("Invalid encoding in string.");
    case rapidjson::kParseErrorNumberTooBig:
        return said("Number too big to be stored in double.");
    default:
        return Sentence(rapidjson::GetParseError_En(code));
    }
}

/// Why a text is not JSON, and where.
struct JsonProblem
{
    Sentence text; ///< empty: nothing is wrong
    std::size_t offset = 0;
};

/// @param text  what the stream reads
template<unsigned flags, typename Document, typename Stack, typename Stream>
JsonProblem parseInto(Document& document, Stack* stack, Stream& stream, std::string_view text)
{
    constexpr unsigned allFlags = flags | rapidjson::kParseIterativeFlag |
                                  rapidjson::kParseValidateEncodingFlag |
                                  rapidjson::kParseNumbersAsStringsFlag;
    JsonProblem problem;
    const bool escapes = text.find('\\') != std::string_view::npos; // before the parser undoes them
    const std::size_t length = text.size();
    auto generate = [&](Document& target) {
        rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, Stack> reader(stack);
        ExactHandler<Document> handler(target, escapes);
        const rapidjson::ParseResult parsed = reader.template Parse<allFlags>(stream, handler);
        if (handler.tooDeep())
            problem.text = said("brackets nest deeper than %1", deepestJson);
        else if (handler.tooBig())
            problem.text = parseReason(rapidjson::kParseErrorNumberTooBig);
        else if (handler.halfPair())
            problem.text = parseReason(rapidjson::kParseErrorStringUnicodeSurrogateInvalid);
        else if (parsed.IsError())
            problem.text = parseReason(parsed.Code());
        problem.offset = parsed.Offset();
        // To the library a zero byte is the end of the text.
        if (!parsed.IsError() && stream.Tell() < length) {
            problem.text = said("a zero byte");
            problem.offset = stream.Tell();
        }
        return !parsed.IsError();
    };
    document.Populate(generate);
    return problem;
}

Sentence placed(std::string_view text, const JsonProblem& problem, std::size_t begin)
{
    const std::size_t offset = std::min(begin + problem.offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = offset - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return said("line %1, column %2: %3", line, column, problem.text);
}

} // namespace

Result<JsonDocument> parseJson(std::string_view text, std::int64_t maxBytes)
{
    if (static_cast<std::int64_t>(text.size()) > maxBytes) {
        return fail(ErrorCode::TooLarge, "the file is longer than %1 bytes, the most that is read",
                    maxBytes);
    }
    JsonDocument document;
    // A byte order mark says nothing here; the library's own way would take a part of one too.
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    const std::size_t begin = text.substr(0, mark.size()) == mark ? mark.size() : 0;
    const std::string_view rest = text.substr(begin);
    rapidjson::MemoryStream stream(rest.data(), rest.size());
    JsonMemory* const ownStack = nullptr;
    const JsonProblem problem = parseInto<0>(document, ownStack, stream, rest);
    if (!problem.text.empty()) {
        return fail(ErrorCode::Syntax, placed(text, problem, begin));
    }
    return document;
}

JsonLine::JsonLine(std::string& text)
    : m_values(m_memory, sizeof m_memory)
    , m_stack(m_nesting, sizeof m_nesting)
    , m_document(&m_values, 1024, &m_stack)
{
    // To the library a zero byte is the end of the text.
    if (text.find('\0') != std::string::npos) {
        m_problem = "holds a zero byte";
        return;
    }
    // Of a character that is cut off at the end, the library reads the missing bytes all the same.
    constexpr std::size_t longestCharacter = 4;
    const std::size_t length = text.size();
    text.append(longestCharacter, '\0');
    rapidjson::InsituStringStream stream(text.data());
    const JsonProblem problem = parseInto<rapidjson::kParseInsituFlag>(
        m_document, &m_stack, stream, std::string_view(text).substr(0, length));
    if (!problem.text.empty())
        m_problem = problem.text + " (byte " + std::to_string(problem.offset + 1) + ")";
}

} // namespace pw
