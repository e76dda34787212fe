// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/chrome_events.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/reading/chrome/event_lines.h"
#include "core/reading/chrome/event_reader.h"
#include "core/reading/chrome/json_mender.h"
#include "core/reading/chrome/json_scan.h"
#include "core/reading/events/trace_mark.h"
#include "core/reading/packing/chunk_stream.h"

#include <rapidjson/error/en.h>

#include <optional>

namespace pw {

namespace {

Result<bool> isEventLines(const OpenSource& open)
{
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    constexpr std::size_t headSize = 1U << 14;
    return looksLikeEventLines(headOf(*source, headSize));
}

OpenSource asArray(const OpenSource& open)
{
    return [open]() -> Result<std::unique_ptr<ByteSource>> {
        PW_TRY(std::unique_ptr<ByteSource> source, open());
        return std::make_unique<EventLines>(std::move(source));
    };
}

Error tooDeep(const std::string& file, std::size_t position)
{
    return {ErrorCode::Syntax, file + ", byte " + std::to_string(position) +
                                   ": nested deeper than " + std::to_string(deepestJson) +
                                   " levels"};
}

/// @error TooLarge  a text is longer than is read
Result<rapidjson::ParseResult> parseEvents(ChunkStream& stream, EventReader& reader,
                                           const std::string& file)
{
    JsonStreamParser parser;
    try {
        return parser.Parse<jsonStreamFlags>(stream, reader);
    } catch (const JsonTextTooLong&) {
        return fail(ErrorCode::TooLarge,
                    "%1, byte %2: a text of more than %3, the most that is read", file,
                    stream.Tell(), byteText(JsonStreamMemory::longestText));
    }
}

/// One file, read in three ways: fast, exactly, and as well as a damaged one can be.
class EventsOfFile
{
public:
    EventsOfFile(OpenSource open, bool lines, std::int32_t number, Trace& trace, TraceNames& names,
                 const KeepReading& goOn)
        : m_open(std::move(open))
        , m_lines(lines)
        , m_number(number)
        , m_trace(trace)
        , m_names(names)
        , m_goOn(goOn)
        , m_file(trace.files[static_cast<std::size_t>(number)])
    {
    }

    /// @return  nothing where the file is not sound, or has no events
    Result<std::optional<EventFile>> readFast()
    {
        PW_TRY(const std::unique_ptr<ByteSource> source, m_open());
        EventReader reader(m_trace, m_names);
        if (m_holdPairs)
            reader.holdPairs();
        JsonScan<EventReader> scan(*source, reader, m_goOn);
        const bool sound = scan.run();
        if (scan.stopped())
            return fail(cancelled());
        m_disordered = sound && !m_holdPairs && reader.disordered();
        if (!sound || m_disordered || !reader.anyEvents() || reader.onlyTable())
            return std::nullopt;
        return reader.finish();
    }

    /// Whether the last attempt found begins and ends that are not in the order of time.
    bool disordered() const { return m_disordered; }
    /// Puts them in order from now on.
    void holdPairs() { m_holdPairs = true; }

    /// @param why  set where nothing comes back: what is wrong with the file, and where
    Result<std::optional<EventFile>> readExactly(std::string& why)
    {
        PW_TRY(const std::unique_ptr<ByteSource> source, m_open());
        ChunkStream stream(*source, m_goOn);
        EventReader reader(m_trace, m_names);
        reader.holdPairs();
        const Result<rapidjson::ParseResult> parsed = parseEvents(stream, reader, m_file);
        if (!parsed)
            return fail(parsed.error());
        if (stream.stopped())
            return fail(cancelled());
        if (reader.tooDeep())
            return fail(tooDeep(m_file, stream.Tell()));
        // To the parser a zero byte is the end of the text.
        const bool whole = !parsed->IsError() && stream.ended();
        if (whole && reader.onlyTable())
            return fail(ErrorCode::Syntax,
                        "%1: not a trace: its list holds numbers or lists in place of events, as "
                        "PyTorch's memory timeline does",
                        m_file);
        if (whole && reader.anyEvents())
            return reader.finish();
        if (whole)
            return fail(ErrorCode::Syntax, "%1: JSON without traceEvents; not a trace", m_file);
        why = parsed->IsError() ? "byte " + std::to_string(parsed->Offset()) + ": " +
                                      rapidjson::GetParseError_En(parsed->Code())
                                : "byte " + std::to_string(stream.Tell()) + ": a zero byte";
        return std::nullopt;
    }

    /// @param why  what is wrong with the file
    Result<EventFile> readMended(const std::string& why)
    {
        PW_TRY(const std::unique_ptr<ByteSource> source, m_open());
        JsonMender mender(*source, m_trace.repairs, m_number, m_lines ? -EventLines::shift : 0);
        ChunkStream stream(mender, m_goOn);
        EventReader reader(m_trace, m_names);
        reader.holdPairs();
        reader.watch(
            [&stream] { return stream.Tell(); },
            [&mender](std::int64_t from, std::int64_t to) { return mender.doubtful(from, to); });
        PW_TRY(const rapidjson::ParseResult parsed, parseEvents(stream, reader, m_file));
        if (stream.stopped())
            return fail(cancelled());
        if (!mender.failure().empty())
            return fail(ErrorCode::Syntax, "%1, %2", m_file, mender.failure());
        if (!mender.any())
            return fail(ErrorCode::Syntax, "%1 is empty", m_file);
        if (reader.tooDeep())
            return fail(tooDeep(m_file, stream.Tell()));
        if (parsed.IsError())
            return fail(ErrorCode::Syntax, "%1, %2", m_file, why);
        if (!reader.anyEvents())
            return fail(ErrorCode::Syntax, "%1: not a trace: no traceEvents in it; %2", m_file,
                        why);
        // A bracket that begins a line of a log is mended to a list of nothing.
        if (!reader.anyEvent())
            return fail(ErrorCode::Syntax, "%1: not a trace: no event in it; %2", m_file, why);
        return reader.finish();
    }

private:
    Error cancelled() const { return {ErrorCode::Cancelled, m_file + ": reading was stopped"}; }

    OpenSource m_open;
    bool m_lines;
    std::int32_t m_number;
    Trace& m_trace;
    TraceNames& m_names;
    const KeepReading& m_goOn;
    std::string m_file;
    bool m_holdPairs = false;
    bool m_disordered = false;
};

} // namespace

Result<EventFile> readChromeEvents(const OpenSource& openFile, std::int32_t number, Trace& trace,
                                   TraceNames& names, const KeepReading& goOn)
{
    PW_TRY(const bool lines, isEventLines(openFile));
    EventsOfFile events(lines ? asArray(openFile) : openFile, lines, number, trace, names, goOn);
    const TraceMark mark(trace);
    // Most files are sound, and those are read fast. What another one lacks is then looked for.
    Result<std::optional<EventFile>> fast = events.readFast();
    if (!fast)
        return fail(fast.error());
    if (*fast)
        return std::move(**fast);
    mark.restore(trace);
    if (events.disordered()) {
        events.holdPairs();
        fast = events.readFast();
        if (!fast)
            return fail(fast.error());
        if (*fast)
            return std::move(**fast);
        mark.restore(trace);
    }
    std::string why;
    Result<std::optional<EventFile>> whole = events.readExactly(why);
    if (!whole)
        return fail(whole.error());
    if (*whole)
        return std::move(**whole);
    mark.restore(trace);
    return events.readMended(why);
}

} // namespace pw
