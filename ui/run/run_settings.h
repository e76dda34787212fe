// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

/// What is asked of a run beside its schedule; kept in the settings.
struct RunSettings
{
    static constexpr int backendsWarmup = -1; ///< as many iterations as the backend needs

    QString backend = QStringLiteral("auto"); ///< auto, cpu, emulated, cuda
    QString size = QStringLiteral("small");   ///< of the model; as of `pipewright run --size`
    int iterations = 5;
    int warmup = backendsWarmup;
    /// Passes are measured briefly before the run, and the prediction is made of that; else of the
    /// costs of the schedule as it is.
    bool measureFirst = true;

    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// As they were kept last; what was never kept is as above.
RunSettings keptRunSettings();
void keepRunSettings(const RunSettings& settings);

} // namespace pw::ui
