// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>
#include <QStringList>

namespace pw::ui {

/// The folder of a person's own families: that of the settings, else the one of the command line.
QString familyFolder();

/// Chooses the folder, from the next start on. Empty: that of the command line.
void setFamilyFolder(const QString& folder);

/// Makes the families of the folder known, to this program and to those that it starts.
/// @return  a sentence for each file that cannot be read; also on standard error
QStringList useOwnFamilies();

} // namespace pw::ui
