// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/device_time.h"

#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>

namespace pw::ui {

namespace {

struct DeviceWords
{
    Q_DECLARE_TR_FUNCTIONS(DeviceTime)
};

/// All devices as one, whose span is the sum of theirs.
DeviceActivity sumOf(const std::vector<DeviceActivity>& devices)
{
    DeviceActivity sum;
    for (const DeviceActivity& one : devices) {
        sum.last += one.span();
        sum.communication += one.communication;
        sum.computeOnly += one.computeOnly;
        sum.communicationOnly += one.communicationOnly;
        sum.memoryOnly += one.memoryOnly;
        sum.overlap += one.overlap;
        sum.idle.host += one.idle.host;
        sum.idle.stream += one.idle.stream;
        sum.idle.launch += one.idle.launch;
        sum.idle.unknown += one.idle.unknown;
    }
    return sum;
}

} // namespace

DetailsPart deviceTimePart(const DeviceFigures& figures)
{
    DetailsPart part;
    if (figures.devices.empty())
        return part;
    const auto devices = static_cast<int>(figures.devices.size());
    part.heading = devices == 1 ? DeviceWords::tr("Where the device's time went")
                                : DeviceWords::tr("Where the time of %n devices went", "", devices);
    const DeviceActivity sum = sumOf(figures.devices);
    const auto row = [&part](const QString& name, Ticks time, Ticks whole) {
        const double share = whole > 0 ? static_cast<double>(time) / static_cast<double>(whole) : 0;
        part.rows.push_back({name, durationText(static_cast<double>(time)), percentText(share)});
    };
    row(DeviceWords::tr("compute alone"), sum.computeOnly, sum.span());
    row(DeviceWords::tr("both: hidden"), sum.overlap, sum.span());
    row(DeviceWords::tr("exposed communication"), sum.communicationOnly, sum.span());
    row(DeviceWords::tr("copies alone"), sum.memoryOnly, sum.span());
    const Ticks idle = sum.idle.total();
    row(DeviceWords::tr("idle"), idle, sum.span());
    const auto waits = [&](const QString& name, Ticks time) {
        if (time > 0)
            row(name, time, idle);
    };
    // Parts of the idle time, so that their shares sum to it.
    waits(DeviceWords::tr("of it: for the host"), sum.idle.host);
    waits(DeviceWords::tr("of it: for a stream"), sum.idle.stream);
    waits(DeviceWords::tr("of it: launch gaps"), sum.idle.launch);
    waits(DeviceWords::tr("of it: not known why"), sum.idle.unknown);
    if (sum.communication > 0)
        part.rows.push_back({DeviceWords::tr("communication hidden"), percentText(sum.hidden())});
    if (figures.slow)
        part.rows.push_back({DeviceWords::tr("slow rank"), text(figures.slow->evidence)});
    return part;
}

} // namespace pw::ui
