// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/reading/chrome/json_mender.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/head_text.h"
#include "core/reading/events/importer.h"
#include "core/reading/events/plain_spans.h"
#include "core/reading/events/whole_source.h"
#include "core/trace/origins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <vector>

namespace pw::importers {

namespace {

constexpr double longestStepMs = 1e10;

/// The rank of "pp_rank_3.json"; −1 for other names.
std::int32_t rankOfPrimusName(const std::string& path)
{
    constexpr std::string_view word = "rank_";
    const std::string name = std::filesystem::path(path).filename().string();
    const std::size_t at = name.find(word);
    if (at == std::string::npos)
        return -1;
    const std::string_view digits = std::string_view(name).substr(at + word.size());
    return smallNumber(digits.substr(0, digits.find_first_not_of("0123456789")));
}

/// Where the first key of an object begins; npos where the text is none.
std::size_t firstKey(std::string_view head)
{
    const std::size_t brace = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (brace == std::string_view::npos || head[brace] != '{')
        return std::string_view::npos;
    const std::size_t key = head.find_first_not_of(" \t\r\n", brace + 1);
    return key != std::string_view::npos && head[key] == '"' ? key : std::string_view::npos;
}

/// The passes of one kind in a step: names of the arrays, and what they are.
struct PrimusKind
{
    const char* start;
    const char* end;
    const char* microBatch;
    const char* chunk;
    PassKind kind;
};

constexpr std::array<PrimusKind, 3> primusKinds = {
    {{"fwd_start", "fwd_end", "fwd_minibatch", "fwd_chunk", PassKind::F},
     {"bwd_start", "bwd_end", "bwd_minibatch", "bwd_chunk", PassKind::BW},
     {"wgrad_start", "wgrad_end", "wgrad_minibatch", "wgrad_chunk", PassKind::W}}};

struct PrimusPass
{
    PassKind kind = PassKind::F;
    std::int32_t microBatch = -1; // as the file says, else the number among its kind
    std::int32_t chunk = -1;
    Ticks start = 0;
    Ticks end = 0;
    bool paired = false;
};

std::optional<Ticks> primusTime(const JsonValue& value)
{
    if (!value.IsNumber() || std::abs(value.GetDouble()) > longestStepMs)
        return std::nullopt;
    return static_cast<Ticks>(std::llround(value.GetDouble() * static_cast<double>(ticksPerMs)));
}

/// An array of a step, or null.
const JsonValue* primusList(const JsonValue& step, const char* name)
{
    const JsonValue* list = memberOf(step, name);
    return list != nullptr && list->IsArray() ? list : nullptr;
}

std::int32_t elementOf(const JsonValue* list, rapidjson::SizeType at)
{
    return list != nullptr && at < list->Size() && (*list)[at].IsInt() ? (*list)[at].GetInt() : -1;
}

class PrimusReading
{
public:
    PrimusReading(std::int32_t number, Trace& trace, TraceNames& names)
        : m_spans(trace, names, std::string(primusOrigin))
        , m_number(number)
    {
        m_spans.file().rankNumber = rankOfPrimusName(m_spans.path());
        m_spans.file().rankFrom = "file name";
        m_rank = m_spans.rank(-1, "file name");
    }

    Result<EventFile> read(const JsonDocument& document)
    {
        for (auto member = document.MemberBegin(); member != document.MemberEnd(); ++member) {
            const std::int32_t iteration =
                smallNumber({member->name.GetString(), member->name.GetStringLength()});
            if (iteration < 0 || !member->value.IsObject())
                leaveOut("a member that is not a step");
            else
                step(iteration, member->value);
        }
        if (!m_spans.any())
            return fail(ErrorCode::Syntax, "%1: no pass of Primus in it", m_spans.path());
        std::vector<std::string>& warnings = m_spans.trace().warnings;
        if (m_cut > 0)
            warnings.push_back(m_spans.path() + ": " + std::to_string(m_cut) +
                               " F end behind the start of their own backward; they are cut there");
        m_spans.file().countedPasses = m_counted;
        return std::move(m_spans.file());
    }

private:
    void leaveOut(const char* what)
    {
        m_spans.leaveOut();
        m_spans.trace().repairs.add({m_number, 0, std::string(what) + ", left out"});
    }

