// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/remote/remote_fetch.h"

#include <QString>

#include <map>

namespace pw::ui {

/// The files that a window has brought from other machines. Their copies go when it does.
class RemoteFiles : public QObject
{
public:
    using QObject::QObject;

    void add(const FetchedFile& file) { m_files[file.path] = file; }
    /// Whether a path of this computer is such a copy: nothing is saved there.
    bool has(const QString& path) const { return m_files.count(path) > 0; }
    /// What came as the digest at a path of this computer; null where that is something else.
    const FetchedFile* digestAt(const QString& path) const
    {
        const auto found = m_files.find(path);
        return found == m_files.end() || !found->second.digest ? nullptr : &found->second;
    }
    /// Where a path of this computer comes from: the place of a copy, of any other the path itself.
    QString origin(const QString& path) const
    {
        const auto found = m_files.find(path);
        return found == m_files.end() ? path : found->second.place.url();
    }

private:
    std::map<QString, FetchedFile> m_files; ///< by path
};

} // namespace pw::ui
