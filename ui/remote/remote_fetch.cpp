// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/remote/remote_fetch.h"

#include "core/reading/digest/digest.h"
#include "core/reading/digest/digest_request.h"
#include "core/trace/rules_file.h"

#include <QStorageInfo>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr int sshEnded = 255; // of itself, not of what it started

/// Ends a program. It may be the one that calls, and goes when it is done with that.
void endProgram(std::unique_ptr<QProcess> process)
{
    if (process == nullptr)
        return;
    process->disconnect();
    process->kill();
    constexpr int promptly = 500; // a killed program ends at once
    process->waitForFinished(promptly);
    process.release()->deleteLater();
}

} // namespace

RemoteFetch::RemoteFetch(QObject* parent)
    : QObject(parent)
{
    connect(&m_digest, &CommandOutput::ended, this, &RemoteFetch::takeDigest);
}

RemoteFetch::~RemoteFetch()
{
    cancel();
}

void RemoteFetch::cancel()
{
    m_running = false;
    m_digest.drop();
    endProgram(std::move(m_bringing));
    m_file.reset();
    m_folder.reset();
}

void RemoteFetch::start(const RemotePlace& place, const RemoteWay& way, bool whole)
{
    cancel();
    m_place = place;
    m_way = way;
    m_running = true;
    m_folder = std::make_shared<QTemporaryDir>();
    if (!m_folder->isValid()) {
        fail(m_folder->errorString());
        return;
    }
    Q_EMIT progress(0, 0);
    if (whole) {
        bring();
        return;
    }
    // As long as it takes to read a trace there; what comes is small.
    constexpr qint64 most = qint64{256} << 20;
    DigestRequest request{place.pathThere().toStdString(), {}};
    // By the rules that a trace of this computer is read by; that they cannot be read is told then.
    if (Result<std::vector<NameRule>> rules = keptNameRules(defaultRulesPath()))
        request.reading.names = std::move(*rules);
    const std::string line = digestRequestText(request) + "\n";
    m_digest.start(way.commandThere(QStringLiteral("slices")), QByteArray::fromStdString(line),
                   {0, most});
}

void RemoteFetch::takeDigest(const ProcessEnd& end, const QByteArray& output)
{
    // What a program there refuses is brought as it is, and told by who reads it; so it is where
    // there is no program, or an older one.
    if (!end.started || end.code == sshEnded) {
        failAs(end);
        return;
    }
    const auto digest =
        digestOfAnswer({output.constData(), static_cast<std::size_t>(output.size())});
    if (!digest) {
        bring();
        return;
    }
    const QString path = m_folder->filePath(
        m_place.fileName() +
        QString::fromUtf8(digestEnding.data(), static_cast<qsizetype>(digestEnding.size())));
    m_file = std::make_unique<QFile>(path);
    const auto size = static_cast<qint64>(digest->size());
    if (!m_file->open(QIODevice::WriteOnly) || m_file->write(digest->data(), size) != size ||
        !m_file->flush()) {
        fail(m_file->errorString());
        return;
    }
    succeed(true);
}

void RemoteFetch::bring()
{
    m_head.clear();
    m_all = -1;
    m_got = 0;
    m_file = std::make_unique<QFile>(m_folder->filePath(m_place.fileName()));
    if (!m_file->open(QIODevice::WriteOnly)) {
        fail(m_file->errorString());
        return;
    }
    m_bringing = std::make_unique<QProcess>();
    connect(m_bringing.get(), &QProcess::readyReadStandardOutput, this, &RemoteFetch::takeBytes);
    connect(m_bringing.get(), &QProcess::finished, this, &RemoteFetch::endBringing);
    connect(m_bringing.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            endBringing();
    });
    const QStringList words = m_way.sending();
    m_bringing->start(words.front(), words.mid(1));
    if (m_bringing != nullptr)
        m_bringing->write(m_place.pathThere().toUtf8() + '\n');
}

/// The size is the last line before the bytes that is one: a shell may say something first.
void RemoteFetch::takeSize()
{
    qsizetype line = 0;
    while ((line = m_head.indexOf('\n')) >= 0) {
        bool number = false;
        const qint64 size = m_head.left(line).trimmed().toLongLong(&number);
        m_head.remove(0, line + 1);
        if (number && size >= 0) {
            m_all = size;
            return;
        }
    }
}

void RemoteFetch::takeBytes()
{
    QByteArray bytes = m_bringing->readAllStandardOutput();
    if (m_all < 0) {
        m_head += bytes;
        takeSize();
        constexpr qsizetype longestGreeting = 1 << 20;
        if (m_all < 0 && m_head.size() > longestGreeting) {
            fail(tr("What answers there sends something else."));
            return;
        }
        if (m_all < 0)
            return;
        if (QStorageInfo(m_folder->path()).bytesAvailable() < m_all) {
            fail(tr("It has %1 bytes, for which %2 has no room.").arg(m_all).arg(m_folder->path()));
            return;
        }
        bytes = std::exchange(m_head, {});
    }
    // One that is being written has grown since; more than was said is not taken.
    bytes.truncate(std::min<qint64>(bytes.size(), m_all - m_got));
    if (m_file->write(bytes) != bytes.size()) {
        fail(m_file->errorString());
        return;
    }
    m_got += bytes.size();
    Q_EMIT progress(m_got, m_all);
}

void RemoteFetch::endBringing()
{
    if (m_bringing->error() != QProcess::FailedToStart)
        takeBytes();
    if (m_bringing == nullptr) // it could not be written
        return;
    ProcessEnd end;
    end.words = m_way.ssh;
    end.started = m_bringing->error() != QProcess::FailedToStart;
    end.crashed = end.started && m_bringing->exitStatus() == QProcess::CrashExit;
    end.code = m_bringing->exitCode();
    end.errors = end.started ? QString::fromUtf8(m_bringing->readAllStandardError())
                             : m_bringing->errorString();
    if (!end.started || end.crashed || end.code != 0 || m_all < 0) {
        failAs(end);
        return;
    }
    if (m_got < m_all) {
        fail(tr("The connection broke: %1 of %2 bytes came.").arg(m_got).arg(m_all));
        return;
    }
    if (!m_file->flush()) {
        fail(m_file->errorString());
        return;
    }
    endProgram(std::move(m_bringing));
    succeed(false);
}

/// What ssh said, as it said it; where it is known what that means, with what helps.
void RemoteFetch::failAs(const ProcessEnd& end)
{
    const QString said = lastLines(end.errors, 2).replace(QLatin1Char('\n'), QLatin1String(" / "));
    const Trouble known =
        !end.started || end.code == sshEnded ? troubleOf(end) : Trouble{TroubleKind::None, {}, {}};
    QStringList parts;
    if (known.kind == TroubleKind::Link)
        parts << known.what; // its advice is about runs
    else if (known.kind != TroubleKind::None && known.kind != TroubleKind::Failed)
        parts << inOneLine(known);
    if (!said.isEmpty())
        parts << tr("It said: %1").arg(said);
    if (parts.isEmpty())
        parts << tr("It ended with %1 and said nothing.").arg(end.code);
    fail(parts.join(QLatin1Char(' ')));
}

void RemoteFetch::fail(const QString& why)
{
    cancel();
    Q_EMIT failed(tr("%1 on %2 is not opened. %3").arg(m_place.path, m_place.destination(), why));
}

void RemoteFetch::succeed(bool digest)
{
    m_running = false;
    const FetchedFile file{m_place, m_file->fileName(), digest, std::move(m_folder)};
    m_file.reset();
    Q_EMIT fetched(file);
}

} // namespace pw::ui
