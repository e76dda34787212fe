// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/activity_export.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/io/svg_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <unordered_map>

namespace pw {

namespace {

constexpr double rowHeight = 15;
constexpr double laneGap = 7;
constexpr double labelWidth = 210;
constexpr double rightMargin = 16;
constexpr double headHeight = 34;
constexpr double axisHeight = 26;
constexpr double letterWidth = 6.2; // of text of 10 pixels, at most
constexpr double legendHeight = 22;

/// The front of a text that fits into a width, whole characters.
std::string fitting(std::string_view text, double width)
{
    const auto room = static_cast<std::size_t>(std::max(0.0, width / letterWidth));
    std::size_t letters = 0, at = 0;
    while (at < text.size() && letters < room) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
            ++at;
        ++letters;
    }
    return std::string(text.substr(0, at));
}

constexpr std::array<ActivityKind, activityKindCount> shownKinds = {
    ActivityKind::Compute,  ActivityKind::Communication, ActivityKind::Memory,
    ActivityKind::Operator, ActivityKind::Launch,        ActivityKind::Wait,
    ActivityKind::Script,   ActivityKind::Annotation,    ActivityKind::Other};

class ActivityPicture
{
public:
    ActivityPicture(const ActivitySource& source, const ActivityFigure& figure)
        : m_source(source)
        , m_figure(figure)
    {
        bool first = true;
        for (const ActivityLane& lane : source.lanes()) {
            m_from = first ? lane.start : std::min(m_from, lane.start);
            m_to = first ? lane.end : std::max(m_to, lane.end);
            first = false;
        }
        m_scale = (m_figure.width - labelWidth - rightMargin) /
                  static_cast<double>(std::max<Ticks>(m_to - m_from, 1));
    }

    Result<std::string> draw()
    {
        double y = headHeight;
        const std::size_t count = std::min(m_source.lanes().size(), m_figure.lanes);
        for (std::size_t i = 0; i < count; ++i)
            PW_DO(lane(i, y));
        if (count < m_source.lanes().size()) {
            const auto rest = static_cast<std::int64_t>(m_source.lanes().size() - count);
            text(8, y + 11, "n", "and " + groupedNumber(rest) + " more");
            y += rowHeight;
        }
        axis(y);
        legend(y + axisHeight);
        return head(y + axisHeight + legendHeight) + m_body + "</svg>\n";
    }

private:
    double x(Ticks time) const { return labelWidth + static_cast<double>(time - m_from) * m_scale; }

    void text(double left, double base, const char* style, std::string_view content)
    {
        m_body += "<text x=\"" + svgNumber(left) + "\" y=\"" + svgNumber(base) + "\" class=\"" +
                  style + "\">" + svgEscaped(content) + "</text>\n";
    }

    std::string head(double height) const
    {
        std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                          svgNumber(m_figure.width) + "\" height=\"" + svgNumber(height) +
                          "\" viewBox=\"0 0 " + svgNumber(m_figure.width) + " " +
                          svgNumber(height) + "\">\n<style>text{font:10px sans-serif;fill:" +
                          hexOf(colorOf(Role::Text, Ground::Light)) +
                          "}.t{font-size:14px;font-weight:bold}.n{fill:" +
                          hexOf(colorOf(Role::Secondary, Ground::Light)) + "}.l{fill:#fff}";
        for (const ActivityKind kind : shownKinds)
            out += ".k" + std::to_string(static_cast<int>(kind)) +
                   "{fill:" + hexOf(colorOf(roleOf(kind), Ground::Light)) + "}";
        out += "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"" +
               hexOf(colorOf(Role::Paper, Ground::Light)) + "\"/>\n";
        if (!m_figure.title.empty())
            out += "<text x=\"8\" y=\"20\" class=\"t\">" + svgEscaped(m_figure.title) + "</text>\n";
        return out;
    }

    Result<void> lane(std::size_t index, double& y)
    {
        const ActivityLane& lane = m_source.lanes()[index];
        const std::string owner =
            (lane.rankNumber < 0 ? std::string()
                                 : "rank " + std::to_string(lane.rankNumber) + ", ") +
            lane.owner;
        if (owner != m_owner) {
            m_owner = owner;
            text(8, y + 11, "n", fitting(owner, m_figure.width - rightMargin));
            y += rowHeight + 2;
        }
        const int rows = std::clamp(lane.rows, 1, m_figure.rows);
        m_body += "<rect x=\"" + svgNumber(labelWidth) + "\" y=\"" + svgNumber(y) + "\" width=\"" +
                  svgNumber(m_figure.width - labelWidth - rightMargin) + "\" height=\"" +
                  svgNumber(rows * rowHeight) + "\" fill=\"" +
                  hexOf(colorOf(Role::Lane, Ground::Light)) + "\"/>\n";
        text(16, y + 11, "", fitting(lane.name, labelWidth - 20));
        const auto quarter = static_cast<Ticks>(0.25 / m_scale);
        std::vector<ActivitySlice> slices;
        // One more, so that a slice without length at the end is there too.
        const Result<void> read = m_source.slices(index, m_from, m_to + 1, quarter, slices);
        if (!read)
            return read;
        for (const ActivitySlice& slice : slices)
            if (slice.depth < m_figure.rows)
                if (const Result<void> drawn = block(slice, y); !drawn)
                    return drawn;
        y += rows * rowHeight + laneGap;
        return {};
    }

