// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/worker_values.h"

#include "core/base/text.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <cstddef>

namespace pw::ui {

namespace {

struct WorkerWords
{
    Q_DECLARE_TR_FUNCTIONS(pw::ui::WorkerWords)
};

} // namespace

int WorkerValues::replicas() const
{
    return job != nullptr ? static_cast<int>(job->job().replicas.size()) : 0;
}

int WorkerValues::devices() const
{
    return job != nullptr ? job->job().devices() : 0;
}

std::optional<double> WorkerValues::valueOf(const Worker& worker) const
{
    const auto at = static_cast<std::size_t>(worker.replica * devices() + worker.device.value);
    return at < values.size() ? values[at] : std::nullopt;
}

QString WorkerValues::valueText(double value) const
{
    if (pass)
        return durationText(value);
    switch (measure) {
    case WorkerMeasure::Work:
        return replicas() > 1 ? WorkerWords::tr("%1 times the median of its stage")
                                    .arg(QLocale().toString(value, 'f', 3))
                              : WorkerWords::tr("%1 times the median of the stages")
                                    .arg(QLocale().toString(value, 'f', 3));
    case WorkerMeasure::Forward:
        return WorkerWords::tr("%1 in F").arg(durationText(value));
    case WorkerMeasure::Backward:
        return WorkerWords::tr("%1 in backward passes").arg(durationText(value));
    case WorkerMeasure::Idle:
        return WorkerWords::tr("%1 of the step without a pass").arg(percentText(value));
    case WorkerMeasure::Memory:
        return WorkerWords::tr("%1 at its peak").arg(text(byteText(static_cast<Bytes>(value))));
    }
    return {};
}

QString WorkerValues::axisText(double value) const
{
    if (pass)
        return durationText(value);
    switch (measure) {
    case WorkerMeasure::Work:
        return QLocale().toString(value, 'f', 2) + QChar(0xd7);
    case WorkerMeasure::Forward:
    case WorkerMeasure::Backward:
        return durationText(value);
    case WorkerMeasure::Idle:
        return percentText(value);
    case WorkerMeasure::Memory:
        return text(byteText(static_cast<Bytes>(value)));
    }
    return {};
}

QString WorkerValues::textOf(const Worker& worker) const
{
    const std::optional<double> value = valueOf(worker);
    return WorkerWords::tr("stage %1 of replica %2, rank %3: %4")
        .arg(worker.device.value)
        .arg(worker.replica)
        .arg(text(job->rankText(worker)), value ? valueText(*value) : WorkerWords::tr("not known"));
}

} // namespace pw::ui
