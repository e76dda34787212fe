// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_settings.h"

#include <QSettings>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr const char* backendKey = "run/backend";
constexpr const char* sizeKey = "run/size";
constexpr const char* iterationsKey = "run/iterations";
constexpr const char* warmupKey = "run/warmup";
constexpr const char* measureKey = "run/measureFirst";

} // namespace

RunSettings keptRunSettings()
{
    const QSettings kept;
    RunSettings settings;
    settings.backend = kept.value(QLatin1String(backendKey), settings.backend).toString();
    settings.size = kept.value(QLatin1String(sizeKey), settings.size).toString();
    settings.iterations = std::clamp(
        kept.value(QLatin1String(iterationsKey), settings.iterations).toInt(), 1, 1'000'000);
    settings.warmup = std::clamp(kept.value(QLatin1String(warmupKey), settings.warmup).toInt(),
                                 RunSettings::backendsWarmup, 1'000'000);
    settings.measureFirst = kept.value(QLatin1String(measureKey), settings.measureFirst).toBool();
    return settings;
}

void keepRunSettings(const RunSettings& settings)
{
    QSettings kept;
    kept.setValue(QLatin1String(backendKey), settings.backend);
    kept.setValue(QLatin1String(sizeKey), settings.size);
    kept.setValue(QLatin1String(iterationsKey), settings.iterations);
    kept.setValue(QLatin1String(warmupKey), settings.warmup);
    kept.setValue(QLatin1String(measureKey), settings.measureFirst);
}

} // namespace pw::ui
