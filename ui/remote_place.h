// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <QString>

namespace pw::ui {

/// A file on another machine that ssh reaches: "ssh://ann@node7:2222/data/run 3/rank0.json". What
/// follows /~/ is below that person's home there. In the path %20 is a blank, as in any URL.
struct RemotePlace
{
    QString user; ///< empty: as ssh's own settings have it
    QString host;
    int port = 0; ///< 0: likewise
    QString path; ///< as it is there, with the first /

    /// The last part of the path.
    QString fileName() const;
    /// The path for a program that starts in that person's home: it never begins with a dash.
    QString pathThere() const;
    /// "ann@node7", as ssh takes it.
    QString destination() const;
    /// The whole, as `remotePlaceOf` reads it.
    QString url() const;

    friend bool operator==(const RemotePlace&, const RemotePlace&) = default;
};

/// Whether a text is meant as such a place: it begins with "ssh://".
bool isRemotePlace(const QString& text);

/// Reads one. What could be an option of ssh, or mean something to a shell, is no host: letters,
/// digits, dots, dashes and underlines are, and colons within [ ]; a dash is not the first.
///
/// @error BadValue  says which part is wrong, in the window's language
Result<RemotePlace> remotePlaceOf(const QString& text);

} // namespace pw::ui
