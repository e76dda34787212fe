// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/ssh_server.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pw::test {

namespace {

constexpr int patience = 20'000; // milliseconds

/// A port of the loopback address that is free now; 0: none.
int freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    const bool good =
        socket >= 0 && ::bind(socket, any, size) == 0 && ::getsockname(socket, any, &size) == 0;
    ::close(socket);
    return good ? ntohs(address.sin_port) : 0;
}

bool answers(int port)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool good =
        ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return good;
}

bool write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

QString serverProgram()
{
    return QStandardPaths::findExecutable(
        QStringLiteral("sshd"), {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/bin")});
}

/// Processes that a process has started.
QList<qint64> childrenOf(qint64 process)
{
    QList<qint64> children;
    QByteArray line;
    QFile list(QStringLiteral("/proc/%1/task/%1/children").arg(process));
    if (list.open(QIODevice::ReadOnly))
        line = list.readAll().simplified();
    const QList<QByteArray> numbers = line.split(' ');
    for (const QByteArray& number : numbers)
        if (!number.isEmpty())
            children.append(number.toLongLong());
    return children;
}

/// Kills the processes of the server below one of it; not what they have started for a client.
void killServersBelow(qint64 process)
{
    const QList<qint64> children = childrenOf(process);
    for (const qint64 child : children) {
        QFile name(QStringLiteral("/proc/%1/comm").arg(child));
        if (!name.open(QIODevice::ReadOnly) || !name.readAll().startsWith("sshd"))
            continue;
        killServersBelow(child);
        ::kill(static_cast<pid_t>(child), SIGKILL);
    }
}

} // namespace

SshServer::SshServer()
    : m_folder(QDir::tempPath() + QStringLiteral("/pipewright-ssh-XXXXXX"))
    , m_problem(start())
{
}

bool SshServer::installed()
{
    return !serverProgram().isEmpty() &&
           !QStandardPaths::findExecutable(QStringLiteral("ssh")).isEmpty();
}

SshServer::~SshServer()
{
    breakConnections();
    stop();
}

bool SshServer::makeKey(const QString& name) const
{
    return QProcess::execute(QStringLiteral("ssh-keygen"),
                             {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                              QStringLiteral("-N"), QString(), QStringLiteral("-f"), path(name)}) ==
           0;
}

QString SshServer::start()
{
    if (!makeKey(QStringLiteral("host")) || !makeKey(QStringLiteral("user")) ||
        !makeKey(QStringLiteral("stranger")))
        return QStringLiteral("ssh-keygen makes no keys");
    // As root the server wants the empty folder that its package's service makes.
    if (::geteuid() == 0)
        QDir().mkpath(QStringLiteral("/run/sshd"));
    m_port = freePort();
    QFile hostKey(path(QStringLiteral("host.pub")));
    if (m_port == 0 || !hostKey.open(QIODevice::ReadOnly) ||
        !QFile::copy(path(QStringLiteral("user.pub")), path(QStringLiteral("authorized"))))
        return QStringLiteral("no free port, or the keys cannot be read");
    const QByteArray known = "[127.0.0.1]:" + QByteArray::number(m_port) + ' ' + hostKey.readAll();
    const QString config = QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2/host\n"
                                          "AuthorizedKeysFile %2/authorized\nPidFile none\n"
                                          "UsePAM no\nStrictModes no\nPasswordAuthentication no\n"
                                          "KbdInteractiveAuthentication no\n"
                                          "PermitRootLogin prohibit-password\n")
                               .arg(m_port)
                               .arg(m_folder.path());
    if (!write(path(QStringLiteral("known")), known) ||
        !write(path(QStringLiteral("config")), config.toUtf8()))
        return QStringLiteral("the configuration cannot be written");
    m_server.setStandardErrorFile(path(QStringLiteral("log")));
    m_server.start(serverProgram(), {QStringLiteral("-D"), QStringLiteral("-e"),
                                     QStringLiteral("-f"), path(QStringLiteral("config"))});
    QElapsedTimer clock;
    clock.start();
    while (m_server.state() != QProcess::NotRunning && clock.elapsed() < patience) {
        if (answers(m_port))
            return {};
        m_server.waitForFinished(20);
    }
    QFile log(path(QStringLiteral("log")));
    if (!log.open(QIODevice::ReadOnly))
        return QStringLiteral("sshd does not start");
    return QStringLiteral("sshd does not start: ") + QString::fromUtf8(log.readAll().simplified());
}

QString SshServer::command(const QString& program, Key key, Host host) const
{
    const QString known = host == Host::Known ? QStringLiteral("known") : QStringLiteral("nobody");
    return QStringLiteral("ssh -F none -p %1 -i %2 -o IdentitiesOnly=yes -o UserKnownHostsFile=%3 "
                          "-o GlobalKnownHostsFile=none -o StrictHostKeyChecking=yes 127.0.0.1 %4")
        .arg(m_port)
        .arg(path(key == Key::Known ? QStringLiteral("user") : QStringLiteral("stranger")),
             path(known), program);
}

void SshServer::stop()
{
    if (m_server.state() == QProcess::NotRunning)
        return;
    m_server.kill();
    m_server.waitForFinished(patience);
}

void SshServer::breakConnections()
{
    if (m_server.state() != QProcess::NotRunning)
        killServersBelow(m_server.processId());
}

} // namespace pw::test
