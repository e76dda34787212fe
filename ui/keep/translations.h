// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

class QCoreApplication;

namespace pw::ui {

/// Installs pipewright_LOCALE.qm of the desktop's language where there is one: in
/// share/pipewright/translations beside the program's folder, or in its own folder `translations`.
/// Without one the window speaks English.
void loadTranslation(QCoreApplication& application);

} // namespace pw::ui
