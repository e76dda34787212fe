// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/spec_text.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/fit_costs.h"
#include "core/io/schedule_text.h"
#include "core/model/known_sizes.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/models/number_table.h"
#include "ui/plural.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

struct Spec
{
    Q_DECLARE_TR_FUNCTIONS(SpecPanel)
};

constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double mostGibibytes = 1024.0 * 1024.0; // a pebibyte

/// A cap without its unit, which it may name: "2 GiB", "4 mb". @param inBytes  is set to what it is
QString withoutCapUnit(const QString& typed, bool& inBytes)
{
    struct CapUnit
    {
        QString name;
        bool bytes;
    };
    const CapUnit units[] = {{QStringLiteral("GiB"), true},
                             {Spec::tr("mb"), false},
                             {QStringLiteral("mb"), false},
                             {Spec::tr("micro-batches"), false},
                             {QStringLiteral("micro-batches"), false}};
    for (const CapUnit& unit : units) {
        if (!typed.endsWith(unit.name, Qt::CaseInsensitive))
            continue;
        inBytes = unit.bytes;
        return typed.chopped(unit.name.size()).trimmed();
    }
    return typed;
}

/// 0: no cap.
Result<Share> shareCapOf(const QString& typed)
{
    constexpr double mostMicroBatches = 1e6;
    if (typed.isEmpty())
        return Share{0};
    const std::optional<double> number = numberOf(typed);
    if (!number || *number < 0 || *number > mostMicroBatches)
        return fail(
            ErrorCode::BadValue,
            Spec::tr("a limit in micro-batches is one number for all devices, up to %1; not "
                     "“%2”")
                .arg(shortNumber(mostMicroBatches), typed)
                .toStdString());
    return *number > 0 ? std::max<Share>(1, shareLimit(*number)) : 0;
}

Result<std::vector<Bytes>> byteCapsOf(const QString& typed, int devices)
{
    // One number may have a comma for its point; a list has commas between.
    QStringList parts = typed.split(QLatin1Char(','), Qt::SkipEmptyParts);
    std::vector<Bytes> caps;
    for (const QString& part : std::as_const(parts)) {
        const QString one = part.trimmed();
        if (one.isEmpty())
            continue;
        const std::optional<double> number = numberOf(one);
        if (!number || *number < 0 || *number > mostGibibytes)
            return fail(ErrorCode::BadValue,
                        Spec::tr("a memory limit is a number of GiB up to %1, or one for each "
                                 "device with commas between; not “%2”")
                            .arg(shortNumber(mostGibibytes), one)
                            .toStdString());
        caps.push_back(static_cast<Bytes>(std::llround(*number * gibibyte)));
    }
    if (caps.empty() || (caps.size() == 1 && caps.front() == 0))
        return std::vector<Bytes>();
    if (caps.size() == 1)
        caps.assign(static_cast<std::size_t>(devices), caps.front());
    if (caps.size() != static_cast<std::size_t>(devices))
        return fail(ErrorCode::BadValue,
                    Spec::tr("%1 are given for %2")
                        .arg(plural(static_cast<qint64>(caps.size()), Noun::MemoryCap),
                             plural(devices, Noun::Device))
                        .toStdString());
    return caps;
}

} // namespace

QString sentence(const Error& error)
{
    QString said = coreSentence(error.message);
    if (!said.isEmpty())
        said[0] = said[0].toUpper();
    return said.endsWith(QLatin1Char('.')) ? said : said + QLatin1Char('.');
}

QString parameterTitle(const Parameter& parameter)
{
    QString title = coreWords(parameter.name).replace(QLatin1Char('-'), QLatin1Char(' '));
    title[0] = title[0].toUpper();
    return title;
}

QString parameterTip(const Parameter& parameter)
{
    QString summary = coreWords(parameter.summary);
    summary[0] = summary[0].toUpper();
    if (parameter.type == ParameterType::Flag || parameter.type == ParameterType::Choice)
        return summary;
    const QString least = shortNumber(parameter.minimum);
    const QString range = std::isinf(parameter.maximum)
                              ? Spec::tr("from %1").arg(least)
                              : Spec::tr("%1 to %2").arg(least, shortNumber(parameter.maximum));
    const QString tip = Spec::tr("%1; %2").arg(summary, range);
    return parameter.rule == nullptr
               ? tip
               : Spec::tr("%1. Not given: %2").arg(tip, coreWords(parameter.fallbackText));
}

QString fallbackTitle(const Parameter& parameter)
{
    constexpr std::size_t most = 8;
    return parameter.fallbackText.size() <= most ? text(parameter.fallbackText)
                                                 : Spec::tr("by rule");
}

QString listText(const std::vector<int>& numbers)
{
    QStringList parts;
    for (const int number : numbers)
        parts << QString::number(number);
    return parts.join(QStringLiteral(", "));
}

Result<std::vector<int>> lengthsOf(const QString& typed)
{
    std::vector<int> lengths;
    const QStringList parts = typed.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        bool good = false;
        const int length = part.trimmed().toInt(&good);
        constexpr int longest = 1'000'000'000;
        if (part.trimmed().isEmpty() && parts.size() == 1)
            break;
        if (!good || length < 1 || length > longest)
            return fail(ErrorCode::BadValue,
                        Spec::tr("segment lengths are whole numbers from 1 with commas between, "
                                 "not “%1”")
                            .arg(part.trimmed())
                            .toStdString());
        lengths.push_back(length);
    }
    return lengths;
}

QString placementsText(const PipelineSpec& spec)
{
    QStringList routes;
    for (const Placement& route : spec.routes) {
        // Files write a small letter; people call the shape by the capital one.
        const QString words = text(placementText(route, spec.devices));
        routes << (words == QLatin1String("v") ? QStringLiteral("V") : words);
    }
    return routes.join(QStringLiteral("; "));
}

