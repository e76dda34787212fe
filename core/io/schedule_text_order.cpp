// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "core/io/schedule_text_parts.h"
#include "core/model/routes.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace pw {

namespace {

/// A pass as it is written, before the placement says which stage it is.
struct WrittenPass
{
    PassKind kind = PassKind::F;
    std::int32_t number = 0;
    std::int32_t chunk = 0;
    std::int32_t segment = 0;
    std::optional<HostedStage> stage; // written in brackets
    std::optional<std::int32_t> version;
};

/// Reads one pass from the front of a text; says what is wrong and where.
class PassScanner
{
public:
    explicit PassScanner(std::string_view text)
        : m_text(text)
    {
    }

    std::size_t position() const { return m_at; }
    const std::string& why() const { return m_why; }
    const std::string& repair() const { return m_repair; }

    bool scan(WrittenPass& pass)
    {
        if (!scanKind(pass.kind) || !scanNumber(pass.number, "a micro-batch number"))
            return false;
        if (take('[')) {
            if (!scanStage(pass))
                return false;
        } else if (take('.') && !scanNumber(pass.chunk, "a chunk number")) {
            return false;
        }
        if (take('/')) {
            if (!scanNumber(pass.segment, "a segment number"))
                return false;
            if (pass.kind == PassKind::U)
                return refuse(said("a U has no segment"), said("leave out the /"));
        }
        if (take('@')) {
            std::int32_t version = 0;
            if (!scanNumber(version, "a weight version"))
                return false;
            pass.version = version;
        }
        return true;
    }

private:
    bool refuse(const Sentence& why, const Sentence& repair = {})
    {
        m_why = why;
        m_repair = repair;
        return false;
    }

    bool take(char c)
    {
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    bool scanKind(PassKind& kind)
    {
        constexpr std::array<PassKind, passKindCount> longestFirst = {
            PassKind::BW, PassKind::F, PassKind::B, PassKind::W, PassKind::R, PassKind::U};
        for (const PassKind one : longestFirst) {
            if (m_text.substr(m_at, name(one).size()) == name(one)) {
                kind = one;
                m_at += name(one).size();
                return true;
            }
        }
        return refuse(said("no pass starts like this"), said("kinds are F, B, W, BW, R and U"));
    }

    bool scanNumber(std::int32_t& number, const char* what)
    {
        std::size_t end = m_at;
        while (end < m_text.size() && m_text[end] >= '0' && m_text[end] <= '9')
            ++end;
        const auto value = parseNumber(m_text.substr(m_at, end - m_at));
        if (!value) {
            return end == m_at ? refuse(said("%1 is missing", what))
                               : refuse(said("%1 is above 2147483647", what));
        }
        number = *value;
        m_at = end;
        return true;
    }

    bool scanStage(WrittenPass& pass)
    {
        std::int32_t route = 0;
        std::int32_t stage = 0;
        if (!scanNumber(stage, "a stage number"))
            return false;
        if (take('/')) {
            route = stage;
            if (!scanNumber(stage, "a stage number"))
                return false;
        }
        if (route >= maxRoutes)
            return refuse(said("routes are 0 to %1", maxRoutes - 1));
        if (!take(']'))
            return refuse(said("the bracket is not closed"), said("write ]"));
        pass.stage = HostedStage{route, StageId(stage)};
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_why;
    std::string m_repair;
};

/// Walks over the words of a device line; `each(first, second or null, place)` gets every
/// well-formed entry.
template<typename Each>
void scanOrder(std::string_view text, FilePlace start, FileProblems& problems, Each each)
{
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
            ++at;
            continue;
        }
        // A pair is one word, also where blanks stand inside.
        const bool pair = text[at] == '(';
        std::size_t end = at;
        if (pair) {
            const std::size_t bracket = text.find_first_of("()", at + 1);
            if (bracket != std::string_view::npos && text[bracket] == ')')
                end = bracket;
        }
        end = std::min(text.find_first_of(" \t\r", end), text.size());
        std::string_view word = text.substr(at, end - at);
        const FilePlace place{start.line, start.column + static_cast<std::int32_t>(at)};
        at = end;

        std::string squeezed;
        if (pair && word.find_first_of(" \t\r") != std::string_view::npos) {
            std::copy_if(word.begin(), word.end(), std::back_inserter(squeezed),
                         [](char c) { return c != ' ' && c != '\t' && c != '\r'; });
            word = squeezed;
        }
        WrittenPass first;
        WrittenPass second;
        auto refuse = [&](const std::string& why, const std::string& repair) {
            problems.add(place, said("%1: %2", inQuotes(word), why), repair);
        };
        PassScanner one(word.substr(pair ? 1 : 0));
        if (!one.scan(first)) {
            refuse(one.why(), one.repair());
            continue;
        }
        std::string_view rest = word.substr(one.position() + (pair ? 1 : 0));
        if (!pair) {
            if (rest.empty())
                each(first, nullptr, place);
            else
                refuse(said("nothing may follow %1", inQuotes(word.substr(0, one.position()))),
                       rest.front() == ':' ? "a segment is written with /"
                                           : "passes are separated by a space");
            continue;
        }
        if (rest.empty() || rest.front() != '+') {
            refuse(said("a pair joins its two passes with +"), said("write (F1+BW0)"));
            continue;
        }
        PassScanner two(rest.substr(1));
        if (!two.scan(second))
            refuse(two.why(), two.repair());
        else if (rest.substr(1 + two.position()) != ")")
            refuse(said("a pair is two passes in brackets"), said("write (F1+BW0)"));
        else
            each(first, &second, place);
    }
}

} // namespace

