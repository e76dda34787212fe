// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QStringList>

namespace pw::ui {

/// Files that were opened and saved, the latest first; kept in the settings.
QStringList recentFiles();
void addRecentFile(const QString& path);
void forgetRecentFile(const QString& path);
void clearRecentFiles();

/// The most that are kept.
constexpr int mostRecentFiles = 9;

} // namespace pw::ui
