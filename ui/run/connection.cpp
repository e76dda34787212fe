// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/connection.h"

#include "core/base/try.h"
#include "ui/program_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pw::ui {

namespace {

constexpr const char* listKey = "connections";
constexpr const char* currentKey = "run/connection";

QString inQuotes(const QString& word)
{
    QString inner = word;
    inner.replace(QLatin1Char('"'), QStringLiteral("\"\"\""));
    return word.contains(QLatin1Char(' ')) || word.contains(QLatin1Char('"'))
               ? QStringLiteral("\"%1\"").arg(inner)
               : word;
}

/// ssh on a terminal that nobody sees must not ask, and must notice that the other end is gone.
QStringList withSshOptions(QStringList words)
{
    const QString all = words.join(QLatin1Char(' '));
    QStringList added;
    for (const char* option :
         {"BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=3"}) {
        const QString text = QLatin1String(option);
        if (!all.contains(text.left(text.indexOf(QLatin1Char('='))), Qt::CaseInsensitive))
            added << QStringLiteral("-o") << text;
    }
    const QStringList rest = words.mid(1);
    return QStringList{words.front()} + added + rest;
}

} // namespace

Result<QStringList> commandWords(const QString& command)
{
    if (command.count(QLatin1Char('"')) % 2 != 0)
        return fail(ErrorCode::BadValue, QCoreApplication::translate(
                                             "pw::ui::Connections",
                                             "a quotation mark of the command line has no partner")
                                             .toStdString());
    const QStringList words = QProcess::splitCommand(command);
    if (words.isEmpty())
        return fail(
            ErrorCode::BadValue,
            QCoreApplication::translate(
                "pw::ui::Connections",
                "the command line is empty; it ends with the program, as in ssh node pipewright")
                .toStdString());
    if (QFileInfo(words.front()).fileName() == QLatin1String("ssh"))
        return withSshOptions(words);
    return words;
}

QString localProgram()
{
    const QString name = QStringLiteral("pipewright");
    const QString beside = QStandardPaths::findExecutable(name, {programFolder()});
    if (!beside.isEmpty())
        return beside;
    const QString known = QStandardPaths::findExecutable(name);
    // Where it is not there yet, it may still be built: `./run` starts the studio first.
    return known.isEmpty() ? QDir(programFolder()).filePath(name) : known;
}

Connection torchConnection()
{
    const QString folder = programFolder();
    QStringList places = {folder + QStringLiteral("/../share/pipewright/torch"),
                          folder + QStringLiteral("/../../../executor/torch")};
    places << QStandardPaths::locate(QStandardPaths::GenericDataLocation,
                                     QStringLiteral("pipewright/torch"),
                                     QStandardPaths::LocateDirectory);
    for (const QString& place : std::as_const(places)) {
        const QFileInfo package(place + QStringLiteral("/pipewright_torch/__main__.py"));
        if (!place.isEmpty() && package.isFile()) {
            const QString path = QFileInfo(place).canonicalFilePath();
            return {QStringLiteral("PyTorch"),
                    QStringLiteral("env %1 python3 -m pipewright_torch")
                        .arg(inQuotes(QStringLiteral("PYTHONPATH=%1").arg(path)))};
        }
    }
    return {QStringLiteral("PyTorch"), QStringLiteral("python3 -m pipewright_torch")};
}

Connections::Connections(const QString& program, QObject* parent)
    : QObject(parent)
{
    m_all.push_back({tr("This computer"), inQuotes(program)});
    load();
}

void Connections::load()
{
    QSettings settings;
    const int count = settings.beginReadArray(QLatin1String(listKey));
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        m_all.push_back({settings.value(QStringLiteral("name")).toString(),
                         settings.value(QStringLiteral("command")).toString()});
        // Somebody may have written into the settings by hand.
        if (!check(m_all))
            m_all.pop_back();
    }
    settings.endArray();
    const QString current = settings.value(QLatin1String(currentKey)).toString();
    for (std::size_t i = 1; i < m_all.size(); ++i)
        if (m_all[i].name == current)
            m_current = static_cast<int>(i);
}

void Connections::store() const
{
    QSettings settings;
    settings.remove(QLatin1String(listKey));
    settings.beginWriteArray(QLatin1String(listKey), static_cast<int>(m_all.size()) - 1);
    for (std::size_t i = 1; i < m_all.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i) - 1);
        settings.setValue(QStringLiteral("name"), m_all[i].name);
        settings.setValue(QStringLiteral("command"), m_all[i].command);
    }
    settings.endArray();
    settings.setValue(QLatin1String(currentKey), m_current == 0 ? QString() : current().name);
}

void Connections::setCurrentIndex(int index)
{
    if (index == m_current || index < 0 || index >= static_cast<int>(m_all.size()))
        return;
    m_current = index;
    store();
    Q_EMIT currentChanged();
}

Result<void> Connections::check(const std::vector<Connection>& all)
{
    for (auto one = all.begin(); one != all.end(); ++one) {
        const std::string name = one->name.toStdString();
        if (one->name.trimmed().isEmpty())
            return fail(ErrorCode::BadValue, QCoreApplication::translate("pw::ui::Connections",
                                                                         "a connection has no name")
                                                 .toStdString());
        if (std::any_of(all.begin(), one,
                        [&](const Connection& other) { return other.name == one->name; }))
            return fail(
                ErrorCode::BadValue,
                QCoreApplication::translate("pw::ui::Connections", "two connections are called %1")
                    .arg(one->name)
                    .toStdString());
        if (const Result<QStringList> words = commandWords(one->command); !words)
            return fail(ErrorCode::BadValue, "%1: %2", name, words.error().message);
    }
    return {};
}

Result<void> Connections::setOthers(const std::vector<Connection>& others)
{
    std::vector<Connection> all = {m_all.front()};
    std::copy(others.begin(), others.end(), std::back_inserter(all));
    PW_DO(check(all));
    const QString name = current().name;
    m_all = std::move(all);
    const auto same = std::find_if(m_all.begin(), m_all.end(),
                                   [&](const Connection& one) { return one.name == name; });
    m_current = same == m_all.end() ? 0 : static_cast<int>(same - m_all.begin());
    store();
    Q_EMIT changed();
    Q_EMIT currentChanged();
    return {};
}

} // namespace pw::ui
