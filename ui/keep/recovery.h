// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/project_file.h"

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QSet>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <vector>

namespace pw::ui {

/// Copies of open documents with unsaved changes, one project file each, so that a crash costs
/// seconds of work.
///
/// Every running studio has a folder of its own within the folder of recovery and holds a lock in
/// it. A folder whose lock nobody holds was left by a crash: what lies there is offered, and until
/// it is recovered or discarded it stays.
class Recovery : public QObject
{
    Q_OBJECT

public:
    /// A document that a crash left behind.
    struct Found
    {
        QString file;
        QString path; ///< that it was opened from or saved to; empty: none
        QDateTime when;
    };

    /// @param folder  of recovery, for all studios; made when first needed
    explicit Recovery(const QString& folder, QObject* parent = nullptr);
    /// Waits for what is being written. Leaves the files: only `end` says that all is well.
    ~Recovery() override;

    /// Looks for what crashes left, and holds it against other studios from then on.
    void look();
    const std::vector<Found>& found() const { return m_found; }
    /// Takes a found document over: its file now belongs to a document of this studio.
    /// @return its project; on an error the file stays where it is, to be found again
    Result<Project> recover(const QString& file, int document);
    void discard(const QString& file);

    /// The number of a new document.
    int add() { return ++m_last; }
    /// Writes a copy, in a thread of its own. One that is still being written is not written again;
    /// then `written` comes and says which.
    /// @return  false: the last copy of the document is still being written
    bool keep(int document, const Project& project, const QString& path);
    /// The document needs no copy any more: it was saved, closed, or is as its file.
    void forget(int document);
    /// A clean end: no copy is needed any more.
    void end();
    /// Waits until everything asked for is written.
    void finish();

Q_SIGNALS:
    void written(int document);
    /// A copy cannot be kept; why, in a sentence. The document itself is as it was.
    void failed(const QString& why);
    void foundChanged();

private:
    struct Orphan
    {
        QString folder;
        std::unique_ptr<QLockFile> lock;
    };

    Result<void> begin();
    QString fileOf(int document) const;
    void drop(const QString& file);

    QString m_root;
    QString m_folder; ///< of this studio; empty: not made yet
    std::unique_ptr<QLockFile> m_lock;
    std::vector<Orphan> m_orphans;
    std::vector<Found> m_found;
    QSet<int> m_writing;
    QThreadPool m_writer; ///< one thread, so that writing and removing keep their order
    int m_last = 0;
};

} // namespace pw::ui
