// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "tests/support/web_page_stand_in.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

// Runs every command line that a page shows and tst_readme does not: those without their output, in
// blocks of code. A page's lines run one after another in one folder, with samples/ in it and a
// store of their own: what a line needs ships, or an earlier line of the page makes it.
//
// Several processes share the pages: PW_PAGES names those of this one ("plan.md", or some lines of
// a page, "training.md:1-60"), or, with - in front, those that the others have.

namespace {

struct CommandLine
{
    QString page;
    qint64 number = 0; ///< of its line in the page
    QString command;
};

/// A line that does not run here, by its beginning, and why.
struct Excuse
{
    const char* page; ///< empty: on any
    const char* begin;
    const char* why;
};

constexpr Excuse excuses[] = {
    {"", "./run", "builds and installs the program itself"},
    {"", "ssh ", "needs another computer"},
    {"", "mpirun ", "needs MPI with as many slots; tst_mpi runs what fits"},
    {"", "srun ", "needs a cluster with Slurm"},
    {"", "pipewright submit ", "needs a cluster with Slurm; tst_submit has stand-ins"},
    {"engines.md", "torchrun ", "needs PyTorch"},
    {"engines.md", "python3 -m pipewright_torch", "needs PyTorch"},
    {"engines.md", "pipewright import run.jsonl", "reads what the line before writes with PyTorch"},
    {"plan.md", "pipewright costs fit --measured runs.csv", "reads a person's own measured runs"},
    {"plan.md", "pipewright plan --model llama3-70b --hardware b200", "reads what that writes"},
    {"trace-sources.md", "pipewright import runs/pp8", "reads a trace of Megatron-LM"},
    {"trace-sources.md", "pipewright whatif runs/pp8", "reads a trace of Megatron-LM"},
    {"trace-sources.md", "pipewright import profile.zip", "reads a trace of TensorFlow"},
    {"trace-sources.md", "pipewright import trace.pftrace", "reads a trace of Perfetto"},
    {"lessons.md", "pipewright lesson results FOLDER", "reads what the studio saves of a person"},
    {"traces.md", "pipewright import trace.json.gz", "reads a trace whose passes have no labels"},
    {"traces.md", "pipewright import other.json.gz", "reads a trace whose passes have no labels"},
    {"traces.md", "pipewright diff --kernels", "reads two traces of PyTorch's profiler"},
    {"benchmarks.md", "SEED=", "kills the program a thousand times"}};

/// A line that shows what is wrong, and ends so.
bool endsAsWrong(const QString& command)
{
    // Ranks that wait in a ring.
    return command == QLatin1String("pipewright communication 1f1b --devices 2 --micro-batches 2 "
                                    "--receive at-use") ||
           command == QLatin1String("pipewright communication interleaved-1f1b --devices 4 "
                                    "--micro-batches 8 --receive early=4 --communicators pair");
}

/// Whether a line is of a part: "plan.md", or "training.md:1-60".
bool isOf(const CommandLine& line, const QString& part)
{
    const QStringList lines = part.section(':', 1).split('-');
    return line.page == part.section(':', 0, 0) &&
           (lines.size() < 2 ||
            (line.number >= lines[0].toLongLong() && line.number <= lines[1].toLongLong()));
}

QStringList partsOf(QString given)
{
    return given.remove(QRegularExpression("^-")).split(' ', Qt::SkipEmptyParts);
}

/// Whether this process runs a line.
bool isHere(const CommandLine& line)
{
    const QString given = qEnvironmentVariable("PW_PAGES");
    const QStringList parts = partsOf(given);
    const bool named = std::any_of(parts.begin(), parts.end(),
                                   [&line](const QString& part) { return isOf(line, part); });
    return given.isEmpty() || named != given.startsWith('-');
}

const Excuse* excuseOf(const CommandLine& line)
{
    for (const Excuse& one : excuses)
        if ((QString(one.page).isEmpty() || line.page == one.page) &&
            line.command.startsWith(QLatin1String(one.begin)))
            return &one;
    return nullptr;
}

QString source(const QString& path)
{
    return QStringLiteral(PW_SOURCE_DIR "/") + path;
}

QStringList pages()
{
    QStringList all = {"README.md"};
    const QStringList names =
        QDir(source("resources/manual")).entryList({"*.md"}, QDir::Files, QDir::Name);
    for (const QString& name : names)
        all << "resources/manual/" + name;
    return all;
}

QStringList linesOf(const QString& path)
{
    QFile file(source(path));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).split('\n');
}

