// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/remote/remote_way.h"
#include "ui/remote_place.h"
#include "ui/run/command_output.h"

#include <QByteArray>
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <memory>

namespace pw::ui {

/// What came from another machine, in a folder that goes away with it.
struct FetchedFile
{
    RemotePlace place;
    QString path;        ///< on this computer
    bool digest = false; ///< of a trace that was read there: kernels are summed up
    std::shared_ptr<QTemporaryDir> folder;
};

/// Brings a file of another machine: a trace as the digest that the `pipewright` there makes of it,
/// where there is one, and everything else whole.
class RemoteFetch : public QObject
{
    Q_OBJECT

public:
    explicit RemoteFetch(QObject* parent = nullptr);
    ~RemoteFetch() override;

    /// Begins; what is under way is left.
    /// @param whole  a trace too
    void start(const RemotePlace& place, const RemoteWay& way, bool whole);
    /// Leaves what is under way, and what has come of it.
    void cancel();
    bool running() const { return m_running; }

Q_SIGNALS:
    /// Bytes that have come, and how many there are; 0 of 0 while the trace is read there.
    void progress(qint64 got, qint64 all);
    void fetched(const pw::ui::FetchedFile& file);
    /// Says the host, the path and what ssh said.
    void failed(const QString& why);

private:
    void takeDigest(const ProcessEnd& end, const QByteArray& output);
    void bring();
    void takeBytes();
    void takeSize();
    void endBringing();
    void fail(const QString& why);
    void failAs(const ProcessEnd& end);
    void succeed(bool digest);

    RemotePlace m_place;
    RemoteWay m_way;
    bool m_running = false;
    CommandOutput m_digest; ///< asks the program there
    std::unique_ptr<QProcess> m_bringing;
    std::shared_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QFile> m_file;
    QByteArray m_head; ///< what came before the size was known
    qint64 m_all = -1; ///< bytes of the file; −1: not known yet
    qint64 m_got = 0;
};

} // namespace pw::ui
