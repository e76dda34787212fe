// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/io/figure_layout.h"
#include "core/model/schedule.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr double memoryHeight = 84;

/// A sentence with what it is about.
std::string filledIn(std::string sentence, const std::string& words)
{
    if (const std::size_t at = sentence.find("%1"); at != std::string::npos)
        sentence.replace(at, 2, words);
    return sentence;
}

/// The device that holds most, in bytes or, where none are known, in micro-batches.
DeviceId fullestDevice(const SimResult& result)
{
    const auto most = std::max_element(result.devices.begin(), result.devices.end(),
                                       [](const DeviceResult& a, const DeviceResult& b) {
                                           return std::pair(a.peakActivation, a.peakShare) <
                                                  std::pair(b.peakActivation, b.peakShare);
                                       });
    return DeviceId(most == result.devices.end() ? 0
                                                 : static_cast<int>(most - result.devices.begin()));
}

/// Micro-batches that are alive on a device over time.
std::vector<std::pair<Ticks, double>> microBatchCurve(const Schedule& schedule, const Costs& costs,
                                                      const SimResult& result, DeviceId device)
{
    std::vector<std::pair<Ticks, Share>> changes;
    // At one time room that copies to the host leave is free first, and that of copies back is
    // taken last.
    for (const HostCopy& copy : result.copies)
        if (copy.device == device)
            changes.emplace_back(copy.outEnd, -copy.share);
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        const auto at = static_cast<std::size_t>(i);
        const auto add = [&](const Pass& pass) {
            if (pass.kind == PassKind::U)
                return;
            const ActivationCost& cost =
                costs.activation[cellIndex(schedule.spec(), pass.stage, pass.segment)];
            const Share share = activationChange(cost, pass.kind, schedule.recomputed(pass)).share;
            changes.emplace_back(share > 0 ? result.start[at] : result.end[at], share);
        };
        add(entry.pass);
        if (entry.paired)
            add(entry.partner);
    }
    for (const HostCopy& copy : result.copies)
        if (copy.device == device && copy.needed >= 0)
            changes.emplace_back(copy.backStart, copy.share);
    std::stable_sort(changes.begin(), changes.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<Ticks, double>> curve = {{0, 0.0}};
    Share now = 0;
    for (const auto& [time, share] : changes) {
        now += share;
        if (curve.back().first != time)
            curve.emplace_back(time, 0);
        curve.back().second = microBatchesFromShare(now);
    }
    return curve;
}

/// What lies between a curve and one below it.
PicturePath between(const PicturePath& curve, const std::vector<PicturePoint>& below)
{
    PicturePath area = curve;
    area.points.insert(area.points.end(), below.rbegin(), below.rend());
    area.closed = true;
    return area;
}

std::string_view partOf(MemoryKind kind)
{
    constexpr std::array<std::string_view, memoryKindCount> names = {"m0", "m1", "m2", "m3", "m4",
                                                                     "m5", "m6", "m7", "m8"};
    return names[static_cast<std::size_t>(kind)];
}

/// A curve that stays at each value until the next.
PicturePath stepPath(const TimeScale& scale, std::size_t count,
                     const std::function<Ticks(std::size_t)>& time,
                     const std::function<double(std::size_t)>& value, const PictureBox& box,
                     double most)
{
    const auto y = [&](double v) { return box.bottom() - v / most * box.height; };
    PicturePath path;
    std::vector<PicturePoint>& points = path.points;
    points.push_back({box.left, y(count > 0 ? value(0) : 0)});
    double drawn = box.left;
    double least = points.back().y;
    double greatest = least;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = std::clamp(scale.x(time(i)), box.left, box.right());
        const double next = y(value(i));
        // What happens within a quarter of a pixel is one line from the least to the greatest.
        if (x - drawn < 0.25 && i + 1 < count) {
            least = std::min(least, next);
            greatest = std::max(greatest, next);
            continue;
        }
        if (greatest - least > 0.5) {
            points.push_back({drawn, least});
            points.push_back({drawn, greatest});
        }
        points.push_back({x, points.back().y});
        points.push_back({x, next});
        drawn = x;
        least = greatest = next;
    }
    points.push_back({box.right(), points.back().y});
    return path;
}

} // namespace