    std::vector<PrimusPass> passesOf(const JsonValue& step)
    {
        std::vector<PrimusPass> passes;
        const JsonValue* weights = primusList(step, "wgrad_start");
        const bool split = weights != nullptr && weights->Size() > 0;
        for (const PrimusKind& kind : primusKinds) {
            const JsonValue* starts = primusList(step, kind.start);
            const JsonValue* ends = primusList(step, kind.end);
            if (starts == nullptr || ends == nullptr)
                continue;
            if (starts->Size() != ends->Size())
                leaveOut("passes without a start or an end");
            const JsonValue* microBatches = primusList(step, kind.microBatch);
            const JsonValue* chunks = primusList(step, kind.chunk);
            const bool told = microBatches != nullptr && microBatches->Size() == starts->Size();
            for (rapidjson::SizeType i = 0; i < std::min(starts->Size(), ends->Size()); ++i) {
                ++m_spans.trace().events;
                PrimusPass pass;
                pass.kind = kind.kind == PassKind::BW && split ? PassKind::B : kind.kind;
                pass.microBatch = told ? elementOf(microBatches, i) : static_cast<std::int32_t>(i);
                pass.chunk = told ? std::max(elementOf(chunks, i), 0) : -1;
                m_counted = m_counted || !told;
                const std::optional<Ticks> start = primusTime((*starts)[i]),
                                           end = primusTime((*ends)[i]);
                if (!start || !end || *start > *end || pass.microBatch < 0) {
                    leaveOut("a pass with times or numbers that are none");
                    continue;
                }
                pass.start = *start;
                pass.end = *end;
                passes.push_back(pass);
            }
        }
        return passes;
    }

    /// F and backward of one micro-batch that lie over each other; pairs have the same times.
    void untangle(std::vector<PrimusPass>& passes)
    {
        for (PrimusPass& forward : passes) {
            if (forward.kind != PassKind::F)
                continue;
            for (PrimusPass& backward : passes) {
                if (!isBackward(backward.kind))
                    continue;
                if (forward.start == backward.start && forward.end == backward.end &&
                    forward.start < forward.end) {
                    forward.paired = backward.paired = true;
                } else if (forward.microBatch == backward.microBatch &&
                           forward.chunk == backward.chunk && backward.start >= forward.start &&
                           backward.start < forward.end) {
                    forward.end = backward.start;
                    ++m_cut;
                }
            }
        }
    }

    void step(std::int32_t iteration, const JsonValue& step)
    {
        std::vector<PrimusPass> passes = passesOf(step);
        constexpr std::size_t most = 1U << 14; // every F is looked at with every backward
        if (passes.size() <= most)
            untangle(passes);
        const JsonValue* total = memberOf(step, "total");
        OwnStep own;
        own.iteration = iteration;
        own.length = total != nullptr ? std::max<Ticks>(primusTime(*total).value_or(0), 0) : 0;
        own.firstSpan = m_spans.trace().spans.size();
        m_spans.file().steps.push_back(own);
        for (const PrimusPass& pass : passes) {
            SpanLabel label;
            label.role = SpanRole::Pass;
            label.kind = pass.kind;
            label.paired = pass.paired;
            label.iteration = iteration;
            label.microBatch = pass.microBatch;
            label.chunk = pass.chunk;
            m_spans.append(m_rank, "passes",
                           pass.kind == PassKind::F   ? "forward"
                           : pass.kind == PassKind::W ? "weight gradient"
                                                      : "backward",
                           pass.start, pass.end, Trust::Device, label);
        }
        constexpr double gib = 1024.0 * 1024 * 1024, mostGib = 1e6;
        const JsonValue* memory = memberOf(step, "memory");
        if (memory != nullptr && memory->IsNumber() && memory->GetDouble() > 0 &&
            memory->GetDouble() < mostGib)
            m_spans.file().peaks.push_back(
                {rankAsYet(m_rank), iteration,
                 static_cast<Bytes>(std::llround(memory->GetDouble() * gib))});
    }

