// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

/// The file that runs are kept in: the one chosen in the settings, else that of the command line.
QString storeFile();

/// Chooses it for this and later sessions. @param path  empty: that of the command line
void setStoreFile(const QString& path);

} // namespace pw::ui
