// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/reading/chrome/event_spans.h"
#include "core/reading/chrome/text_values.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/head_text.h"
#include "core/reading/events/importer.h"
#include "core/reading/packing/chunk_stream.h"

#include <rapidjson/error/en.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace pw::importers {

namespace {

constexpr std::size_t mostRecords = 20'000'000;
constexpr std::size_t mostNameBytes = std::size_t{256} << 20;

/// What a list of `buffer_records` holds.
enum class RocprofList : std::uint8_t
{
    Kernels,
    Copies,
    Calls,
    Ranges
};

struct RocprofRecord
{
    RocprofList list = RocprofList::Calls;
    std::int32_t kind = -1;
    std::int32_t operation = -1;
    std::int64_t kernel = -1;
    std::int64_t agent = -1;  // that it ran on, or copied to
    std::int64_t source = -1; // that it copied from
    std::int64_t queue = -1;
    std::int64_t stream = -1;
    std::int64_t thread = -1;
    std::int64_t correlation = -1;
    std::int64_t start = -1;
    std::int64_t end = -1;
};

/// What one process recorded, with the names that are elsewhere in the file.
struct RocprofProcess
{
    std::int64_t number = -1; // of the system
    std::vector<RocprofRecord> records;
    std::unordered_map<std::int64_t, std::string> kernels;
    std::unordered_map<std::int64_t, std::string> ranges;   // by correlation
    std::unordered_map<std::int64_t, std::int32_t> devices; // their numbers, by agent
    std::vector<std::vector<std::string>> operations;       // by kind
};

/// Takes JSON from RapidJSON. Keys of all levels are kept; a value knows itself by them.
class RocprofHandler : public TextValues<RocprofHandler>
{
public:
    explicit RocprofHandler(EventSpans& spans)
        : m_spans(spans)
    {
    }

    bool tooDeep() const { return m_tooDeep; }
    bool tooMany() const { return m_tooMany; }
    bool any() const { return m_any; }

    bool Key(const char* text, rapidjson::SizeType length, bool)
    {
        m_keys[m_depth].assign(text, std::min<std::size_t>(length, longestName));
        return true;
    }
    bool StartObject()
    {
        if (!enter())
            return false;
        if (inList() && m_depth == recordLevel)
            m_record = {};
        else if (under("strings") && m_depth == recordLevel)
            startNames();
        else if (under("kernel_symbols") && m_depth == symbolLevel)
            startSymbol();
        else if (under("agents") && m_depth == agentLevel)
            m_agent = {};
        else if (m_depth == processLevel)
            m_process = {};
        return true;
    }
    bool EndObject(rapidjson::SizeType)
    {
        if (inList() && m_depth == recordLevel)
            keep();
        else if (under("kernel_symbols") && m_depth == symbolLevel && m_symbol >= 0)
            m_process.kernels.insert_or_assign(m_symbol, m_symbolName);
        else if (under("agents") && m_depth == agentLevel)
            keepAgent();
        else if (m_depth == processLevel && !tell())
            return false;
        return leave();
    }
    bool StartArray() { return enter(); }
    bool EndArray(rapidjson::SizeType) { return leave(); }

private:
    friend TextValues<RocprofHandler>;

    // The file is {"rocprofiler-sdk-tool": [{process}]}; a process has
    // "buffer_records": {"kernel_dispatch": [{record}]}.
    static constexpr std::size_t processLevel = 3, recordLevel = 6;
    // "kernel_symbols": [{symbol}]
    static constexpr std::size_t symbolLevel = 5;
    // "agents": [{agent}]
    static constexpr std::size_t agentLevel = 5;

    /// What computes, and what its host is.
    struct Agent
    {
        std::int64_t handle = -1;
        std::int32_t type = -1;
        std::int32_t number = -1; // among those of its type; older programs do not say it
    };

    bool enter()
    {
        if (m_depth >= deepestJson) {
            m_tooDeep = true;
            return false;
        }
        m_keys[++m_depth].clear();
        return true;
    }
    bool leave()
    {
        --m_depth;
        return true;
    }
    bool under(std::string_view member) const
    {
        return m_depth > processLevel && m_keys[processLevel] == member;
    }
    /// Whether this is inside a list of records that is read.
    bool inList() const
    {
        return m_depth >= recordLevel && m_keys[processLevel] == "buffer_records";
    }

    static bool word(std::string_view) { return true; }
    bool scalar(std::string_view text)
    {
        if (m_depth < processLevel + 1)
            return true;
        const std::string& member = m_keys[processLevel];
        if (member == "buffer_records")
            recordScalar(text);
        else if (member == "kernel_symbols")
            symbolScalar(text);
        else if (member == "strings")
            stringScalar(text);
        else if (member == "agents")
            agentScalar(text);
        else if (member == "metadata" && m_depth == 4 && m_keys[4] == "pid")
            m_process.number = largeNumber(text);
        return !m_tooMany;
    }

