// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "core/io/schedule_text_parts.h"
#include "core/io/spec_names.h"
#include "core/model/routes.h"

#include <algorithm>
#include <limits>

namespace pw {

namespace {

/// A line of the file that is not blank, without its comment.
struct Line
{
    FilePlace place;      // of `content`
    std::string_view key; // before the colon; empty: none
    std::string_view content;
};

std::vector<Line> split(std::string_view text)
{
    std::vector<Line> lines;
    std::int32_t number = 0;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view raw = text.substr(at, end - at);
        at = end + 1;
        ++number;
        raw = raw.substr(0, raw.find('#'));
        if (trimmed(raw).empty())
            continue;
        Line line;
        std::size_t start = 0;
        if (const std::size_t colon = raw.find(':'); colon != std::string_view::npos) {
            const std::string_view key = trimmed(raw.substr(0, colon));
            // `F0:1` is a malformed pass, not a key.
            if (!key.empty() && key.front() >= 'a' && key.front() <= 'z') {
                line.key = key;
                start = colon + 1;
            }
        }
        line.content = raw.substr(start);
        line.place = {number, static_cast<std::int32_t>(start) + 1};
        lines.push_back(line);
    }
    return lines;
}

/// Puts a text together: sorts its lines, makes the spec, then reads the devices.
class TextReader
{
public:
    TextReader(ScheduleText& out, const PipelineSpec* given)
        : m_out(out)
        , m_given(given)
    {
    }

    void run(std::string_view text)
    {
        for (const Line& line : split(text))
            sort(line);
        if (!settleDevices())
            return;
        Occurring seen;
        if (!scanDevices(seen) || !settleSpec(seen))
            return;
        readDevices();
    }

private:
    void refuse(FilePlace place, Sentence text, Sentence repair = {})
    {
        m_out.problems.add(place, std::move(text), std::move(repair));
    }

    void sort(const Line& line)
    {
        std::int64_t device = m_lastDevice + 1;
        if (!line.key.empty()) {
            const auto number =
                line.key.front() == 'd' ? parseNumber(line.key.substr(1)) : std::nullopt;
            if (!number) {
                if (!m_header.emplace(line.key, line).second)
                    refuse({line.place.line, 1}, said("%1 is given twice", inQuotes(line.key)));
                return;
            }
            device = *number;
        }
        if (device >= maxFileDevices) {
            refuse({line.place.line, 1},
                   said("device %1; a file has at most %2 devices", device, maxFileDevices));
            return;
        }
        m_lastDevice = static_cast<std::int32_t>(device);
        if (!m_lines.emplace(m_lastDevice, line).second)
            refuse({line.place.line, 1}, said("device %1 has two lines", device));
    }

    /// The number behind a header word, at least 1.
    std::optional<std::int32_t> count(std::string_view key)
    {
        const auto found = m_header.find(key);
        if (found == m_header.end())
            return std::nullopt;
        const auto value = parseNumber(trimmed(found->second.content));
        if (!value || *value < 1) {
            refuse(found->second.place,
                   said("%1 is not a count for %2", inQuotes(trimmed(found->second.content)),
                        inQuotes(key)),
                   said("a whole number from 1 on"));
            return std::nullopt;
        }
        return value;
    }

    bool settleDevices()
    {
        const auto given = count("devices");
        std::int32_t most = m_lines.empty() ? 0 : m_lines.rbegin()->first + 1;
        m_devices = given ? *given : m_given ? m_given->devices : most;
        if (m_devices < 1) {
            refuse({1, 1}, said("no device has a line"), said("write one line of passes a device"));
            return false;
        }
        if (m_devices > maxFileDevices && !m_given) {
            refuse(m_header.at("devices").place,
                   said("a file has at most %1 devices", maxFileDevices));
            return false;
        }
        if (most > m_devices) {
            refuse({m_lines.rbegin()->second.place.line, 1},
                   said("device %1 has a line; devices are 0 to %2", most - 1, m_devices - 1));
            return false;
        }
        if (!given && !m_given) {
            std::int32_t expected = 0;
            for (const auto& [device, line] : m_lines) {
                if (device != expected) {
                    refuse({line.place.line, 1}, said("device %1 has no line", expected),
                           said("write an empty line 'd%1:'", expected));
                    return false;
                }
                ++expected;
            }
        }
        return true;
    }

    bool scanDevices(Occurring& seen)
    {
        for (const auto& [device, line] : m_lines) {
            noteOccurring(line.content, seen);
            if (seen.entries > maxFileEntries) {
                refuse(
                    {line.place.line, 1},
                    said("more than %1 passes and pairs, the most that is read", maxFileEntries));
                return false;
            }
        }
        return true;
    }