FigureMemory fullestMemory(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    FigureMemory memory;
    memory.device = fullestDevice(result);
    std::vector<MemoryPoint> curve = memoryCurve(schedule, costs, result, memory.device);
    if (std::none_of(curve.begin(), curve.end(),
                     [](const MemoryPoint& point) { return point.total() > 0; })) {
        memory.microBatches = microBatchCurve(schedule, costs, result, memory.device);
        if (costs.shareCap > 0)
            memory.microBatchCap = microBatchesFromShare(costs.shareCap);
        return memory;
    }
    memory.bytes = std::move(curve);
    if (!costs.memoryCap.empty())
        memory.cap = costs.memoryCap[static_cast<std::size_t>(memory.device)];
    return memory;
}

std::string FigureLayout::bytesText(double bytes) const
{
    const auto whole = static_cast<Bytes>(std::llround(bytes));
    return m_words.bytes != nullptr ? m_words.bytes(whole) : byteText(whole);
}

double FigureLayout::heading(const std::string& words, const std::string& of)
{
    const double middle = m_y + line() / 2;
    text("head", {m_left, middle}, words, textColor(), TextAnchor::Begin, true);
    const double used = m_left + wide(words, true) + 8;
    text("key", {used, middle}, elided(of, (m_right - used) / m_size, m_measure, false),
         quietColor());
    return std::min(m_right, used + wide(of));
}

/// A step curve over the whole width; the last value holds to the end.
/// The memory of one device over time: by kind where bytes are known, else in micro-batches.
void FigureLayout::layMemory()
{
    const FigureMemory& memory = m_figure.memory;
    const bool bytes = !memory.bytes.empty();
    double most = 0;
    for (const MemoryPoint& point : memory.bytes)
        most = std::max(most, static_cast<double>(point.total()));
    for (const auto& [time, value] : memory.microBatches)
        most = std::max(most, bytes ? 0.0 : value);
    const double peak = most;
    const double cap =
        bytes ? static_cast<double>(memory.cap.value_or(0)) : memory.microBatchCap.value_or(0);
    const bool capShown = cap > 0 && cap < 3 * most;
    if (capShown)
        most = std::max(most, cap);
    most = most > 0 ? 1.1 * most : 1;

    m_y += 6;
    const double ended = heading(bytes ? m_words.memory : m_words.activations,
                                 filledIn(bytes ? m_words.memoryOf : m_words.activationsOf,
                                          filledIn(m_words.device, std::to_string(memory.device))));
    const PictureBox box{m_left, m_y + line(), m_right - m_left, memoryHeight};
    if (!paper())
        fill("lane", box, colorOf(Role::Lane, ground()));
    if (bytes)
        layMemoryKinds(box, most, ended);
    else
        layMicroBatches(box, most);
    layMemoryScale(box, most, peak);
    if (capShown) {
        const double level = box.bottom() - cap / most * box.height;
        const Rgb red = colorOf(Role::Refusal, ground());
        stroke("cap", {{box.left, level}, {box.right(), level}}, red, 1, true);
        text("captext", {box.right() - 4, level - line() / 2},
             filledIn(m_words.cap, bytes ? bytesText(cap) : plainNumber(cap)), red,
             TextAnchor::End);
    }
    m_y = box.bottom();
}

