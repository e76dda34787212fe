// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/recovery.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/listed_file.h"
#include "ui/core_sentences.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <algorithm>

namespace pw::ui {

namespace {

QString lockName()
{
    return QStringLiteral("lock");
}

/// The file beside a copy that says which file it is a copy of.
QString originOf(const QString& copy)
{
    return copy + QStringLiteral(".origin");
}

/// A lock that only the end of its process makes free.
std::unique_ptr<QLockFile> lockIn(const QString& folder)
{
    auto lock = std::make_unique<QLockFile>(folder + QLatin1Char('/') + lockName());
    lock->setStaleLockTime(0);
    return lock;
}

Result<void> write(const Project& project, const QString& path, const QString& file)
{
    // First where it came from: a copy without that can still be saved under a new name.
    const QByteArray origin = path.toUtf8();
    PW_DO(writeFile(originOf(file).toStdString(),
                    {origin.constData(), static_cast<std::size_t>(origin.size())}));
    return saveProject(project, file.toStdString());
}

} // namespace

Recovery::Recovery(const QString& folder, QObject* parent)
    : QObject(parent)
    , m_root(folder)
{
    m_writer.setMaxThreadCount(1);
}

Recovery::~Recovery()
{
    finish();
}

void Recovery::finish()
{
    m_writer.waitForDone();
}

void Recovery::look()
{
    m_found.clear();
    m_orphans.clear();
    const QFileInfoList folders =
        QDir(m_root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    for (const QFileInfo& folder : folders) {
        const QString path = folder.absoluteFilePath();
        if (path == m_folder)
            continue;
        std::unique_ptr<QLockFile> lock = lockIn(path);
        if (!lock->tryLock(0))
            continue; // another studio is at work there
        const QFileInfoList copies = QDir(path).entryInfoList({QStringLiteral("*.pipewright.json")},
                                                              QDir::Files, QDir::Time);
        if (copies.isEmpty()) {
            lock->unlock();
            QDir(path).removeRecursively();
            continue;
        }
        for (const QFileInfo& copy : copies) {
            constexpr int longestPath = 1 << 16;
            const auto origin =
                readListedFile(originOf(copy.absoluteFilePath()).toStdString(), longestPath);
            const QString from = origin ? QString::fromStdString(*origin) : QString();
            m_found.push_back({copy.absoluteFilePath(), from, copy.lastModified()});
        }
        m_orphans.push_back({path, std::move(lock)});
    }
    Q_EMIT foundChanged();
}

Result<void> Recovery::begin()
{
    if (!m_folder.isEmpty())
        return {};
    const QString folder = m_root + QLatin1Char('/') +
                           QString::number(QCoreApplication::applicationPid()) + QLatin1Char('-') +
                           QUuid::createUuid().toString(QUuid::Id128).left(8);
    if (!QDir().mkpath(folder))
        return fail(ErrorCode::Io,
                    QCoreApplication::translate("pw::ui::Recovery", "the folder %1 cannot be made")
                        .arg(folder)
                        .toStdString());
    std::unique_ptr<QLockFile> lock = lockIn(folder);
    if (!lock->tryLock(0))
        return fail(ErrorCode::Io,
                    QCoreApplication::translate("pw::ui::Recovery",
                                                "no file can be written in the folder %1")
                        .arg(folder)
                        .toStdString());
    m_folder = folder;
    m_lock = std::move(lock);
    return {};
}

QString Recovery::fileOf(int document) const
{
    return QStringLiteral("%1/%2.pipewright.json").arg(m_folder).arg(document);
}

bool Recovery::keep(int document, const Project& project, const QString& path)
{
    if (m_writing.contains(document))
        return false;
    if (const Result<void> begun = begin(); !begun) {
        Q_EMIT failed(coreSentence(begun.error().message));
        return true;
    }
    m_writing.insert(document);
    m_writer.start([this, document, project, path, file = fileOf(document)] {
        const Result<void> done = write(project, path, file);
        const QString why = done ? QString() : coreSentence(done.error().message);
        QMetaObject::invokeMethod(
            this,
            [this, document, why] {
                m_writing.remove(document);
                if (!why.isEmpty())
                    Q_EMIT failed(why);
                Q_EMIT written(document);
            },
            Qt::QueuedConnection);
    });
    return true;
}

void Recovery::forget(int document)
{
    if (m_folder.isEmpty())
        return;
    m_writer.start([file = fileOf(document)] {
        QFile::remove(file);
        QFile::remove(originOf(file));
    });
}

void Recovery::end()
{
    finish();
    m_orphans.clear(); // what was not recovered is offered again
    if (m_folder.isEmpty())
        return;
    m_lock->unlock();
    QDir(m_folder).removeRecursively();
    m_folder.clear();
}

Result<Project> Recovery::recover(const QString& file, int document)
{
    Result<Project> project = loadProject(file.toStdString());
    if (!project)
        return project;
    PW_DO(begin());
    const QString own = fileOf(document);
    QFile::rename(originOf(file), originOf(own));
    if (!QFile::rename(file, own))
        return fail(ErrorCode::Io,
                    QCoreApplication::translate("pw::ui::Recovery", "%1 cannot be moved to %2")
                        .arg(file, own)
                        .toStdString());
    drop(file);
    return project;
}

void Recovery::discard(const QString& file)
{
    QFile::remove(file);
    QFile::remove(originOf(file));
    drop(file);
}

/// Takes a file that is gone off the list, and its folder away with the last one.
void Recovery::drop(const QString& file)
{
    const QString gone = file; // it may lie in the list that it is taken from
    m_found.erase(std::remove_if(m_found.begin(), m_found.end(),
                                 [&](const Found& one) { return one.file == gone; }),
                  m_found.end());
    const QString folder = QFileInfo(gone).absolutePath();
    const bool last = std::none_of(m_found.begin(), m_found.end(), [&](const Found& one) {
        return QFileInfo(one.file).absolutePath() == folder;
    });
    if (last) {
        m_orphans.erase(std::remove_if(m_orphans.begin(), m_orphans.end(),
                                       [&](const Orphan& one) { return one.folder == folder; }),
                        m_orphans.end());
        QDir(folder).removeRecursively();
    }
    Q_EMIT foundChanged();
}

} // namespace pw::ui
