// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/event_arguments.h"

#include "core/base/json.h"
#include "core/base/try.h"
#include "core/reading/chrome/text_values.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/trace_names.h"
#include "core/reading/packing/byte_source.h"
#include "core/reading/packing/chunk_stream.h"

#include <rapidjson/reader.h>

#include <memory>
#include <optional>

namespace pw {

namespace {

constexpr std::size_t mostArguments = 64;
constexpr std::size_t longestArgument = 2000;

/// Looks for the event that has a name and a length, the n-th of them, and keeps its arguments.
class ArgumentFinder : public TextValues<ArgumentFinder>
{
public:
    ArgumentFinder(std::string_view name, Ticks length, std::int64_t& before)
        : m_name(name)
        , m_length(length)
        , m_before(before)
    {
    }

    bool found() const { return m_found; }
    ArgumentTexts take() { return std::move(m_arguments); }

    // What RapidJSON calls.
    bool Key(const char* text, rapidjson::SizeType length, bool)
    {
        const std::string_view key(text, length);
        if (m_events > 0 && m_depth == m_events + 1)
            m_field.assign(key.substr(0, longestArgument));
        else if (inArguments() && m_depth == m_events + 2)
            m_argument.assign(cleanText(key.substr(0, longestArgument)));
        else if (inArguments()) {
            comma();
            nest(cleanText(key.substr(0, longestArgument)) + ": ");
        } else if (m_depth == 1)
            m_isEvents = key == "traceEvents";
        return true;
    }
    bool StartObject()
    {
        if (m_events > 0 && m_depth == m_events)
            clear();
        if (inArguments() && m_depth >= m_events + 2)
            open("{");
        ++m_depth;
        return true;
    }
    bool EndObject(rapidjson::SizeType)
    {
        --m_depth;
        if (inArguments() && m_depth >= m_events + 2)
            close("}");
        return m_depth != m_events || m_events == 0 || judge();
    }
    bool StartArray()
    {
        if (inArguments() && m_depth >= m_events + 2)
            open("[");
        ++m_depth;
        if (m_events == 0 && (m_depth == 1 || (m_depth == 2 && m_isEvents)))
            m_events = m_depth;
        return true;
    }
    bool EndArray(rapidjson::SizeType)
    {
        --m_depth;
        if (inArguments() && m_depth >= m_events + 2)
            close("]");
        if (m_depth < m_events)
            m_events = 0;
        m_isEvents = m_isEvents && m_depth > 1;
        return true;
    }

private:
    friend TextValues<ArgumentFinder>;

    bool inArguments() const { return m_events > 0 && m_depth > m_events + 1 && m_field == "args"; }
    void clear()
    {
        m_eventName.clear();
        m_phase = '\0';
        m_duration.reset();
        m_arguments.clear();
    }
    void nest(std::string_view text)
    {
        if (!m_arguments.empty() && m_arguments.back().second.size() < longestArgument)
            m_arguments.back().second += text;
    }
    void open(std::string_view bracket)
    {
        if (m_depth == m_events + 2)
            add("");
        else
            comma();
        nest(bracket);
    }
    void close(std::string_view bracket) { nest(bracket); }
    void comma()
    {
        if (!m_arguments.empty() && !m_arguments.back().second.empty() &&
            std::string_view("[{ ").find(m_arguments.back().second.back()) ==
                std::string_view::npos)
            nest(", ");
    }
    void add(std::string_view value)
    {
        if (m_arguments.size() < mostArguments)
            m_arguments.emplace_back(m_argument, cleanText(value.substr(0, longestArgument)));
    }
    bool word(std::string_view text) { return scalar(text); }
    bool scalar(std::string_view text)
    {
        if (m_events > 0 && m_depth == m_events + 1) {
            if (m_field == "name")
                m_eventName = cleanText(text.substr(0, longestName));
            else if (m_field == "ph")
                m_phase = text.size() == 1 ? text[0] : '?';
            else if (m_field == "dur")
                m_duration = ticksFromDecimal(text, microsecondDigits);
        } else if (inArguments() && m_depth == m_events + 2) {
            add(text);
        } else if (inArguments()) {
            comma();
            nest(cleanText(text.substr(0, longestArgument)));
        }
        return true;
    }
    /// @return  false: this is the event, and the rest is not read
    bool judge()
    {
        if (m_phase != 'X' || m_duration != m_length || m_eventName != m_name)
            return true;
        m_found = m_before-- == 0;
        return !m_found;
    }

    std::string_view m_name;
    Ticks m_length;
    std::int64_t& m_before;
    int m_depth = 0;
    int m_events = 0; // depth inside the list of events; 0: not there
    bool m_isEvents = false;
    bool m_found = false;
    std::string m_field, m_argument, m_eventName;
    char m_phase = '\0';
    std::optional<Ticks> m_duration;
    ArgumentTexts m_arguments;
};

} // namespace

Result<ArgumentTexts> argumentsOf(const Trace& trace, std::int32_t span,
                                  const std::function<bool()>& goOn)
{
    if (span < 0 || static_cast<std::size_t>(span) >= trace.spans.size())
        return ArgumentTexts{};
    const TraceSpan& wanted = trace.spans[static_cast<std::size_t>(span)];
    const Ticks length = wanted.end - wanted.start;
    // Spans stand in the order of the files' events.
    std::int64_t before = 0;
    for (std::int32_t i = 0; i < span; ++i) {
        const TraceSpan& other = trace.spans[static_cast<std::size_t>(i)];
        before += other.name == wanted.name && other.end - other.start == length ? 1 : 0;
    }
    for (const std::string& file : trace.files) {
        PW_TRY(const std::unique_ptr<FileSource> source, FileSource::open(file));
        ChunkStream stream(*source, goOn);
        ArgumentFinder finder(trace.nameOf(wanted), length, before);
        JsonStreamParser parser;
        try {
            // Where the file is damaged, what lies before is looked through.
            (void)parser.Parse<jsonStreamFlags>(stream, finder);
        } catch (const JsonTextTooLong&) {
            return fail(ErrorCode::TooLarge, "%1: a text is longer than is read", file);
        }
        if (stream.stopped())
            return fail(ErrorCode::Cancelled, "%1: reading was stopped", file);
        if (finder.found())
            return finder.take();
    }
    return ArgumentTexts{};
}

} // namespace pw