void noteOccurring(std::string_view line, Occurring& seen)
{
    FileProblems later; // found again by parseOrder, when the stages are known
    scanOrder(line, {}, later, [&](const WrittenPass& first, const WrittenPass* second, FilePlace) {
        ++seen.entries;
        for (const WrittenPass* pass : {&first, second}) {
            if (pass == nullptr)
                continue;
            seen.note({pass->kind, 0, StageId(0), pass->number, pass->segment});
            seen.chunk = std::max<std::int64_t>(seen.chunk, pass->chunk);
        }
    });
}

std::vector<OrderEntry> parseOrder(std::string_view text, const PipelineSpec& spec,
                                   const ChunkTable& chunks, DeviceId device, FilePlace start,
                                   FileProblems& problems, std::vector<FilePlace>* places)
{
    std::vector<OrderEntry> order;
    VersionReader versions(spec);
    auto resolve = [&](const WrittenPass& written, FilePlace place, Pass& pass) {
        const auto& stages = chunks.stages(device);
        HostedStage hosted;
        if (written.stage) {
            hosted = *written.stage;
        } else if (static_cast<std::size_t>(written.chunk) < stages.size()) {
            hosted = stages[static_cast<std::size_t>(written.chunk)];
        } else {
            problems.add(place,
                         said("chunk %1; device %2 has %3", written.chunk, device, stages.size()));
            return false;
        }
        pass = {written.kind, static_cast<std::uint8_t>(hosted.route), hosted.stage, written.number,
                written.segment};
        const auto version = versions.next(pass);
        if (!written.version || (version && *version == *written.version))
            return true;
        const std::string what = std::string(name(pass.kind)) + std::to_string(pass.microBatch);
        if (version) {
            problems.add(
                place,
                said("%1 reads weight version %2 here, not %3", what, *version, *written.version),
                said("write @%1", *version));
        } else {
            problems.add(place, said("%1 has no weight version of its own here", what),
                         said("leave out the @"));
        }
        return true;
    };
    scanOrder(text, start, problems,
              [&](const WrittenPass& first, const WrittenPass* second, FilePlace place) {
                  OrderEntry entry;
                  if (!resolve(first, place, entry.pass))
                      return;
                  if (second != nullptr) {
                      entry.paired = true;
                      if (!resolve(*second, place, entry.partner))
                          return;
                  }
                  order.push_back(entry);
                  if (places != nullptr)
                      places->push_back(place);
              });
    return order;
}

} // namespace pw
