// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/remote/remote_way.h"

#include "ui/run/trouble.h"

#include <QFileInfo>

namespace pw::ui {

namespace {

/// The words of a connection that begins with ssh; none: it does not.
QStringList sshWords(const Connection& connection)
{
    const Result<QStringList> words = commandWords(connection.command);
    const bool ssh = words && QFileInfo(words->front()).fileName() == QLatin1String("ssh") &&
                     sshDestination(*words) < words->size();
    return ssh ? *words : QStringList();
}

bool leadsTo(const QString& destination, const RemotePlace& place)
{
    return place.user.isEmpty()
               ? destination.mid(destination.lastIndexOf(QLatin1Char('@')) + 1) == place.host
               : destination == place.destination();
}

} // namespace

QStringList RemoteWay::commandThere(const QString& command) const
{
    return ssh + program + QStringList{command};
}

QStringList RemoteWay::sending() const
{
    // Single quotes hold it together in every shell that a person may have there.
    return ssh +
           QStringList{QStringLiteral(
               "sh -c 'IFS= read -r f; test -f \"$f\" || { ls -ld -- \"$f\" >/dev/null && "
               "echo \"it is no file\" >&2; exit 3; }; wc -c < \"$f\" && exec cat < \"$f\"'")};
}

RemoteWay wayTo(const RemotePlace& place, const std::vector<Connection>& connections)
{
    const QString program = QStringLiteral("pipewright");
    if (place.port == 0)
        for (const Connection& connection : connections) {
            const QStringList words = sshWords(connection);
            const qsizetype at = sshDestination(words);
            if (words.isEmpty() || !leadsTo(words[at], place))
                continue;
            const QStringList there = words.mid(at + 1);
            return {words.mid(0, at + 1), there.isEmpty() ? QStringList{program} : there};
        }
    QStringList words = *commandWords(QStringLiteral("ssh"));
    if (place.port > 0)
        words << QStringLiteral("-p") << QString::number(place.port);
    return {words << QStringLiteral("--") << place.destination(), {program}};
}

QStringList knownHosts(const std::vector<Connection>& connections)
{
    QStringList hosts;
    for (const Connection& connection : connections) {
        const QStringList words = sshWords(connection);
        if (!words.isEmpty())
            hosts << words[sshDestination(words)];
    }
    hosts.removeDuplicates();
    return hosts;
}

} // namespace pw::ui
