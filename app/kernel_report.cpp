// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/kernel_report.h"

#include "app/histogram_report.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace pw::app {

namespace {

std::string signedTicks(double time)
{
    const auto ticks = static_cast<Ticks>(std::llround(time));
    return (ticks > 0 ? "+" : ticks < 0 ? "−" : "") + timeText(std::abs(ticks));
}

std::string rankText(std::int32_t number)
{
    return number < 0 ? "?" : std::to_string(number);
}

std::string cutName(const std::string& name)
{
    constexpr std::size_t longest = 90;
    if (name.size() <= longest)
        return oneLine(name);
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0U) == 0x80U)
        --cut;
    return oneLine(name.substr(0, cut) + "…");
}

std::string kernelTable(const KernelDiff& diff, int most, const Screen& screen)
{
    TextTable table(screen, {{"to the span"},
                             {"", "", TextTable::Align::Left},
                             {"before"},
                             {"after"},
                             {"of"},
                             {"rank"},
                             {"pass", "", TextTable::Align::Left},
                             {"kernel", "", TextTable::Align::Left}});
    int shown = 0;
    std::size_t same = 0;
    for (const KernelDelta& one : diff.kernels) {
        if (std::llround(one.effect()) == 0 && one.change() == KernelChange::Same) {
            ++same;
            continue;
        }
        if (shown++ >= most)
            continue;
        const bool idle = one.kind == ActivityKind::Other;
        table.append(
            {signedTicks(one.effect()), std::string(name(one.change())), timeText(one.before.total),
             timeText(one.after.total),
             idle ? "" : groupedNumber(one.before.count) + " → " + groupedNumber(one.after.count),
             rankText(one.number), one.pass.empty() ? "–" : one.pass, cutName(one.name)});
    }
    std::string out = table.text();
    if (shown > most)
        out += "  and " + groupedNumber(shown - most) + " more\n";
    if (same > 0)
        out += "  " + groupedNumber(static_cast<std::int64_t>(same)) + " took the same time\n";
    return out;
}

void sideJson(JsonText& text, const char* key, const KernelSide& side)
{
    text.key(key);
    text.beginObject(JsonText::Layout::OneLine);
    text.member("count", side.count);
    text.member("total_ms", msFromTicks(side.total));
    constexpr double nanoseconds = 1e6;
    text.member("share_ms", side.share / nanoseconds);
    text.endObject();
}

} // namespace

std::string kernelDiffText(const KernelDiff& diff, int most, const Screen& screen)
{
    std::string out;
    for (const SpanDelta& one : diff.spans)
        out += "rank " + rankText(one.number) + ": its devices' span " + timeText(one.before) +
               " → " + timeText(one.after) + " (" +
               signedTicks(static_cast<double>(one.after - one.before)) + ")\n";
    if (!diff.kernels.empty())
        out += "\n" + kernelTable(diff, most, screen);
    out += histogramsText(diff.passes, screen);
    for (const std::string& note : diff.notes)
        out += wrapped(note, screen.width, 2);
    return out;
}

std::string kernelDiffJson(const KernelDiff& diff)
{
    JsonText text;
    text.beginObject();
    text.key("spans");
    text.beginArray();
    for (const SpanDelta& one : diff.spans) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", one.number);
        text.member("before_ms", msFromTicks(one.before));
        text.member("after_ms", msFromTicks(one.after));
        text.endObject();
    }
    text.endArray();
    text.key("kernels");
    text.beginArray();
    for (const KernelDelta& one : diff.kernels) {
        text.beginObject();
        text.member("rank", one.number);
        text.member("name", std::string_view(one.name));
        text.member("kind", name(one.kind));
        text.member("pass", std::string_view(one.pass));
        text.member("change", name(one.change()));
        constexpr double nanoseconds = 1e6;
        text.member("effect_ms", one.effect() / nanoseconds);
        sideJson(text, "before", one.before);
        sideJson(text, "after", one.after);
        text.endObject();
    }
    text.endArray();
    text.key("passes");
    histogramsJson(text, diff.passes);
    text.key("notes");
    text.beginArray();
    for (const std::string& note : diff.notes)
        text.value(std::string_view(note));
    text.endArray();
    text.endObject();
    return text.text();
}

Outcome kernelDiff(const Arguments& arguments, Console& console)
{
    constexpr std::size_t two = 2;
    if (arguments.words().size() != two)
        return usage("--kernels takes two traces, each a file or a folder; not " +
                     std::to_string(arguments.words().size()));
    PW_TRY(const ReadTrace before, readTrace({arguments.words()[0]}, arguments, console));
    PW_TRY(const ReadTrace after, readTrace({arguments.words()[1]}, arguments, console));
    const KernelDiff diff = diffKernels(before.trace, after.trace);
    console.out << (arguments.has("json")
                        ? kernelDiffJson(diff)
                        : fitted(kernelDiffText(diff, arguments.whole("top", 10), console.screen),
                                 console.screen.width));
    return ExitCode::Good;
}

} // namespace pw::app