/// A command without what a page says behind it.
QString commandIn(QString line)
{
    line = line.trimmed();
    if (line.startsWith("$ "))
        line = line.mid(2);
    static const QRegularExpression said("\\s{2,}\\S.*$");
    return line.remove(said);
}

bool isCommand(const QString& line)
{
    static const QRegularExpression begins("^((pipewright(-studio)?|ssh|srun|mpirun|torchrun|"
                                           "python3|mkdir|export|alias|source|\\./run)"
                                           " \\S|\\./run$|[A-Z]+=\\S+ )");
    return begins.match(line).hasMatch();
}

/// The command lines of the blocks of code of a page that stand without output.
QList<CommandLine> commandsOf(const QString& page)
{
    QList<CommandLine> all;
    QString language, begun;
    bool fenced = false;
    const QStringList lines = linesOf(page);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines[i].startsWith("```")) {
            fenced = !fenced;
            language = fenced ? lines[i].mid(3).trimmed() : QString();
            continue;
        }
        const bool code =
            fenced ? language.isEmpty() || language == "sh" : lines[i].startsWith("    ");
        if (!code)
            continue;
        const QString command = begun + commandIn(lines[i]);
        begun.clear();
        if (!isCommand(command))
            continue;
        if (command.endsWith('\\'))
            begun = command.chopped(1);
        else
            all.append({page.section('/', -1), qint64(i) + 1, command});
    }
    return all;
}

} // namespace

class TstManualCommands : public QObject
{
    Q_OBJECT

private slots:
    void everyLineRuns_data();
    void everyLineRuns();
    void everyExcuseIsNeeded();
    void everyLineIsOfOneProcess();
    void everyOptionInTheTextIsOneOfItsCommand();

private:
    QString folderOf(const QString& page);

    std::map<QString, std::unique_ptr<QTemporaryDir>> m_folders;
};

QString TstManualCommands::folderOf(const QString& page)
{
    std::unique_ptr<QTemporaryDir>& folder = m_folders[page];
    if (!folder) {
        folder = std::make_unique<QTemporaryDir>();
        const QDir here(folder->path());
        if (!QFile::link(source("samples"), here.filePath("samples")) || !here.mkdir("bin") ||
            !QFile::link(PW_PROGRAM, here.filePath("bin/pipewright")))
            return {};
#ifdef PW_STUDIO
        if (!QFile::link(PW_STUDIO, here.filePath("bin/pipewright-studio")))
            return {};
#endif
        QFile frame(here.filePath("frame.html"));
        if (!frame.open(QIODevice::WriteOnly))
            return {};
        frame.write(QByteArray::fromStdString(pw::test::standInWebPage()));
    }
    return folder->path();
}

void TstManualCommands::everyLineRuns_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("command");
    for (const QString& page : pages()) {
        for (const CommandLine& line : commandsOf(page)) {
            if (excuseOf(line) == nullptr && isHere(line))
                QTest::newRow(qPrintable(
                    QString("%1:%2: %3").arg(line.page).arg(line.number).arg(line.command)))
                    << line.page << line.command;
        }
    }
}