/// The kinds above each other, and their names from the right until the heading is reached.
void FigureLayout::layMemoryKinds(const PictureBox& box, double most, double nameless)
{
    const std::vector<MemoryPoint>& points = m_figure.memory.bytes;
    std::vector<double> sums(points.size(), 0.0);
    std::vector<PicturePoint> below = {{box.left, box.bottom()}, {box.right(), box.bottom()}};
    const double middle = m_y + line() / 2;
    double end = m_right;
    for (int index = 0; index < memoryKindCount; ++index) {
        const auto kind = static_cast<MemoryKind>(index);
        bool any = false;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const Bytes own = points[i].bytes[static_cast<std::size_t>(index)];
            any = any || own > 0;
            sums[i] += static_cast<double>(own);
        }
        if (!any)
            continue;
        const PicturePath curve = stepPath(
            m_scale, sums.size(), [&](std::size_t i) { return points[i].time; },
            [&](std::size_t i) { return sums[i]; }, box, most);
        const Rgb ink = colorOf(roleOf(kind), ground());
        PicturePath area = between(curve, below);
        area.part = partOf(kind);
        area.paint.fill = ink;
        add(std::move(area));
        below = curve.points;
        const std::string& words = m_words.memoryKinds[static_cast<std::size_t>(index)];
        const double begin = end - (wide(words) + line() + 14);
        if (begin >= nameless + 10) {
            const double side = 0.7 * line();
            fill(partOf(kind), {begin, middle - side / 2, side, side}, ink);
            text("key", {begin + line(), middle}, words, quietColor());
        }
        end = begin;
    }
}

void FigureLayout::layMicroBatches(const PictureBox& box, double most)
{
    const auto& points = m_figure.memory.microBatches;
    PicturePath curve = stepPath(
        m_scale, points.size(), [&](std::size_t i) { return points[i].first; },
        [&](std::size_t i) { return points[i].second; }, box, most);
    PicturePath area = between(curve, {{box.left, box.bottom()}, {box.right(), box.bottom()}});
    area.part = "fl";
    area.paint.fill = colorOf(Role::ForwardTint, ground());
    add(std::move(area));
    stroke("curve", std::move(curve.points), colorOf(Role::Forward, ground()), 1.2);
}

void FigureLayout::layMemoryScale(const PictureBox& box, double most, double peak)
{
    stroke("axis", {{box.left, box.bottom()}, {box.right(), box.bottom()}}, quietColor(), 0.7);
    const auto mark = [&](double value, const std::string& label) {
        const double y = box.bottom() - value / most * box.height;
        stroke("axis", {{box.left - 3, y}, {box.left, y}}, quietColor(), 0.7);
        text("e", {box.left - 6, y}, label, quietColor(), TextAnchor::End);
    };
    mark(0, "0");
    if (peak > 0)
        mark(peak, m_figure.memory.bytes.empty() ? plainNumber(peak, 3) : bytesText(peak));
}

void FigureLayout::layBubbles()
{
    const std::vector<FigureBubble>& rows = m_figure.bubbles;
    const auto count = static_cast<double>(rows.size());
    const double high = rows.size() <= 16 ? line() + 1 : std::max(1.0, 200 / count);
    m_y += 10;
    heading(m_words.bubble, m_words.bubbleOf);
    const bool named = high >= line();
    double words = 0;
    for (const FigureBubble& row : rows)
        words = named ? std::max(words, wide(row.rates) + 22) : 0;
    const double room = std::max(20.0, m_right - m_left - words);
    const double top = m_y + line() + 2;
    const double bottom = top + count * high;
    layBubbleAxis(room, top, bottom);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double y = top + static_cast<double>(i) * high;
        fill("idle", {m_left, y + 0.2 * high, room * rows[i].wall, 0.6 * high},
             colorOf(Role::Secondary, ground()));
        if (!named)
            continue;
        text("n", {m_left - 8, y + high / 2},
             elided(rows[i].device, (m_left - m_pad - 8) / m_size, m_measure, false), textColor(),
             TextAnchor::End);
        text("n", {m_right, y + high / 2}, rows[i].rates, textColor(), TextAnchor::End);
    }
    m_y = bottom + 4 + line();
}

/// The axis goes to 100 %, so that bars of two figures can be held against each other.
void FigureLayout::layBubbleAxis(double room, double top, double bottom)
{
    const Rgb line_ = paper() ? Rgb{0xb0, 0xb0, 0xb0} : colorOf(Role::Line, ground());
    for (const int mark : {0, 25, 50, 75, 100}) {
        const double x = m_left + room * mark / 100;
        stroke("grid", {{x, top}, {x, bottom + 3}}, line_, 0.7);
        text("q", {x, bottom + 3 + line() / 2}, mark == 0 ? "0" : std::to_string(mark) + " %",
             quietColor(), TextAnchor::Middle);
    }
}

} // namespace pw