    HeaderLines header()
    {
        HeaderLines lines;
        lines.devices = m_devices;
        lines.microBatches = count("micro-batches");
        lines.steps = count("steps");
        for (const auto& [key, line] : m_header) {
            const std::string_view value = trimmed(line.content);
            if (key == "placement") {
                lines.placements = placements(line);
            } else if (key == "routes") {
                const std::size_t known = lines.placements ? lines.placements->size() : 0;
                lines.routes = routes(line, std::max(2, static_cast<std::int32_t>(known)));
            } else if (key == "segments") {
                const auto segments = count(key);
                if (segments && *segments <= maxFileEntries)
                    lines.segmentLengths.emplace(static_cast<std::size_t>(*segments), 1);
                else if (segments)
                    refuse(line.place, said("too many segments: %1", *segments));
            } else if (key == "segment-lengths") {
                if (m_header.count("segments") != 0)
                    refuse({line.place.line, 1},
                           said("both segments and segment-lengths are given"));
                lines.segmentLengths = numbers(line);
            } else if (key == "updates") {
                lines.updates = named(allUpdateRules, value);
                lines.noUpdates = value == "none";
                if (!lines.updates && !lines.noUpdates)
                    refuse(line.place, said("%1 is not an update rule", inQuotes(value)),
                           said("flush, stashed, double-buffered or none"));
            } else if (key == "messages") {
                lines.messages = named(allMessageRules, value);
                if (!lines.messages)
                    refuse(line.place, said("%1 is not a message rule", inQuotes(value)),
                           said("early or committed"));
            } else if (key != "devices" && key != "micro-batches" && key != "steps") {
                refuse({line.place.line, 1}, said("unknown word %1", inQuotes(key)),
                       said("known are devices, micro-batches, steps, placement, routes, segments, "
                            "segment-lengths, updates, messages, and d0, d1 …"));
            }
        }
        return lines;
    }

    std::optional<std::vector<Placement>> placements(const Line& line)
    {
        std::vector<Placement> all;
        std::string_view left = line.content;
        for (bool more = true; more;) {
            const std::size_t comma = left.find(',');
            more = comma != std::string_view::npos;
            auto placement = parsePlacement(left.substr(0, comma), m_devices);
            if (!placement) {
                refuse(line.place, placement.error().message);
                return std::nullopt;
            }
            all.push_back(std::move(*placement));
            if (all.size() > static_cast<std::size_t>(maxRoutes)) {
                refuse(line.place,
                       said("a pipeline has one route or two, with replicas up to %1", maxRoutes));
                return std::nullopt;
            }
            if (more)
                left = left.substr(comma + 1);
        }
        return all;
    }

    /// Words of a header line, each given to `each`, which says whether it could be read.
    template<typename Each>
    bool words(const Line& line, Each each)
    {
        for (std::string_view left = trimmed(line.content); !left.empty();) {
            const std::string_view word = left.substr(0, left.find_first_of(" \t"));
            if (!each(word))
                return false;
            left = trimmed(left.substr(word.size()));
        }
        return true;
    }

    /// @param known  routes that the placement has, at least two
    std::optional<std::vector<std::uint8_t>> routes(const Line& line, std::int32_t known)
    {
        std::vector<std::uint8_t> all;
        const bool fine = words(line, [&](std::string_view word) {
            const std::size_t star = word.find('*');
            const auto route = parseNumber(word.substr(0, star));
            const auto times = star == std::string_view::npos ? std::optional<std::int32_t>(1)
                                                              : parseNumber(word.substr(star + 1));
            const bool good = route && times && *route < known && *times >= 1 &&
                              *times <= maxFileEntries &&
                              static_cast<std::int64_t>(all.size()) < maxFileEntries;
            if (good) {
                all.insert(all.end(), static_cast<std::size_t>(*times),
                           static_cast<std::uint8_t>(*route));
            } else {
                refuse(line.place, said("%1 is not a route", inQuotes(word)),
                       said("write 0 or 1 for each micro-batch, or 0*4 for four times 0"));
            }
            return good;
        });
        if (fine && all.empty())
            refuse(line.place, said("no route is given"),
                   said("leave the line out if there is one route"));
        if (!fine || all.empty())
            return std::nullopt;
        return all;
    }

    std::optional<std::vector<int>> numbers(const Line& line)
    {
        std::vector<int> all;
        const bool fine = words(line, [&](std::string_view word) {
            const auto number = parseNumber(word);
            if (number)
                all.push_back(*number);
            else
                refuse(line.place, said("%1 is not a whole number", inQuotes(word)));
            return number.has_value();
        });
        if (fine && all.empty())
            refuse(line.place, said("no number is given"));
        if (!fine || all.empty())
            return std::nullopt;
        return all;
    }

    /// Where a header word stands, for problems that concern it.
    FilePlace placeOf(std::string_view key) const
    {
        const auto found = m_header.find(key);
        return found == m_header.end() ? FilePlace{1, 1} : found->second.place;
    }

