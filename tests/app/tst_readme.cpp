// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

// Runs the README: every line `$ pipewright …` of a block marked `console` works, and prints what
// stands below it. With PW_UPDATE_README=1 the README gets the new output instead.

namespace {

constexpr int columns = 100;

/// One command of the README with the output that stands below it.
struct Shown
{
    QString command;
    QStringList output;
    qsizetype firstLine = 0; ///< of the output in the README
};

QStringList readme()
{
    QFile file(QStringLiteral(PW_SOURCE_DIR "/README.md"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).split('\n');
}

QList<Shown> commandsOf(const QStringList& lines)
{
    QList<Shown> all;
    bool inside = false;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines[i].startsWith("```")) {
            inside = !inside && lines[i] == "```console";
            continue;
        }
        if (!inside)
            continue;
        if (lines[i].startsWith("$ "))
            all.append({lines[i].mid(2), {}, i + 1});
        else if (!all.isEmpty())
            all.last().output.append(lines[i]);
    }
    return all;
}

} // namespace

class TstReadme : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void commandsPrintWhatTheReadmeShows_data();
    void commandsPrintWhatTheReadmeShows();
    void linksLeadSomewhere();
    void cleanupTestCase();

private:
    QTemporaryDir m_folder;
    QStringList m_lines;
    QMap<qsizetype, QPair<qsizetype, QStringList>> m_updates; // first line: old length, new lines
};

void TstReadme::initTestCase()
{
    QVERIFY(m_folder.isValid());
    QVERIFY(QFile::link(QStringLiteral(PW_SOURCE_DIR "/samples"), m_folder.filePath("samples")));
    QVERIFY(QDir(m_folder.path()).mkdir("bin"));
    QVERIFY(QFile::link(PW_PROGRAM, m_folder.filePath("bin/pipewright")));
    QVERIFY(QDir(m_folder.path()).mkdir("resources"));
    m_lines = readme();
    QVERIFY(!m_lines.isEmpty());
}

void TstReadme::commandsPrintWhatTheReadmeShows_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QStringList>("output");
    QTest::addColumn<qint64>("firstLine");
    const QList<Shown> all = commandsOf(readme());
    QVERIFY(!all.isEmpty());
    for (const Shown& shown : all)
        QTest::newRow(qPrintable(QString("line %1: %2").arg(shown.firstLine).arg(shown.command)))
            << shown.command << shown.output << qint64(shown.firstLine);
}

void TstReadme::commandsPrintWhatTheReadmeShows()
{
    QFETCH(QString, command);
    QFETCH(QStringList, output);
    QFETCH(qint64, firstLine);
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.insert("PATH", m_folder.filePath("bin") + ":" + variables.value("PATH"));
    variables.insert("COLUMNS", QString::number(columns));
    variables.remove("COLORTERM");
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(m_folder.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start("bash", {"-o", "pipefail", "-c", command});
    QVERIFY(process.waitForFinished(60'000));
    QString printed = QString::fromUtf8(process.readAllStandardOutput());
    QVERIFY2(process.exitCode() == 0, qPrintable(printed));
    if (printed.endsWith('\n'))
        printed.chop(1);
    const QStringList lines = printed.isEmpty() ? QStringList() : printed.split('\n');
    while (!output.isEmpty() && output.last().isEmpty())
        output.removeLast(); // an empty line before the next command
    if (qEnvironmentVariableIsSet("PW_UPDATE_README")) {
        m_updates.insert(firstLine, {output.size(), lines});
        return;
    }
    QCOMPARE(lines.join('\n'), output.join('\n'));
}

void TstReadme::linksLeadSomewhere()
{
    static const QRegularExpression link("\\]\\(([^)#:]+)\\)");
    for (const QString& line : std::as_const(m_lines)) {
        auto found = link.globalMatch(line);
        while (found.hasNext()) {
            const QString target = found.next().captured(1);
            QVERIFY2(QFile::exists(QStringLiteral(PW_SOURCE_DIR "/") + target), qPrintable(target));
        }
    }
}

void TstReadme::cleanupTestCase()
{
    if (m_updates.isEmpty())
        return;
    // From the end on, so that the line numbers of the others stay.
    const QList<qsizetype> firstLines = m_updates.keys();
    for (auto it = firstLines.rbegin(); it != firstLines.rend(); ++it) {
        const auto& [length, lines] = m_updates[*it];
        m_lines.remove(*it, length);
        for (qsizetype i = 0; i < lines.size(); ++i)
            m_lines.insert(*it + i, lines[i]);
    }
    QFile file(QStringLiteral(PW_SOURCE_DIR "/README.md"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(m_lines.join('\n').toUtf8());
}

PW_TEST(TstReadme)
#include "tst_readme.moc"
