// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice_source.h"

#include <QStringList>

#include <atomic>

class QMimeData;

namespace pw::ui {

/// Files and folders of this machine among what is dragged; empty where there are others.
QStringList localFiles(const QMimeData& data);

/// The step of traces, read with the rules that are kept, or of one project. Long work.
///
/// @param paths  not empty; files and folders that are one trace
/// @error as of `importTrace`, `readScheduleFile` and `adviceSource`
Result<AdviceSource> stepOfFiles(const QStringList& paths, const std::atomic<bool>& stop);

} // namespace pw::ui
