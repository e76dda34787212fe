// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QStringList>

namespace pw::ui {

/// Files that were opened and saved, the latest first; kept in the settings. Some may be places on
/// other machines, as `isRemotePlace` knows them.
QStringList recentFiles();
void addRecentFile(const QString& path);
void forgetRecentFile(const QString& path);
void clearRecentFiles();

/// What a list calls one: "rank0.json", "rank0.json on node7".
QString recentName(const QString& path);
/// The folder of the latest that is on this computer, for the next file dialog.
QString recentFolder();

/// The most that are kept.
constexpr int mostRecentFiles = 9;

} // namespace pw::ui