QString placementTip(const PipelineSpec& spec, bool ofFamily)
{
    constexpr int listed = 16;
    const auto chunks = chunksOfDevices(spec);
    QStringList lines;
    for (const DeviceId device : Ids<DeviceId>(std::min(spec.devices, listed))) {
        QStringList stages;
        for (const HostedStage& hosted : chunks[device.index()])
            stages << QString::number(hosted.stage);
        lines
            << Spec::tr("device %1: stages %2").arg(device).arg(stages.join(QStringLiteral(", ")));
    }
    if (spec.devices > listed)
        lines << QStringLiteral("…");
    if (!ofFamily)
        lines << Spec::tr("linear, reversed, looped N, V, zigzag N, or the device of each stage; "
                          "a second route behind a semicolon");
    return lines.join(QLatin1Char('\n'));
}

Result<std::vector<Placement>> placementsOf(const QString& typed, int devices)
{
    std::vector<Placement> routes;
    const QStringList parts = typed.split(QLatin1Char(';'));
    for (const QString& part : parts) {
        QString words = part;
        words.replace(QLatin1Char(','), QLatin1Char(' '));
        PW_TRY(Placement route, parsePlacement(words.trimmed().toLower().toStdString(), devices));
        routes.push_back(std::move(route));
    }
    return routes;
}

bool capsInBytes(const Costs& costs)
{
    const bool any = std::any_of(costs.memoryCap.begin(), costs.memoryCap.end(),
                                 [](Bytes cap) { return cap > 0; });
    return any || (hasSizes(costs) && costs.shareCap == 0);
}

QString capText(const Costs& costs)
{
    if (!capsInBytes(costs))
        return costs.shareCap > 0 ? shortNumber(microBatchesFromShare(costs.shareCap)) : QString();
    const std::vector<Bytes>& caps = costs.memoryCap;
    const bool any = std::any_of(caps.begin(), caps.end(), [](Bytes cap) { return cap > 0; });
    if (!any)
        return {};
    const bool same =
        std::adjacent_find(caps.begin(), caps.end(), std::not_equal_to<>()) == caps.end();
    QStringList parts;
    for (const Bytes cap : caps) {
        parts << text(plainNumber(static_cast<double>(cap) / gibibyte));
        if (same)
            break;
    }
    return parts.join(QStringLiteral(", "));
}

Result<Caps> capsOf(const QString& typed, int devices, const Costs& costs)
{
    bool inBytes = capsInBytes(costs);
    const QString numbers = withoutCapUnit(typed.trimmed(), inBytes);
    if (!inBytes) {
        PW_TRY(const Share share, shareCapOf(numbers));
        return Caps{{}, share};
    }
    if (!hasSizes(costs) && !numbers.isEmpty())
        return fail(
            ErrorCode::BadValue,
            Spec::tr("nothing has a size in bytes here, so the limit is in micro-batches, as "
                     "“4 mb”; or give activations a size first")
                .toStdString());
    PW_TRY(std::vector<Bytes> caps, byteCapsOf(numbers, devices));
    return Caps{std::move(caps), 0};
}

QString idleCapText(const Costs& costs)
{
    const bool any = std::any_of(costs.memoryCap.begin(), costs.memoryCap.end(),
                                 [](Bytes cap) { return cap > 0; });
    return any && !hasSizes(costs)
               ? Spec::tr("This limits nothing: nothing has a size in bytes. Give activations a "
                          "size, or a limit in micro-batches, as “4 mb”.")
               : QString();
}

QString rangeText(const std::vector<std::int64_t>& values, double unit)
{
    if (values.empty())
        return QStringLiteral("—");
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const QString from = shortNumber(static_cast<double>(*least) / unit);
    const QString to = shortNumber(static_cast<double>(*most) / unit);
    return from == to ? from : QStringLiteral("%1 – %2").arg(from, to);
}

QString costsFromText(const Project& project)
{
    const PipelineSpec& spec = project.draft.spec;
    if (equalStagesOf(project))
        return spec.stages() > spec.devices ? Spec::tr("Of a device's share of the model")
                                            : Spec::tr("Equal stages");
    if (project.origin)
        return text(pw::text(*project.origin));
    const QString stages = plural(spec.stages(), Noun::Stage);
    return spec.segments() > 1 ? Spec::tr("Stage table, %1 × %2")
                                     .arg(stages, plural(spec.segments(), Noun::Segment))
                               : Spec::tr("Stage table, %1").arg(stages);
}

QString linkText(const Costs& costs)
{
    if (!costs.links.empty()) {
        const auto known = std::count_if(costs.links.begin(), costs.links.end(),
                                         [](const Link& link) { return link != Link{}; });
        return plural(known, Noun::Link);
    }
    constexpr double giga = 1e9;
    QStringList parts;
    if (costs.link.latency > 0)
        parts += Spec::tr("%1 ms").arg(rangeText({costs.link.latency}, ticksPerMs));
    if (costs.link.bytesPerSecond > 0)
        parts += Spec::tr("%1 GB/s").arg(
            QLocale::c().toString(costs.link.bytesPerSecond / giga, 'g', 4));
    return parts.join(QStringLiteral(", "));
}

QString networkText(const Costs& costs)
{
    double slowest = 1;
    for (const LinkPhase& phase : costs.linkTrace)
        slowest = std::max(slowest, phase.slowdown);
    if (costs.linkTrace.empty())
        return {};
    const QString phases = plural(static_cast<qint64>(costs.linkTrace.size()), Noun::Phase);
    return Spec::tr("up to %1× slower, %2").arg(QLocale::c().toString(slowest, 'g', 3), phases);
}

} // namespace pw::ui