    bool settleSpec(const Occurring& seen)
    {
        const std::int64_t before = m_out.problems.count;
        const HeaderLines lines = header();
        if (m_out.problems.count > before)
            return false;
        PipelineSpec& spec = m_out.draft.spec;
        if (m_given) {
            spec = *m_given;
            return agrees(lines);
        }
        if (!lines.placements && seen.chunk > 0) {
            refuse({1, 1},
                   said("devices have %1 chunks, and no line says which stages these are",
                        seen.chunk + 1),
                   said("add 'placement: looped %1', 'placement: v' or another placement",
                        seen.chunk + 1));
            return false;
        }
        if (seen.segments > maxFileEntries) {
            refuse({1, 1}, said("segment %1 is too high", seen.segments - 1));
            return false;
        }
        spec = inferredSpec(lines, seen, m_devices);
        if (const auto sound = check(spec); !sound) {
            refuse(placeOf("placement"), sound.error().message);
            spec = PipelineSpec();
            return false;
        }
        return true;
    }

    bool agrees(const HeaderLines& lines)
    {
        const PipelineSpec& spec = *m_given;
        const std::int64_t before = m_out.problems.count;
        auto compare = [&](std::string_view key, bool same) {
            if (!same)
                refuse(placeOf(key), said("%1 differs from the shape that is set", inQuotes(key)));
        };
        compare("devices", m_devices == spec.devices);
        compare("micro-batches", !lines.microBatches || *lines.microBatches == spec.microBatches);
        compare("steps", !lines.steps || *lines.steps == spec.steps);
        compare("placement", !lines.placements || *lines.placements == spec.routes);
        compare("routes", !lines.routes || *lines.routes == spec.routeOfMicroBatch);
        compare(m_header.count("segments") != 0 ? "segments" : "segment-lengths",
                !lines.segmentLengths || *lines.segmentLengths == spec.segmentLengths);
        compare("updates", !(lines.noUpdates && spec.updates));
        compare("updates", !lines.updates || (spec.updates && *lines.updates == spec.updateRule));
        compare("messages", !lines.messages || *lines.messages == spec.messages);
        return m_out.problems.count == before;
    }

    void readDevices()
    {
        const PipelineSpec& spec = m_out.draft.spec;
        const ChunkTable chunks(spec);
        m_out.draft.orders.resize(static_cast<std::size_t>(spec.devices));
        m_out.places.resize(static_cast<std::size_t>(spec.devices));
        for (const auto& [device, line] : m_lines) {
            const auto at = static_cast<std::size_t>(device);
            m_out.draft.orders[at] = parseOrder(line.content, spec, chunks, DeviceId(device),
                                                line.place, m_out.problems, &m_out.places[at]);
        }
    }

    ScheduleText& m_out;
    const PipelineSpec* m_given;
    std::map<std::string_view, Line> m_header;
    std::map<std::int32_t, Line> m_lines;
    std::int32_t m_lastDevice = -1;
    std::int32_t m_devices = 0;
};

} // namespace

PipelineSpec inferredSpec(const HeaderLines& header, const Occurring& seen, int devices)
{
    PipelineSpec spec;
    spec.devices = devices;
    spec.steps = header.steps.value_or(1);
    if (header.placements)
        spec.routes = *header.placements;
    else
        spec.routes = {Placement::linear(devices)};
    if (header.routes)
        spec.routeOfMicroBatch = *header.routes;
    const std::int64_t perStep = (seen.microBatches + spec.steps - 1) / spec.steps;
    if (header.microBatches)
        spec.microBatches = *header.microBatches;
    else if (header.routes)
        spec.microBatches = static_cast<std::int32_t>(header.routes->size());
    else
        spec.microBatches = static_cast<std::int32_t>(
            std::clamp<std::int64_t>(perStep, 1, std::numeric_limits<std::int32_t>::max()));
    if (header.segmentLengths)
        spec.segmentLengths = *header.segmentLengths;
    else
        spec.segmentLengths.assign(static_cast<std::size_t>(seen.segments), 1);
    spec.updates = header.updates.has_value() || (seen.updates && !header.noUpdates);
    spec.updateRule = header.updates.value_or(UpdateRule::Flush);
    spec.messages = header.messages.value_or(MessageRule::Early);
    return spec;
}

ScheduleText parseScheduleText(std::string_view text, const PipelineSpec* spec)
{
    ScheduleText out;
    if (static_cast<std::int64_t>(text.size()) > maxScheduleTextBytes) {
        out.problems.add({}, said("the text is longer than %1 bytes, the most that is read",
                                  maxScheduleTextBytes));
        return out;
    }
    TextReader(out, spec).run(text);
    return out;
}

} // namespace pw
