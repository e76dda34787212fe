// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace pw::test {

/// An OpenSSH server on the loopback address with keys of its own, made for the test: nothing of
/// the user's ssh is read or changed.
class SshServer
{
public:
    SshServer();
    ~SshServer();

    /// Whether OpenSSH is there.
    static bool installed();
    /// Why the server does not listen; empty: it does.
    const QString& problem() const { return m_problem; }

    /// A key that a client may come with.
    enum class Key
    {
        Known,
        Refused
    };
    /// What a client knows of the server.
    enum class Host
    {
        Known,
        Unknown
    };
    /// "ssh -F … 127.0.0.1 PROGRAM", as a connection has it.
    QString command(const QString& program, Key key = Key::Known, Host host = Host::Known) const;

    /// No new connection is taken; those that are there go on.
    void stop();
    /// Ends the server's side of every connection at once, as a machine that loses its power.
    void breakConnections();

private:
    QString start();
    bool makeKey(const QString& name) const;
    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder; ///< without blanks in its path, which sshd takes for the end of a word
    QProcess m_server;
    int m_port = 0;
    QString m_problem;
};

} // namespace pw::test
