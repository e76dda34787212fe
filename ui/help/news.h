// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

/// What a text of changes says of its newest version, the first that it has: all below "## …", up
/// to the next version. Empty: it has none.
QString newestChanges(const QString& changes);

/// The same of this program's own list of changes, in Markdown.
QString newestChanges();

} // namespace pw::ui
