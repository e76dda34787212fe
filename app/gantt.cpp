// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/gantt.h"

#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/schedule_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace pw::app {

namespace {

constexpr int indent = 2;
constexpr int fewestColumns = 30;
constexpr int mostColumnsForUnit = 5;
constexpr int mostTallLanes = 32;
constexpr int mostLanes = 64;
constexpr int mostSpacedLanes = 8;

Role roleOf(PassKind kind, bool later, bool lowerPart)
{
    switch (kind) {
    case PassKind::F:
        return later ? Role::ForwardTint : Role::Forward;
    case PassKind::B:
        return later ? Role::BackwardTint : Role::Backward;
    case PassKind::W:
        return later ? Role::WeightTint : Role::Weight;
    case PassKind::BW:
        if (lowerPart)
            return later ? Role::WeightTint : Role::Weight;
        return later ? Role::BackwardTint : Role::Backward;
    case PassKind::R:
        return Role::Recompute;
    case PassKind::U:
        return Role::Update;
    }
    return Role::Text;
}

/// The kind in at most `width` letters. X stands for BW where there is one column for it.
std::string letters(PassKind kind, bool later, int width)
{
    std::string text(name(kind));
    if (static_cast<int>(text.size()) > width)
        text = "X";
    if (later) {
        for (char& c : text)
            c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

/// The last digits of a number that fit.
std::string digits(int number, int width)
{
    const std::string text = std::to_string(number);
    const auto room = static_cast<std::size_t>(std::max(width, 0));
    return text.size() <= room ? text : text.substr(text.size() - room);
}

std::string padded(std::string text, int width)
{
    const int missing = width - displayWidth(text);
    return missing > 0 ? text + std::string(static_cast<std::size_t>(missing), ' ') : text;
}

/// Draws the lanes of one schedule on one screen.
class Gantt
{
public:
    Gantt(const Schedule& schedule, const SimResult& result, const Screen& screen, Unit unit)
        : m_schedule(schedule)
        , m_result(result)
        , m_screen(screen)
        , m_unit(unit)
        , m_chunks(schedule.spec())
        , m_label(7 + static_cast<int>(std::to_string(schedule.devices() - 1).size()) + 2)
    {
        findScale();
    }

    bool fits() const
    {
        return m_columns >= fewestColumns && m_schedule.devices() <= mostLanes &&
               m_result.makespan > 0;
    }

    std::string text()
    {
        const bool tall = m_tall && m_schedule.devices() <= mostTallLanes;
        std::string out;
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            out += tall ? tallLane(device) : flatLane(device);
            if (tall && m_schedule.devices() <= mostSpacedLanes)
                out += "\n";
        }
        return out + ruler() + "\n" + legend(tall);
    }

private:
    std::size_t at(EntryId entry) const { return entry.index(); }

    /// Whether the stage of a pass is not the first chunk of its device.
    bool later(const Pass& pass) const { return m_chunks.chunk(pass.route, pass.stage) > 0; }

    bool anyLater() const
    {
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            if (m_chunks.stages(device).size() > 1)
                return true;
        }
        return false;
    }

    /// Columns for a tick: a whole number of them for the unit that divides all times, where that
    /// fits.
    void findScale()
    {
        const int room = m_screen.width - indent - m_label;
        m_columns = room;
        Ticks unit = 0, shortest = m_result.makespan;
        for (const EntryId e : m_schedule.entries()) {
            unit = std::gcd(unit, std::gcd(m_result.start[at(e)], m_result.end[at(e)]));
            const Ticks length = m_result.end[at(e)] - m_result.start[at(e)];
            if (length > 0)
                shortest = std::min(shortest, length);
        }
        if (unit == 0 || room < fewestColumns || m_result.makespan <= 0)
            return;
        const Ticks units = m_result.makespan / unit;
        if (units > 0 && units <= room) {
            const auto each = std::min<Ticks>(mostColumnsForUnit, room / units);
            m_columns = static_cast<int>(units * each);
            m_perTick = static_cast<double>(each) / static_cast<double>(unit);
        } else {
            m_perTick = room / static_cast<double>(m_result.makespan);
        }
        constexpr double almostOne = 1 - 1e-9;
        m_tall = static_cast<double>(shortest) * m_perTick >= almostOne;
    }

    int column(Ticks time) const
    {
        return static_cast<int>(std::lround(static_cast<double>(time) * m_perTick));
    }

    std::string label(DeviceId device) const
    {
        const std::string text = "device " + std::to_string(device);
        return std::string(indent, ' ') + padded(text, m_label);
    }

    std::string idle(int width) const
    {
        std::string dots;
        for (int i = 0; i < width; ++i)
            dots += "·";
        return m_screen.paint(dots, Role::Secondary);
    }

    /// The text without blanks at its end; a coloured one ends with a code and stays.
    static std::string line(std::string text)
    {
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    }

    /// Upper and lower line of one entry.
    void appendEntry(const OrderEntry& entry, int width, std::string& upper, std::string& lower)
    {
        m_kinds[static_cast<std::size_t>(entry.pass.kind)] = true;
        const bool isLater = later(entry.pass);
        const Role ground = roleOf(entry.pass.kind, isLater, false);
        if (entry.paired) {
            m_kinds[static_cast<std::size_t>(entry.partner.kind)] = true;
            m_pairs = true;
            const bool laterPartner = later(entry.partner);
            const auto both = [&](const Pass& pass, bool small) {
                const std::string kind = letters(pass.kind, small, width);
                return padded(kind + digits(pass.microBatch, width - displayWidth(kind)), width);
            };
            upper += m_screen.chip(both(entry.pass, isLater), ground);
            lower += m_screen.chip(both(entry.partner, laterPartner),
                                   roleOf(entry.partner.kind, laterPartner, true));
            return;
        }
        std::string number = std::to_string(entry.pass.microBatch);
        if (m_schedule.spec().segments() > 1 && entry.pass.kind != PassKind::U) {
            const std::string withSegment = number + "/" + std::to_string(entry.pass.segment);
            if (static_cast<int>(withSegment.size()) <= width)
                number = withSegment;
        }
        if (static_cast<int>(number.size()) > width) {
            number = digits(entry.pass.microBatch, width);
            m_shortened = true;
        }
        upper += m_screen.chip(padded(letters(entry.pass.kind, isLater, width), width), ground);
        lower += m_screen.chip(padded(number, width), roleOf(entry.pass.kind, isLater, true));
    }

    std::string tallLane(DeviceId device)
    {
        std::string upper = label(device);
        std::string lower(static_cast<std::size_t>(indent + m_label), ' ');
        int at0 = 0;
        for (const EntryId e : m_schedule.entries(device)) {
            // Passes of a trace may overlap on a device: what is drawn already stays.
            const int from = std::max(column(m_result.start[at(e)]), at0);
            const int to = column(m_result.end[at(e)]);
            if (to <= from)
                continue;
            upper += idle(from - at0);
            lower += std::string(static_cast<std::size_t>(from - at0), ' ');
            appendEntry(m_schedule.entry(e), to - from, upper, lower);
            at0 = to;
        }
        upper += idle(m_columns - at0);
        return line(upper) + line(lower);
    }

    /// The kind that fills most of each sample of a lane; none for idle.
    std::vector<std::optional<Pass>> samples(DeviceId device, int count) const
    {
        std::vector<std::optional<Pass>> found(static_cast<std::size_t>(count));
        std::vector<double> most(found.size(), 0.0), busy(found.size(), 0.0);
        const double perTick = count / static_cast<double>(m_result.makespan);
        for (const EntryId e : m_schedule.entries(device)) {
            const double from = static_cast<double>(m_result.start[at(e)]) * perTick;
            const double to = static_cast<double>(m_result.end[at(e)]) * perTick;
            for (int s = static_cast<int>(from); s < std::min<double>(count, std::ceil(to)); ++s) {
                const auto i = static_cast<std::size_t>(s);
                const double part = std::min<double>(to, s + 1) - std::max<double>(from, s);
                busy[i] += part;
                if (part > most[i]) {
                    most[i] = part;
                    found[i] = m_schedule.entry(e).pass;
                }
            }
        }
        constexpr double half = 0.5;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (busy[i] < half)
                found[i].reset();
        }
        return found;
    }

