// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <vector>

namespace pw::ui {

class ScheduleDocument;
struct ConnectionReport;
struct Findings;

/// Something to know before a run is sent.
struct RunCheck
{
    bool blocks = false; ///< the run cannot be sent
    QString text;        ///< what is wrong, and what to do
};

/// Why a document cannot be run as it is, in a sentence; empty: it can.
/// @param document  null: there is none
QString whyNoSchedule(const ScheduleDocument* document);

/// The backend that `auto` stands for on an executor, for so many devices.
QString pickBackend(const Findings& findings, int devices);

/// What is worth knowing of a whole schedule before it is run, wherever that is.
/// @pre whyNoSchedule is empty @complexity O(passes)
std::vector<RunCheck> checksOfMemory(const ScheduleDocument& document);

/// What is known to be in the way at an executor.
/// @param backend  that the run would be on
/// @param size     of the model
std::vector<RunCheck> checksOfExecutor(const ConnectionReport& report, const QString& backend,
                                       int devices, const QString& size);

} // namespace pw::ui