    PlainSpans m_spans;
    std::int32_t m_number;
    ProcessId m_rank{0};
    std::int64_t m_cut = 0;
    bool m_counted = false;
};

/// The object of a file, mended where it is damaged: cut off, then without what stands last, or
/// with a time that is no number.
Result<JsonDocument> primusObject(const OpenSource& open, std::int32_t number, Trace& trace,
                                  const KeepReading& goOn)
{
    const std::string& file = trace.files[static_cast<std::size_t>(number)];
    Result<JsonDocument> document = [&]() -> Result<JsonDocument> {
        PW_TRY(const std::unique_ptr<ByteSource> source, open());
        PW_TRY(const std::string text, wholeSource(*source, goOn, file));
        Result<JsonDocument> sound = parseJson(text, mostWholeSource);
        if (sound)
            return sound;
        PW_TRY(const std::unique_ptr<ByteSource> again, open());
        JsonMender mender(*again, trace.repairs, number);
        PW_TRY(const std::string mended, wholeSource(mender, goOn, file));
        Result<JsonDocument> whole = parseJson(mended, mostWholeSource);
        // What stands last in a file that is cut may be cut itself, in the middle of a number.
        const bool object = whole && whole->IsObject() && whole->MemberCount() > 0;
        if (object && mender.cut())
            whole->RemoveMember(std::prev(whole->MemberEnd()));
        if (object && !mender.guessed() && whole->MemberCount() > 0)
            return whole;
        return fail(sound.error().code, "%1: %2", file, sound.error().message);
    }();
    if (document && !document->IsObject())
        return fail(ErrorCode::Syntax, "%1: no object", file);
    return document;
}

/// An object by the number of the iteration, with arrays such as "fwd_start" in each.
bool looksLikePrimus(std::string_view head)
{
    const std::size_t key = firstKey(head);
    if (key == std::string_view::npos)
        return false;
    const std::size_t end = head.find('"', key + 1);
    return end != std::string_view::npos && smallNumber(head.substr(key + 1, end - key - 1)) >= 0 &&
           headHas(head, "\"fwd_start\"");
}

/// The `config.json` that lies beside those: the shape of the run.
bool looksLikePrimusConfig(std::string_view head)
{
    return firstKey(head) != std::string_view::npos && headHas(head, "\"pp_size\"") &&
           headHas(head, "\"num_mbs\"");
}

/// Milliseconds by events of the device since the rank's own start of the step, and the highest
/// memory in GiB (2^30 bytes).
///
/// Passes say micro-batch and chunk where the file does; else they are counted, and `countPasses`
/// finds out. An F that ends behind the start of its own backward is cut there.
/// @error TooLarge  more than 256 MiB
Result<EventFile> readPrimusSteps(const OpenSource& open, std::int32_t number, Trace& trace,
                                  TraceNames& names, const KeepReading& goOn)
{
    PW_TRY(const JsonDocument document, primusObject(open, number, trace, goOn));
    return PrimusReading(number, trace, names).read(document);
}

/// Reads the shape of the run, which is not a rank.
Result<EventFile> readPrimusConfig(const OpenSource& open, std::int32_t number, Trace& trace,
                                   TraceNames&, const KeepReading& goOn)
{
    PW_TRY(const JsonDocument document, primusObject(open, number, trace, goOn));
    constexpr std::int64_t most = 65'536;
    const auto of = [&](const char* name) {
        const std::int64_t value = wholeMember(document, name);
        return static_cast<std::int32_t>(value >= 1 && value <= most ? value : -1);
    };
    EventFile file;
    file.firstSpan = trace.spans.size();
    file.origin = primusOrigin;
    file.shapeOnly = true;
    file.shape = {of("pp_size"), of("vp_size"), of("num_mbs"), -1};
    return file;
}

bool looksLikeFileOfPrimus(std::string_view head)
{
    return looksLikePrimus(head) || looksLikePrimusConfig(head);
}

Result<EventFile> readFileOfPrimus(const OpenSource& open, std::int32_t number, Trace& trace,
                                   TraceNames& names, const KeepReading& goOn)
{
    constexpr std::size_t headSize = std::size_t{64} << 10;
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    return looksLikePrimus(headOf(*source, headSize))
               ? readPrimusSteps(open, number, trace, names, goOn)
               : readPrimusConfig(open, number, trace, names, goOn);
}

} // namespace

Importer primus()
{
    Importer importer;
    importer.id = "primus";
    importer.title = "Primus's pp_rank_*.json";
    importer.endings = {".json"};
    importer.precedence = 10;
    importer.content = {looksLikeFileOfPrimus, readFileOfPrimus};
    return importer;
}

} // namespace pw::importers
