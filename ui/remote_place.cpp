// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/remote_place.h"

#include "core/base/try.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cctype>

namespace pw::ui {

namespace {

constexpr QLatin1String remoteScheme("ssh://");

struct RemoteWords
{
    Q_DECLARE_TR_FUNCTIONS(RemotePlace)
};

template<typename T = RemotePlace>
Result<T> wrongPlace(const QString& why)
{
    return fail(ErrorCode::BadValue, why.toStdString());
}

bool fits(const QString& text, const char* pattern)
{
    const QRegularExpression whole(
        QRegularExpression::anchoredPattern(QString::fromLatin1(pattern)));
    return whole.match(text).hasMatch();
}

/// The letters of a path in a URL: "%20" is a blank, and a % that is followed by anything else is
/// one.
QString decoded(const QString& path)
{
    const QByteArray bytes = path.toUtf8();
    QByteArray all;
    const auto isDigit = [&bytes](qsizetype at) {
        return at < bytes.size() && std::isxdigit(static_cast<unsigned char>(bytes[at])) != 0;
    };
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        const bool byte = bytes[i] == '%' && isDigit(i + 1) && isDigit(i + 2);
        all += byte ? static_cast<char>(bytes.mid(i + 1, 2).toInt(nullptr, 16)) : bytes[i];
        i += byte ? 2 : 0;
    }
    return QString::fromUtf8(all);
}

/// Host and port of "host:2222" or "[::1]:2222".
Result<RemotePlace> hostAndPort(const QString& text)
{
    RemotePlace place;
    QString port;
    if (text.startsWith(QLatin1Char('['))) {
        const qsizetype end = text.indexOf(QLatin1Char(']'));
        place.host = end < 0 ? QString() : text.mid(1, end - 1);
        port = end < 0 ? QString() : text.mid(end + 1);
        if (!fits(place.host, "[0-9A-Fa-f:.]+(%[A-Za-z0-9_.-]+)?"))
            place.host.clear();
    } else {
        const qsizetype colon = text.indexOf(QLatin1Char(':'));
        place.host = text.left(colon);
        port = colon < 0 ? QString() : text.mid(colon);
        if (!fits(place.host, "[A-Za-z0-9_][A-Za-z0-9_.-]*"))
            place.host.clear();
    }
    if (place.host.isEmpty())
        return wrongPlace(
            RemoteWords::tr("\"%1\" is no name of a host: letters, digits, dots, dashes and "
                            "underlines make one, and a dash is not its first")
                .arg(text));
    constexpr int lastPort = 65'535;
    bool number = true;
    if (!port.isEmpty()) {
        place.port = fits(port, ":[0-9]{1,5}") ? port.mid(1).toInt(&number) : 0;
        if (!number || place.port < 1 || place.port > lastPort)
            return wrongPlace(RemoteWords::tr("\"%1\" is no port: a number from 1 to 65535 is")
                                  .arg(port.mid(port.startsWith(QLatin1Char(':')) ? 1 : 0)));
    }
    return place;
}

} // namespace

QString RemotePlace::fileName() const
{
    return path.mid(path.lastIndexOf(QLatin1Char('/')) + 1);
}

QString RemotePlace::pathThere() const
{
    const QString home = QStringLiteral("/~/");
    return path.startsWith(home) ? QStringLiteral("./") + path.mid(home.size()) : path;
}

QString RemotePlace::destination() const
{
    return user.isEmpty() ? host : user + QLatin1Char('@') + host;
}

QString RemotePlace::url() const
{
    const bool colons = host.contains(QLatin1Char(':'));
    QString all = remoteScheme;
    if (!user.isEmpty())
        all += user + QLatin1Char('@');
    all += colons ? QStringLiteral("[%1]").arg(host) : host;
    if (port > 0)
        all += QStringLiteral(":%1").arg(port);
    // What a person reads stays as it is; a % would else be read as the beginning of a byte.
    QString shown = path;
    return all + shown.replace(QLatin1Char('%'), QStringLiteral("%25"));
}

bool isRemotePlace(const QString& text)
{
    return text.startsWith(remoteScheme, Qt::CaseInsensitive);
}

Result<RemotePlace> remotePlaceOf(const QString& text)
{
    const QString rest = text.trimmed().mid(remoteScheme.size());
    const qsizetype slash = rest.indexOf(QLatin1Char('/'));
    if (!isRemotePlace(text.trimmed()) || slash < 0)
        return wrongPlace(
            RemoteWords::tr("\"%1\" is no place on another machine, which is written as "
                            "ssh://host/path")
                .arg(text));
    const QString who = rest.left(slash);
    const qsizetype at = who.lastIndexOf(QLatin1Char('@'));
    PW_TRY(RemotePlace place, hostAndPort(who.mid(at + 1)));
    place.user = who.left(std::max<qsizetype>(at, 0));
    if (at >= 0 && !fits(place.user, "[A-Za-z0-9_][A-Za-z0-9_.+@-]*"))
        return wrongPlace(
            RemoteWords::tr("\"%1\" is no name of a person on %2").arg(place.user, place.host));
    place.path = decoded(rest.mid(slash));
    const auto controls = [](QChar one) { return one.category() == QChar::Other_Control; };
    if (std::any_of(place.path.cbegin(), place.path.cend(), controls))
        return wrongPlace(
            RemoteWords::tr("the path on %1 has a control character in it").arg(place.host));
    if (place.fileName().isEmpty() || place.fileName() == QLatin1String(".") ||
        place.fileName() == QLatin1String(".."))
        return wrongPlace(RemoteWords::tr("%1 names no file on %2: one is opened at a time")
                              .arg(place.path, place.host));
    return place;
}

} // namespace pw::ui