    void recordScalar(std::string_view text)
    {
        const std::string& field = m_keys[recordLevel];
        if (m_depth == recordLevel) {
            if (field == "start_timestamp")
                m_record.start = largeNumber(text);
            else if (field == "end_timestamp")
                m_record.end = largeNumber(text);
            else if (field == "thread_id")
                m_record.thread = largeNumber(text);
            else if (field == "kind")
                m_record.kind = smallNumber(text);
            else if (field == "operation")
                m_record.operation = smallNumber(text);
            return;
        }
        const std::string& inner = m_keys[recordLevel + 1];
        if (field == "correlation_id" && inner == "internal")
            m_record.correlation = largeNumber(text);
        else if (field == "stream_id" && inner == "handle")
            m_record.stream = largeNumber(text);
        else if (field == "dst_agent_id" && inner == "handle")
            m_record.agent = largeNumber(text);
        else if (field == "src_agent_id" && inner == "handle")
            m_record.source = largeNumber(text);
        else if (field == "dispatch_info" && inner == "kernel_id")
            m_record.kernel = largeNumber(text);
        else if (field == "dispatch_info" && inner == "agent_id")
            m_record.agent = largeNumber(text);
        else if (field == "dispatch_info" && inner == "queue_id")
            m_record.queue = largeNumber(text);
    }

    void agentScalar(std::string_view text)
    {
        const std::string& field = m_keys[agentLevel];
        if (m_depth == agentLevel && field == "type")
            m_agent.type = smallNumber(text);
        else if (m_depth == agentLevel && field == "logical_node_type_id")
            m_agent.number = smallNumber(text);
        else if (m_depth == agentLevel + 1 && field == "id" && m_keys[agentLevel + 1] == "handle")
            m_agent.handle = largeNumber(text);
    }

    void keepAgent()
    {
        constexpr std::int32_t host = 1; // ROCPROFILER_AGENT_TYPE_CPU
        if (m_agent.type != host)
            m_process.devices.emplace(m_agent.handle,
                                      m_agent.number >= 0
                                          ? m_agent.number
                                          : static_cast<std::int32_t>(m_process.devices.size()));
    }

    void startSymbol()
    {
        m_symbol = -1;
        m_symbolName.clear();
    }

    /// "strings" has lists of names by kind, and lists of pairs.
    void startNames()
    {
        m_pairKey = -1;
        if (m_keys[4] == "buffer_records")
            m_process.operations.emplace_back();
    }

    /// A text that is kept until the process is told.
    std::string_view kept(std::string_view text)
    {
        text = text.substr(0, longestName);
        m_nameBytes += text.size();
        m_tooMany = m_tooMany || m_nameBytes > mostNameBytes;
        return text;
    }

    void symbolScalar(std::string_view text)
    {
        const std::string& field = m_keys[symbolLevel];
        if (m_depth != symbolLevel)
            return;
        if (field == "kernel_id")
            m_symbol = largeNumber(text);
        else if (field == "formatted_kernel_name" ||
                 (field == "kernel_name" && m_symbolName.empty()))
            m_symbolName.assign(kept(text));
    }

    void stringScalar(std::string_view text)
    {
        if (m_keys[4] == "buffer_records") {
            if (m_keys[6] == "operations" && m_depth > recordLevel && !m_process.operations.empty())
                m_process.operations.back().emplace_back(kept(text));
        } else if (m_depth == recordLevel) {
            if (m_keys[6] == "key")
                m_pairKey = largeNumber(text);
            else if (m_keys[6] == "value" && m_pairKey >= 0)
                m_process.ranges[m_pairKey].assign(kept(text));
        }
    }

    void keep()
    {
        const std::string& list = m_keys[4];
        if (list == "kernel_dispatch")
            m_record.list = RocprofList::Kernels;
        else if (list == "memory_copy" || list == "scratch_memory")
            m_record.list = RocprofList::Copies;
        else if (list.find("marker") != std::string::npos)
            m_record.list = RocprofList::Ranges;
        if (m_record.start >= 0)
            m_process.records.push_back(m_record);
        m_tooMany = m_tooMany || m_process.records.size() > mostRecords;
    }

    std::string nameOfOperation(const RocprofRecord& record) const
    {
        const auto kind = static_cast<std::size_t>(std::max(record.kind, 0));
        const auto operation = static_cast<std::size_t>(std::max(record.operation, 0));
        if (record.kind < 0 || record.operation < 0 || kind >= m_process.operations.size() ||
            operation >= m_process.operations[kind].size())
            return record.list == RocprofList::Copies ? "of a device" : "call";
        return m_process.operations[kind][operation];
    }

    /// The device that a record is of; of a copy to the host the one that it comes from. −1: none.
    std::int32_t deviceOf(const RocprofRecord& record) const
    {
        for (const std::int64_t agent : {record.agent, record.source})
            if (const auto found = m_process.devices.find(agent); found != m_process.devices.end())
                return found->second;
        return -1;
    }

    /// Rows of one process are told apart by their names.
    std::string rowOf(const RocprofRecord& record, const std::string& row) const
    {
        const std::int32_t device = deviceOf(record);
        return (device < 0 ? std::string("device") : "device " + std::to_string(device)) + ", " +
               row;
    }

