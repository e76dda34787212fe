// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

// Runs the README and the pages of the manual: every line `$ pipewright …` of a block marked
// `console` works, and prints what stands below it. With PW_UPDATE_README=1 the page gets the new
// output instead.

namespace {

constexpr int columns = 100;
constexpr int mostLinesOfReadme = 250;

/// One command of a page with the output that stands below it.
struct Shown
{
    QString command;
    QStringList output;
    qsizetype firstLine = 0; ///< of the output in the page
};

QString source(const QString& path)
{
    return QStringLiteral(PW_SOURCE_DIR "/") + path;
}

/// All pages that are there, by path: the README first.
QStringList allPages()
{
    QStringList pages = {"README.md"};
    const QStringList names =
        QDir(source("resources/manual")).entryList({"*.md"}, QDir::Files, QDir::Name);
    for (const QString& name : names)
        pages << "resources/manual/" + name;
    return pages;
}

QStringList linesOf(const QString& path)
{
    QFile file(source(path));
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

/// The place of a heading in a link, as the sites that show Markdown name it.
QString anchorOf(const QString& heading)
{
    QString anchor;
    const QString small = heading.toLower();
    for (const QChar c : small) {
        if (c.isLetterOrNumber() || c == '-' || c == '_')
            anchor += c;
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

QStringList anchorsOf(const QString& path)
{
    QStringList anchors;
    bool code = false;
    const QStringList lines = linesOf(path);
    for (const QString& line : lines) {
        code = line.startsWith("```") ? !code : code;
        if (!code && line.startsWith('#'))
            anchors << anchorOf(line.section(' ', 1));
    }
    return anchors;
}

} // namespace

class TstReadme : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void commandsPrintWhatThePageShows_data();
    void commandsPrintWhatThePageShows();
    void linksLeadSomewhere_data();
    void linksLeadSomewhere();
    void theReadmeIsShort();
    void theIndexHasEveryPage();
    void everyFamilyHasItsSectionWithItsFormulas();
    void theExampleOfThePageIsTheOneThatIsBuilt();
    void cleanupTestCase();

private:
    /// Where the commands of a page run: what one of them writes is there for the next.
    QString folderOf(const QString& page);

    std::map<QString, std::unique_ptr<QTemporaryDir>> m_folders;
    /// By page; first line: old length, new lines.
    QMap<QString, QMap<qsizetype, QPair<qsizetype, QStringList>>> m_updates;
};

void TstReadme::initTestCase()
{
    QVERIFY(!linesOf("README.md").isEmpty());
    QVERIFY(allPages().size() > 1);
}

QString TstReadme::folderOf(const QString& page)
{
    std::unique_ptr<QTemporaryDir>& folder = m_folders[page];
    if (!folder) {
        folder = std::make_unique<QTemporaryDir>();
        const QDir here(folder->path());
        if (!QFile::link(source("samples"), here.filePath("samples")) || !here.mkdir("bin") ||
            !QFile::link(PW_PROGRAM, here.filePath("bin/pipewright")) ||
            !QFile::link(PW_EXAMPLE, here.filePath("bin/bubble")) || !here.mkdir("resources"))
            return {};
    }
    return folder->path();
}

void TstReadme::commandsPrintWhatThePageShows_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QStringList>("output");
    QTest::addColumn<qint64>("firstLine");
    const QStringList pages = allPages();
    for (const QString& page : pages) {
        const QList<Shown> all = commandsOf(linesOf(page));
        for (const Shown& shown : all)
            QTest::newRow(qPrintable(QString("%1:%2: %3")
                                         .arg(page.section('/', -1))
                                         .arg(shown.firstLine)
                                         .arg(shown.command)))
                << page << shown.command << shown.output << qint64(shown.firstLine);
    }
}

void TstReadme::commandsPrintWhatThePageShows()
{
    QFETCH(QString, page);
    QFETCH(QString, command);
    QFETCH(QStringList, output);
    QFETCH(qint64, firstLine);
    const QString folder = folderOf(page);
    QVERIFY(!folder.isEmpty());
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.insert("PATH", folder + "/bin:" + variables.value("PATH"));
    variables.insert("COLUMNS", QString::number(columns));
    variables.insert("PIPEWRIGHT_STORE", folder + "/runs.sqlite");
    variables.remove("COLORTERM");
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start("bash", {"-o", "pipefail", "-c", command});
    QVERIFY(process.waitForFinished(60'000));
    QString printed = QString::fromUtf8(process.readAllStandardOutput());
    QVERIFY2(process.exitCode() == 0, qPrintable(printed));
    if (printed.endsWith('\n'))
        printed.chop(1);
    QStringList lines = printed.isEmpty() ? QStringList() : printed.split('\n');
    for (QStringList* one : {&lines, &output})
        while (!one->isEmpty() && one->last().isEmpty())
            one->removeLast(); // an empty line before the next command
    if (qEnvironmentVariableIsSet("PW_UPDATE_README")) {
        m_updates[page].insert(firstLine, {output.size(), lines});
        return;
    }
    QCOMPARE(lines.join('\n'), output.join('\n'));
}

void TstReadme::linksLeadSomewhere_data()
{
    QTest::addColumn<QString>("page");
    const QStringList pages = allPages();
    for (const QString& page : pages)
        QTest::newRow(qPrintable(page.section('/', -1))) << page;
}

void TstReadme::linksLeadSomewhere()
{
    QFETCH(QString, page);
    static const QRegularExpression link("\\]\\(([^)#:]*)(#[^)]*)?\\)");
    const QString folder = page.contains('/') ? page.section('/', 0, -2) + "/" : QString();
    bool code = false;
    const QStringList lines = linesOf(page);
    for (const QString& line : lines) {
        code = line.startsWith("```") ? !code : code;
        if (code)
            continue;
        for (auto found = link.globalMatch(line); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const QString target =
                match.captured(1).isEmpty() ? page : QDir::cleanPath(folder + match.captured(1));
            QVERIFY2(QFile::exists(source(target)), qPrintable(line));
            if (!match.captured(2).isEmpty())
                QVERIFY2(anchorsOf(target).contains(match.captured(2).mid(1)), qPrintable(line));
        }
    }
}

void TstReadme::theReadmeIsShort()
{
    const qsizetype lines = linesOf("README.md").size();
    QVERIFY2(lines <= mostLinesOfReadme, qPrintable(QString::number(lines)));
}

void TstReadme::theIndexHasEveryPage()
{
    const QString index = linesOf("resources/manual/index.md").join('\n');
    QStringList missing;
    const QStringList pages = allPages().mid(1);
    for (const QString& page : pages)
        if (const QString name = page.section('/', -1);
            name != "index.md" && !index.contains("](" + name + ")"))
            missing << name;
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(' ')));
}

/// The page of families says of each what the program says of it.
void TstReadme::everyFamilyHasItsSectionWithItsFormulas()
{
    const QString page = linesOf("resources/manual/families.md").join('\n');
    const auto text = [](std::string_view view) {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    };
    static const QRegularExpression paper("arXiv:\\S+\\d");
    QStringList missing;
    for (const pw::Family& family : pw::allFamilies()) {
        const QString id = text(family.id);
        const QString heading = QString("\n## %1 (%2)\n").arg(text(family.title), id);
        const qsizetype from = page.indexOf(heading);
        if (from < 0) {
            missing << heading;
            continue;
        }
        const QString section = page.mid(from, page.indexOf("\n## ", from + 1) - from);
        for (const pw::ClosedForm& form : family.closedForms) {
            if (!section.contains("`" + text(form.formula) + "`"))
                missing << id + ": " + text(form.formula);
            if (!section.contains(text(form.condition)))
                missing << id + ": " + text(form.condition);
        }
        for (const pw::Parameter& parameter : family.parameters)
            if (!section.contains("`--" + text(parameter.name)))
                missing << id + ": --" + text(parameter.name);
        const QString number = paper.match(text(family.citation)).captured();
        if (!number.isEmpty() && !section.contains(number))
            missing << id + ": " + number;
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
}

void TstReadme::theExampleOfThePageIsTheOneThatIsBuilt()
{
    QStringList example = linesOf("tests/example/bubble.cpp");
    QVERIFY(example.size() > 4);
    QVERIFY2(example.size() <= 32, qPrintable(QString::number(example.size())));
    example = example.mid(2); // without the licence
    const QString page = linesOf("resources/manual/adding.md").join('\n');
    QVERIFY(page.contains("```cpp\n" + example.join('\n') + "```\n"));
}

void TstReadme::cleanupTestCase()
{
    for (auto page = m_updates.cbegin(); page != m_updates.cend(); ++page) {
        // From the end on, so that the line numbers of the others stay.
        QStringList lines = linesOf(page.key());
        const QList<qsizetype> firstLines = page.value().keys();
        for (auto it = firstLines.rbegin(); it != firstLines.rend(); ++it) {
            const auto& [length, output] = page.value()[*it];
            lines.remove(*it, length);
            for (qsizetype i = 0; i < output.size(); ++i)
                lines.insert(*it + i, output[i]);
        }
        QFile file(source(page.key()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(lines.join('\n').toUtf8());
    }
}

PW_TEST(TstReadme)
#include "tst_readme.moc"