    std::string flatLane(DeviceId device)
    {
        const bool colored = m_screen.colors != ColorDepth::None;
        std::string out = label(device);
        const std::vector<std::optional<Pass>> all =
            samples(device, colored ? 2 * m_columns : m_columns);
        for (const std::optional<Pass>& pass : all) {
            if (pass)
                m_kinds[static_cast<std::size_t>(pass->kind)] = true;
        }
        const auto role = [this](const std::optional<Pass>& pass) -> std::optional<Role> {
            if (!pass)
                return std::nullopt;
            return roleOf(pass->kind, later(*pass), false);
        };
        for (std::size_t i = 0; i < all.size(); i += colored ? 2 : 1) {
            if (colored)
                out += m_screen.halves(role(all[i]), role(all[i + 1]));
            else
                out += all[i] ? letters(all[i]->kind, later(*all[i]), 1) : "·";
        }
        return out + "\n";
    }

    std::string ruler() const
    {
        constexpr double leastColumns = 12;
        const double perUnit = m_columns / (static_cast<double>(m_result.makespan) / m_unit.size);
        double size = std::pow(10, std::floor(std::log10(leastColumns / perUnit)));
        for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
            if (size * factor * perUnit >= leastColumns) {
                size *= factor;
                break;
            }
        }
        std::string line;
        for (int i = 0;; ++i) {
            const double time = i * size;
            const auto from = static_cast<int>(std::lround(time * perUnit));
            const std::string mark = "╵" + plainNumber(time) + (m_unit.name.empty() ? "" : " ") +
                                     std::string(m_unit.name);
            if (from + displayWidth(mark) > m_screen.width - indent - m_label || from > m_columns)
                break;
            line = padded(line, from) + mark;
        }
        return std::string(static_cast<std::size_t>(indent + m_label), ' ') +
               m_screen.paint(line, Role::Secondary) + "\n";
    }

    std::string legend(bool tall) const
    {
        constexpr std::array<std::string_view, passKindCount> words = {"forward",
                                                                       "backward for the input",
                                                                       "backward for the weights",
                                                                       "backward for both",
                                                                       "recompute",
                                                                       "update"};
        std::string out;
        int width = 0;
        for (const PassKind kind : allPassKinds) {
            const auto k = static_cast<std::size_t>(kind);
            if (!m_kinds[k])
                continue;
            std::string sample(name(kind));
            if (kind == PassKind::BW && m_screen.colors == ColorDepth::None &&
                (!tall || column(shortestOf(kind)) < 2))
                sample = "X";
            const std::string item = m_screen.chip(" " + sample + " ", roleOf(kind, false, false)) +
                                     " " + std::string(words[k]);
            const bool fits = width > 0 && width + 2 + displayWidth(item) <= m_screen.width;
            out += fits ? "  " : (out.empty() ? "" : "\n") + std::string(indent, ' ');
            width = displayWidth(item) + (fits ? width + 2 : indent);
            out += item;
        }
        std::string notes;
        const auto note = [&notes](const std::string& text) {
            notes += (notes.empty() ? "" : "; ") + text;
        };
        if (anyLater()) {
            const std::string look =
                m_screen.colors == ColorDepth::None ? "small letters: " : "light, small letters: ";
            note(look + (m_schedule.spec().routeCount() > 1 ? "the other route" : "later chunks"));
        }
        if (m_pairs)
            note("two kinds in one block: an overlapped pair");
        if (tall)
            note(m_shortened ? "below: the micro-batch, its last digits"
                             : "below: the micro-batch");
        else
            note("each column shows what fills most of it");
        return out + "\n" + m_screen.paint(wrapped(notes, m_screen.width, indent), Role::Secondary);
    }

    Ticks shortestOf(PassKind kind) const
    {
        Ticks shortest = m_result.makespan;
        for (const EntryId e : m_schedule.entries()) {
            const OrderEntry entry = m_schedule.entry(e);
            if (!entry.paired && entry.pass.kind == kind)
                shortest = std::min(shortest, m_result.end[at(e)] - m_result.start[at(e)]);
        }
        return shortest;
    }

    const Schedule& m_schedule;
    const SimResult& m_result;
    const Screen& m_screen;
    Unit m_unit;
    ChunkTable m_chunks;
    int m_label;
    int m_columns = 0;
    double m_perTick = 0;
    bool m_tall = false;
    bool m_pairs = false;
    bool m_shortened = false;
    std::array<bool, passKindCount> m_kinds{};
};

} // namespace

std::string gantt(const Schedule& schedule, const SimResult& result, const Screen& screen,
                  std::optional<Unit> unit)
{
    Gantt drawing(schedule, result, screen, unit.value_or(timeUnit(result.makespan)));
    return drawing.fits() ? drawing.text() : std::string();
}

} // namespace pw::app