    Result<void> block(const ActivitySlice& slice, double lane)
    {
        const double left = x(slice.start), top = lane + slice.depth * rowHeight;
        const double width = std::max(x(slice.end) - left, 0.25);
        m_body += "<rect class=\"k" + std::to_string(static_cast<int>(slice.kind)) + "\" x=\"" +
                  svgNumber(left) + "\" y=\"" + svgNumber(top) + "\" width=\"" + svgNumber(width) +
                  "\" height=\"" + svgNumber(rowHeight - 1) + "\"";
        constexpr double readable = 24, tellable = 2;
        if (slice.count > 1 || width < tellable) {
            m_body += "/>\n";
            return {};
        }
        PW_TRY(const std::string name, m_source.name(slice.name));
        constexpr std::size_t longest = 200;
        m_body += "><title>" +
                  svgEscaped(fitting(name, longest * letterWidth) + "\n" +
                             timeText(slice.end - slice.start) + " from " +
                             millisecondText(slice.start)) +
                  "</title></rect>\n";
        if (width >= readable)
            text(left + 3, top + 11, "l", fitting(name, width - 6));
        return {};
    }

    void axis(double y)
    {
        constexpr int ticks = 10;
        for (int i = 0; i <= ticks; ++i) {
            const Ticks time = m_from + (m_to - m_from) / ticks * i;
            m_body += "<line x1=\"" + svgNumber(x(time)) + "\" x2=\"" + svgNumber(x(time)) +
                      "\" y1=\"" + svgNumber(headHeight) + "\" y2=\"" + svgNumber(y + 4) +
                      "\" stroke=\"" + hexOf(colorOf(Role::Line, Ground::Light)) + "\"/>\n";
            if (i < ticks)
                text(x(time) + 2, y + 14, "n", timeText(time - m_from));
        }
    }

    void legend(double y)
    {
        double left = labelWidth;
        for (const ActivityKind kind : shownKinds) {
            m_body += "<rect class=\"k" + std::to_string(static_cast<int>(kind)) + "\" x=\"" +
                      svgNumber(left) + "\" y=\"" + svgNumber(y) +
                      "\" width=\"11\" height=\"11\"/>\n";
            const std::string word(name(kind));
            text(left + 15, y + 10, "", word);
            left += 32 + static_cast<double>(word.size()) * letterWidth;
        }
    }

    const ActivitySource& m_source;
    const ActivityFigure& m_figure;
    Ticks m_from = 0;
    Ticks m_to = 0;
    double m_scale = 1;
    std::string m_owner;
    std::string m_body;
};

/// "12.345", microseconds of a time.
std::string chromeTime(Ticks time)
{
    std::string digits = std::to_string(time < 0 ? -time : time);
    constexpr std::size_t decimals = 3;
    if (digits.size() <= decimals)
        digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, 1, '.');
    return (time < 0 ? "-" : "") + digits;
}

/// A text in quotes, as JSON has it.
std::string jsonQuoted(std::string_view text)
{
    JsonText json;
    json.value(text);
    std::string line = json.text();
    line.pop_back();
    return line;
}

} // namespace

Role roleOf(ActivityKind kind)
{
    switch (kind) {
    case ActivityKind::Compute:
        return Role::Forward;
    case ActivityKind::Communication:
        return Role::Backward;
    case ActivityKind::Memory:
        return Role::Weight;
    case ActivityKind::Operator:
        return Role::ForwardTint;
    case ActivityKind::Launch:
        return Role::Update;
    case ActivityKind::Wait:
        return Role::Hatch;
    case ActivityKind::Annotation:
        return Role::RecomputeTint;
    case ActivityKind::Script:
        return Role::UpdateTint;
    case ActivityKind::Other:
        break;
    }
    return Role::Secondary;
}

Result<std::string> writeActivitySvg(const ActivitySource& source, const ActivityFigure& figure)
{
    return ActivityPicture(source, figure).draw();
}

Result<void> writeActivityChromeJson(const ActivitySource& source, std::ostream& out)
{
    out << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
    std::map<std::pair<std::int32_t, std::string>, std::size_t> processes;
    std::unordered_map<std::int32_t, std::string> names;
    for (std::size_t i = 0; i < source.lanes().size(); ++i) {
        const ActivityLane& lane = source.lanes()[i];
        const auto [process, made] =
            processes.try_emplace({lane.rankNumber, lane.owner}, processes.size());
        const std::string place =
            "\"pid\": " + std::to_string(process->second) + ", \"tid\": " + std::to_string(i);
        if (made)
            out << R"({"ph": "M", "name": "process_name", )" << place << ", \"args\": {\"name\": "
                << jsonQuoted((lane.rankNumber < 0
                                   ? std::string()
                                   : "rank " + std::to_string(lane.rankNumber) + ", ") +
                              lane.owner)
                << "}},\n";
        out << R"({"ph": "M", "name": "thread_name", )" << place
            << ", \"args\": {\"name\": " << jsonQuoted(lane.name) << "}},\n";
        Result<void> problem;
        const Result<void> read = source.each(i, [&](const ActivitySlice& slice) {
            auto known = names.find(slice.name);
            if (known == names.end()) {
                const Result<std::string> text = source.name(slice.name);
                if (!text) {
                    problem = fail(text.error());
                    return false;
                }
                known = names.emplace(slice.name, jsonQuoted(*text)).first;
            }
            out << R"({"ph": "X", )" << place << ", \"ts\": " << chromeTime(slice.start)
                << ", \"dur\": " << chromeTime(slice.end - slice.start) << ", \"cat\": \""
                << name(slice.kind) << "\", \"name\": " << known->second << "},\n";
            return true;
        });
        if (!read)
            return read;
        if (!problem)
            return problem;
    }
    // Every event has a comma behind it, so that one more ends the list.
    out << R"({"ph": "M", "name": "trace_done", "pid": 0, "tid": 0, "args": {}})"
        << "\n]}\n";
    return {};
}

} // namespace pw
