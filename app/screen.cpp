// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/screen.h"

#include "app/options.h"
#include "app/text_table.h"
#include "core/system/terminal.h"
#include "executor/mpi/mpi_backend.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace pw::app {

namespace {

constexpr std::string_view plain = "\x1b[0m";

/// Nearest of the 6×6×6 colours and 24 greys of xterm.
int paletteIndex(const Rgb& color)
{
    constexpr std::array<int, 6> levels = {0, 95, 135, 175, 215, 255};
    const auto distance = [&color](int r, int g, int b) {
        const int dr = color.red - r, dg = color.green - g, db = color.blue - b;
        return dr * dr + dg * dg + db * db;
    };
    int best = 16, least = distance(0, 0, 0);
    for (int i = 0; i < 216; ++i) {
        const int d = distance(levels[static_cast<std::size_t>(i / 36)],
                               levels[static_cast<std::size_t>(i / 6 % 6)],
                               levels[static_cast<std::size_t>(i % 6)]);
        if (d < least) {
            least = d;
            best = 16 + i;
        }
    }
    for (int i = 0; i < 24; ++i) {
        const int grey = 8 + 10 * i;
        if (const int d = distance(grey, grey, grey); d < least) {
            least = d;
            best = 232 + i;
        }
    }
    return best;
}

/// Part of an escape sequence that sets the text colour (38) or the ground (48).
std::string code(int target, const Rgb& color, ColorDepth depth)
{
    if (depth == ColorDepth::Palette)
        return std::to_string(target) + ";5;" + std::to_string(paletteIndex(color));
    return std::to_string(target) + ";2;" + std::to_string(color.red) + ";" +
           std::to_string(color.green) + ";" + std::to_string(color.blue);
}

Ground groundOf(bool light)
{
    return light ? Ground::Light : Ground::Dark;
}

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

int detectWidth()
{
    constexpr int narrowest = 20, widest = 1000, unknown = 100;
    if (const std::optional<double> columns = parseNumber(environment("COLUMNS"));
        columns && *columns >= 1)
        return static_cast<int>(std::clamp<double>(*columns, narrowest, widest));
    if (const std::optional<int> columns = sys::terminalColumns())
        return std::clamp(*columns, narrowest, widest);
    return unknown;
}

bool lightGround()
{
    // "text;ground" or "text;other;ground" in the 16 colours; 7 and 15 are the whites.
    const std::string colors = environment("COLORFGBG");
    const std::string ground = colors.substr(colors.rfind(';') + 1);
    return ground == "7" || ground == "15";
}

} // namespace

std::string Screen::paint(std::string_view text, Role role) const
{
    if (colors == ColorDepth::None || text.empty())
        return std::string(text);
    return "\x1b[" + code(38, colorOf(role, groundOf(light)), colors) + "m" + std::string(text) +
           std::string(plain);
}

std::string Screen::bold(std::string_view text) const
{
    const std::string line = oneLine(text);
    if (colors == ColorDepth::None || line.empty())
        return line;
    return "\x1b[1m" + line + std::string(plain);
}

std::string Screen::chip(std::string_view text, Role ground) const
{
    if (colors == ColorDepth::None || text.empty())
        return std::string(text);
    const Rgb color = colorOf(ground, groundOf(light));
    constexpr int middle = 140'000; // of 255'000
    const int brightness = 299 * color.red + 587 * color.green + 114 * color.blue;
    const Rgb ink = brightness > middle ? Rgb{0x10, 0x16, 0x1c} : Rgb{0xff, 0xff, 0xff};
    return "\x1b[" + code(38, ink, colors) + ";" + code(48, color, colors) + "m" +
           std::string(text) + std::string(plain);
}

std::string Screen::halves(std::optional<Role> left, std::optional<Role> right) const
{
    if (!left && !right)
        return " ";
    if (!left)
        return paint("▐", *right);
    const std::string ground =
        right ? ";" + code(48, colorOf(*right, groundOf(light)), colors) : std::string();
    return "\x1b[" + code(38, colorOf(*left, groundOf(light)), colors) + ground + "m▌" +
           std::string(plain);
}

Screen detectScreen(std::string_view color)
{
    Screen screen;
    screen.width = detectWidth();
    screen.light = lightGround();
    const std::string term = environment("TERM");
    const bool wanted =
        color == "always" ||
        (color != "never" && environment("NO_COLOR").empty() && !term.empty() && term != "dumb" &&
         sys::isTerminal(sys::Stream::Output) && !exec::startedByMpi());
    const std::string deep = environment("COLORTERM");
    if (wanted)
        screen.colors =
            deep == "truecolor" || deep == "24bit" ? ColorDepth::True : ColorDepth::Palette;
    return screen;
}

int displayWidth(std::string_view text)
{
    int width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            i = std::min(text.find('m', i), text.size());
            continue;
        }
        const auto byte = static_cast<unsigned char>(text[i]);
        // Bytes of the form 10xxxxxx go on with a character; U+0300 … U+036F stand above the one
        // before.
        if ((byte & 0xC0U) != 0x80U && byte != 0xCCU)
            ++width;
    }
    return width;
}

} // namespace pw::app
