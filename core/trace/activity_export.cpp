// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/activity_export.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/io/svg_picture.h"
#include "core/io/text_measure.h"

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
constexpr double legendHeight = 22;
constexpr double letters = 10; // their size, of all text but the title
constexpr Ground ground = Ground::Light;

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
        m_picture.width = m_figure.width;
        m_scale = (m_figure.width - labelWidth - rightMargin) /
                  static_cast<double>(std::max<Ticks>(m_to - m_from, 1));
    }

    Result<Picture> draw() &&
    {
        constexpr std::size_t paper = 0;
        fill("paper", {}, Role::Paper);
        constexpr double titleSize = 14;
        if (!m_figure.title.empty())
            m_picture.items.push_back(PictureText{"title",
                                                  {8, 15},
                                                  m_figure.title,
                                                  TextAnchor::Begin,
                                                  titleSize,
                                                  colorOf(Role::Text, ground),
                                                  true});
        double y = headHeight;
        const std::size_t count = std::min(m_source.lanes().size(), m_figure.lanes);
        for (std::size_t i = 0; i < count; ++i)
            PW_DO(lane(i, y));
        if (count < m_source.lanes().size()) {
            const auto rest = static_cast<std::int64_t>(m_source.lanes().size() - count);
            text("note", 8, y, "and " + groupedNumber(rest) + " more", Role::Secondary);
            y += rowHeight;
        }
        axis(y);
        legend(y + axisHeight);
        m_picture.height = y + axisHeight + legendHeight;
        std::get<PictureRect>(m_picture.items[paper]).box = {0, 0, m_picture.width,
                                                             m_picture.height};
        return std::move(m_picture);
    }

private:
    double x(Ticks time) const { return labelWidth + static_cast<double>(time - m_from) * m_scale; }

    void fill(std::string_view part, const PictureBox& box, Role role)
    {
        m_picture.items.push_back(PictureRect{part, box, {.fill = colorOf(role, ground)}});
    }

    /// A line of text in the row that begins at `top`.
    void text(std::string_view part, double left, double top, std::string words, Rgb color)
    {
        m_picture.items.push_back(PictureText{part,
                                              {left, top + rowHeight / 2},
                                              std::move(words),
                                              TextAnchor::Begin,
                                              letters,
                                              color});
    }

    void text(std::string_view part, double left, double top, std::string words, Role role)
    {
        text(part, left, top, std::move(words), colorOf(role, ground));
    }

    /// As much of a text as fits into a width.
    std::string fitting(std::string_view words, double width) const
    {
        return elided(words, width / letters, m_measure, false);
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
            text("note", 8, y, fitting(owner, m_figure.width - rightMargin), Role::Secondary);
            y += rowHeight + 2;
        }
        const int rows = std::clamp(lane.rows, 1, m_figure.rows);
        fill("lane", {labelWidth, y, m_figure.width - labelWidth - rightMargin, rows * rowHeight},
             Role::Lane);
        text("name", 16, y, fitting(lane.name, labelWidth - 20), Role::Text);
        const auto quarter = static_cast<Ticks>(0.25 / m_scale);
        std::vector<ActivitySlice> slices;
        // One more, so that a slice without length at the end is there too.
        PW_DO(m_source.slices(index, m_from, m_to + 1, quarter, slices));
        for (const ActivitySlice& slice : slices)
            if (slice.depth < m_figure.rows)
                PW_DO(block(slice, y));
        y += rows * rowHeight + laneGap;
        return {};
    }

    Result<void> block(const ActivitySlice& slice, double lane)
    {
        const double left = x(slice.start), top = lane + slice.depth * rowHeight;
        const double width = std::max(x(slice.end) - left, 0.25);
        const Rgb color = colorOf(roleOf(slice.kind), ground);
        PictureRect rect{name(slice.kind), {left, top, width, rowHeight - 1}, {.fill = color}};
        constexpr double readable = 24, tellable = 2;
        if (slice.count > 1 || width < tellable) {
            m_picture.items.push_back(std::move(rect));
            return {};
        }
        PW_TRY(const std::string called, m_source.name(slice.name));
        constexpr double longest = 1200; // of a line that a viewer shows
        rect.hint = fitting(called, longest) + "\n" + timeText(slice.end - slice.start) + " from " +
                    millisecondText(slice.start);
        m_picture.items.push_back(std::move(rect));
        if (width >= readable)
            text(wantsWhiteText(color) ? "light" : "dark", left + 3, top,
                 fitting(called, width - 6),
                 wantsWhiteText(color) ? Rgb{255, 255, 255} : colorOf(Role::Text, Ground::Light));
        return {};
    }

    void axis(double y)
    {
        constexpr int ticks = 10;
        for (int i = 0; i <= ticks; ++i) {
            const Ticks time = m_from + (m_to - m_from) / ticks * i;
            m_picture.items.push_back(PicturePath{"tick",
                                                  {{x(time), headHeight}, {x(time), y + 4}},
                                                  {.line = colorOf(Role::Line, ground)}});
            if (i < ticks)
                text("note", x(time) + 2, y + 3, timeText(time - m_from), Role::Secondary);
        }
    }

    void legend(double y)
    {
        double left = labelWidth;
        for (const ActivityKind kind : shownKinds) {
            fill(name(kind), {left, y, 11, 11}, roleOf(kind));
            const std::string word(name(kind));
            text("name", left + 15, y - 2, word, Role::Text);
            left += 32 + m_measure.width(word, false) * letters;
        }
    }

    const ActivitySource& m_source;
    const ActivityFigure& m_figure;
    const TextMeasure m_measure = unknownFont();
    Ticks m_from = 0;
    Ticks m_to = 0;
    double m_scale = 1;
    std::string m_owner;
    Picture m_picture;
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
    PW_TRY(const Picture picture, ActivityPicture(source, figure).draw());
    return writeSvg(picture, figure.title, SvgUnit::Pixels);
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
