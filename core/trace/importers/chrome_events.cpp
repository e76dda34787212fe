// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/chrome_events.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/trace/importers/chunk_stream.h"
#include "core/trace/importers/event_lines.h"
#include "core/trace/importers/event_reader.h"
#include "core/trace/importers/json_mender.h"
#include "core/trace/importers/json_scan.h"
#include "core/trace/importers/trace_mark.h"

#include <rapidjson/error/en.h>

namespace pw {

namespace {

Result<bool> isEventLines(const OpenSource& open)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    constexpr std::size_t headSize = 1U << 14;
    return looksLikeEventLines(headOf(**source, headSize));
}

OpenSource asArray(const OpenSource& open)
{
    return [open]() -> Result<std::unique_ptr<ByteSource>> {
        Result<std::unique_ptr<ByteSource>> source = open();
        if (!source)
            return fail(source.error());
        return std::make_unique<EventLines>(std::move(*source));
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
                    file + ", byte " + std::to_string(stream.Tell()) + ": a text of more than " +
                        byteText(JsonStreamMemory::longestText) + ", the most that is read");
    }
}

} // namespace

Result<EventFile> readChromeEvents(const OpenSource& openFile, std::int32_t number, Trace& trace,
                                   TraceNames& names, const KeepReading& goOn)
{
    const Result<bool> lines = isEventLines(openFile);
    if (!lines)
        return fail(lines.error());
    const OpenSource open = *lines ? asArray(openFile) : openFile;
    const std::string file = trace.files[static_cast<std::size_t>(number)];
    const Error cancelled{ErrorCode::Cancelled, file + ": reading was stopped"};
    const TraceMark mark(trace);
    // Most files are sound, and those are read fast. What another one lacks is then looked for.
    {
        Result<std::unique_ptr<ByteSource>> source = open();
        if (!source)
            return fail(source.error());
        EventReader reader(trace, names);
        JsonScan<EventReader> scan(**source, reader, goOn);
        const bool sound = scan.run();
        if (scan.stopped())
            return fail(cancelled);
        if (sound && reader.anyEvents())
            return reader.finish();
    }
    mark.restore(trace);
    std::string why;
    {
        Result<std::unique_ptr<ByteSource>> source = open();
        if (!source)
            return fail(source.error());
        ChunkStream stream(**source, goOn);
        EventReader reader(trace, names);
        const Result<rapidjson::ParseResult> parsed = parseEvents(stream, reader, file);
        if (!parsed)
            return fail(parsed.error());
        if (stream.stopped())
            return fail(cancelled);
        if (reader.tooDeep())
            return fail(tooDeep(file, stream.Tell()));
        // To the parser a zero byte is the end of the text.
        const bool whole = !parsed->IsError() && stream.ended();
        if (whole && reader.anyEvents())
            return reader.finish();
        if (whole)
            return fail(ErrorCode::Syntax, file + ": JSON without traceEvents; not a trace");
        why = parsed->IsError() ? "byte " + std::to_string(parsed->Offset()) + ": " +
                                      rapidjson::GetParseError_En(parsed->Code())
                                : "byte " + std::to_string(stream.Tell()) + ": a zero byte";
    }
    mark.restore(trace);
    Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    JsonMender mender(**source, trace.repairs, number, *lines ? -EventLines::shift : 0);
    ChunkStream stream(mender, goOn);
    EventReader reader(trace, names);
    reader.watch(
        [&stream] { return stream.Tell(); },
        [&mender](std::int64_t from, std::int64_t to) { return mender.doubtful(from, to); });
    const Result<rapidjson::ParseResult> parsed = parseEvents(stream, reader, file);
    if (!parsed)
        return fail(parsed.error());
    if (stream.stopped())
        return fail(cancelled);
    if (!mender.failure().empty())
        return fail(ErrorCode::Syntax, file + ", " + mender.failure());
    if (!mender.any())
        return fail(ErrorCode::Syntax, file + " is empty");
    if (reader.tooDeep())
        return fail(tooDeep(file, stream.Tell()));
    if (parsed->IsError())
        return fail(ErrorCode::Syntax, file + ", " + why);
    if (!reader.anyEvents())
        return fail(ErrorCode::Syntax, file + ": not a trace: no traceEvents in it; " + why);
    return reader.finish();
}

std::int64_t parseOnly(ByteSource& source)
{
    struct Counter : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Counter>
    {
        std::int64_t values = 0;
        bool Default()
        {
            ++values;
            return true;
        }
    };
    ChunkStream stream(source, {});
    Counter counter;
    JsonStreamParser parser;
    return parser.Parse<jsonStreamFlags>(stream, counter) ? counter.values : -1;
}

} // namespace pw