    void fill(const RocprofRecord& record, ChromeEvent& event) const
    {
        event.phase = 'X';
        event.process = m_process.number >= 0 ? std::to_string(m_process.number) : "0";
        event.time = record.start;
        event.duration = record.end - record.start;
        event.correlation = record.correlation;
        switch (record.list) {
        case RocprofList::Kernels: {
            const auto name = m_process.kernels.find(record.kernel);
            event.name = name == m_process.kernels.end() ? "kernel " + std::to_string(record.kernel)
                                                         : name->second;
            event.category = "kernel";
            event.device = deviceOf(record);
            event.thread =
                rowOf(record, record.stream > 0 ? "stream " + std::to_string(record.stream)
                                                : "queue " + std::to_string(record.queue));
            break;
        }
        case RocprofList::Copies:
            event.name = "Memcpy " + nameOfOperation(record);
            event.category = "gpu_memcpy";
            event.device = deviceOf(record);
            event.thread = rowOf(record, "copies");
            break;
        case RocprofList::Ranges: {
            const auto text = m_process.ranges.find(record.correlation);
            event.name = text == m_process.ranges.end() ? nameOfOperation(record) : text->second;
            event.category = "user_annotation";
            event.correlation = -1;
            event.thread = std::to_string(record.thread);
            break;
        }
        case RocprofList::Calls:
            event.name = nameOfOperation(record);
            event.category = "cuda_runtime";
            event.thread = std::to_string(record.thread);
            break;
        }
    }

    /// Hands the records of a process on; a later member of the file may have said their names.
    bool tell()
    {
        ChromeEvent event;
        for (const RocprofRecord& record : m_process.records) {
            event.clear();
            if (record.end < record.start || record.end >= latestTime / 2) {
                m_spans.leaveOut();
                continue;
            }
            fill(record, event);
            m_spans.take(event);
            m_any = true;
        }
        m_process = {};
        return !m_tooMany;
    }

    EventSpans& m_spans;
    std::array<std::string, deepestJson + 2> m_keys;
    std::size_t m_depth = 0;
    RocprofProcess m_process;
    RocprofRecord m_record;
    Agent m_agent;
    std::int64_t m_symbol = -1;
    std::string m_symbolName;
    std::int64_t m_pairKey = -1;
    std::size_t m_nameBytes = 0;
    bool m_tooDeep = false;
    bool m_tooMany = false;
    bool m_any = false;
};

/// JSON of rocprofv3: `rocprofiler-sdk-tool`.
bool looksLikeRocprof(std::string_view head)
{
    const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != std::string_view::npos && head[first] == '{' &&
           headHas(head, "\"rocprofiler-sdk-tool\"");
}

/// Kernels and copies on the queues of their agents, calls and ranges (ROCTx) on the host's
/// threads. A range whose text is a pass counts as one, and the kernels that were launched in it
/// tell its times, as with Kineto. What rocprof and rocprofv2 write (`results.json`) are Chrome
/// trace events, and are read as such. @error TooLarge  more than 20 million records of a process
Result<EventFile> readRocprof(const OpenSource& open, std::int32_t number, Trace& trace,
                              TraceNames& names, const KeepReading& goOn)
{
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    const std::string file = trace.files[static_cast<std::size_t>(number)];
    ChunkStream stream(*source, goOn);
    EventSpans spans(trace, names);
    RocprofHandler handler(spans);
    JsonStreamParser parser;
    rapidjson::ParseResult parsed;
    try {
        parsed = parser.Parse<jsonStreamFlags>(stream, handler);
    } catch (const JsonTextTooLong&) {
        return fail(ErrorCode::TooLarge,
                    "%1, byte %2: a text of more than %3, the most that is read", file,
                    stream.Tell(), byteText(JsonStreamMemory::longestText));
    }
    const std::string place = file + ", byte " + std::to_string(stream.Tell());
    if (stream.stopped())
        return fail(ErrorCode::Cancelled, "%1: reading was stopped", file);
    if (handler.tooMany())
        return fail(ErrorCode::TooLarge,
                    "%1: more than %2 records of a process, or names of more than %3, the most "
                    "that is read",
                    place, groupedNumber(static_cast<std::int64_t>(mostRecords)),
                    byteText(static_cast<Bytes>(mostNameBytes)));
    if (handler.tooDeep())
        return fail(ErrorCode::Syntax, "%1: nested deeper than %2 levels", place, deepestJson);
    if (parsed.IsError())
        return fail(ErrorCode::Syntax, "%1, byte %2: %3", file, parsed.Offset(),
                    rapidjson::GetParseError_En(parsed.Code()));
    if (!handler.any())
        return fail(ErrorCode::Syntax, "%1: nothing that rocprof recorded is in it", file);
    EventFile made = spans.finish();
    made.origin = "rocprof";
    return made;
}

} // namespace

Importer rocprof()
{
    Importer importer;
    importer.id = "rocprof";
    importer.title = "rocprof's JSON";
    importer.endings = {".json"};
    importer.precedence = 30;
    importer.content = {looksLikeRocprof, readRocprof};
    return importer;
}

} // namespace pw::importers