void TstManualCommands::everyLineRuns()
{
    QFETCH(QString, page);
    QFETCH(QString, command);
#ifndef PW_STUDIO
    if (command.startsWith("pipewright-studio") || command.contains(".pdf"))
        QSKIP("the studio draws it, and is not built");
#endif
    const QString folder = folderOf(page);
    QVERIFY(!folder.isEmpty());
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.insert("PATH", folder + "/bin:" + variables.value("PATH"));
    variables.insert("PIPEWRIGHT_STORE", folder + "/runs.sqlite");
    variables.insert("QT_QPA_PLATFORM", "offscreen");
    // The web build is another tree's, which need not be there.
    variables.insert("PIPEWRIGHT_WEB_PAGE", folder + "/frame.html");
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(folder);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start("bash", {"-o", "pipefail", "-c", command});
    constexpr int patience = 280'000; // milliseconds; a whole `verify` on a busy machine
    QVERIFY2(process.waitForFinished(patience), qPrintable(command));
    QVERIFY2(process.exitStatus() == QProcess::NormalExit &&
                 process.exitCode() == (endsAsWrong(command) ? 1 : 0),
             process.readAllStandardError().constData());
    // What a page shows it for: a k that follows the network, on the plan's own clock.
    static const QRegularExpression switched("\\n[1-9][0-9]* switch");
    if (command.startsWith("pipewright run kfkb --adapt") && command.contains("emulated")) {
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(switched.match(QString::fromUtf8(out)).hasMatch(), out.constData());
    }
}

void TstManualCommands::everyExcuseIsNeeded()
{
    std::set<const Excuse*> used;
    int lines = 0;
    for (const QString& page : pages())
        for (const CommandLine& line : commandsOf(page)) {
            ++lines;
            used.insert(excuseOf(line));
        }
    QVERIFY2(lines > 80, qPrintable(QString::number(lines)));
    for (const Excuse& one : excuses)
        QVERIFY2(used.count(&one) == 1, one.begin);
}

/// What the others have is no line twice, and each has one.
void TstManualCommands::everyLineIsOfOneProcess()
{
    const QStringList parts = partsOf(qEnvironmentVariable("PW_PAGES"));
    std::vector<int> lines(static_cast<std::size_t>(parts.size()), 0);
    for (const QString& page : pages())
        for (const CommandLine& line : commandsOf(page)) {
            int of = 0;
            for (qsizetype i = 0; i < parts.size(); ++i) {
                if (isOf(line, parts[i])) {
                    ++of;
                    ++lines[static_cast<std::size_t>(i)];
                }
            }
            QVERIFY2(of <= 1, qPrintable(line.page + ": " + line.command));
        }
    for (qsizetype i = 0; i < parts.size(); ++i)
        QVERIFY2(lines[static_cast<std::size_t>(i)] > 0, qPrintable(parts[i]));
}

/// Commands in the text are seldom whole: what there is of them is right.
void TstManualCommands::everyOptionInTheTextIsOneOfItsCommand()
{
    static const QRegularExpression code("`pipewright ([a-z]+)((?: [^`]+)?)`");
    static const QRegularExpression option("(?:^| )--([a-z][a-z0-9-]*)");
    QStringList wrong;
    int seen = 0;
    for (const QString& page : pages()) {
        const QString text = linesOf(page).join(' ');
        for (auto found = code.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch one = found.next();
            std::vector<std::string> words = {one.captured(1).toStdString()};
            for (const QString& word : one.captured(2).split(' ', Qt::SkipEmptyParts))
                words.push_back(word.toStdString());
            const pw::app::Command* command = pw::app::commandIn(words).command;
            if (command == nullptr) {
                wrong << page + ": " + one.captured();
                continue;
            }
            const std::vector<pw::app::Option> options = pw::app::allOptions(*command);
            for (auto each = option.globalMatch(one.captured(2).section(" -- ", 0, 0));
                 each.hasNext(); ++seen) {
                const std::string name = each.next().captured(1).toStdString();
                if (std::none_of(options.begin(), options.end(),
                                 [&name](const auto& known) { return known.name == name; }))
                    wrong << page + ": " + one.captured();
            }
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    QVERIFY(seen > 10);
}

PW_TEST(TstManualCommands)
#include "tst_manual_commands.moc"
