// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command_registry.h"
#include "app/studio_program.h"
#include "core/io/project_file.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw;
using namespace pw::app;

namespace {

struct Ran
{
    ExitCode code = ExitCode::Good;
    std::string err;
};

Ran exported(std::vector<std::string> words)
{
    words.insert(words.begin(), "convert");
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, err.str()};
}

} // namespace

/// What `convert` has the studio draw, without the studio: a script stands for it.
class TestExportDrawn : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QByteArray m_path;

    std::string file(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

private slots:
    void initTestCase()
    {
        m_path = qgetenv("PATH");
        QFile plan(m_folder.filePath(QStringLiteral("plan.txt")));
        QVERIFY(plan.open(QIODevice::WriteOnly));
        plan.write("devices: 1\nmicro-batches: 1\nd0: F0 BW0\n");
        QFile studio(m_folder.filePath(QStringLiteral("pipewright-studio")));
        QVERIFY(studio.open(QIODevice::WriteOnly));
        studio.write("#!/bin/sh\necho \"$QT_QPA_PLATFORM $*\" > \"$3\"\n[ \"$2\" != refused ]\n");
        studio.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    void init() { qputenv("PATH", m_folder.path().toUtf8() + ":" + m_path); }
    void cleanup() { qputenv("PATH", m_path); }

    void theStudioIsAskedWithoutADisplay_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("how");
        QTest::newRow("figure") << "plan.txt"
                                << "pdf"
                                << "--render %1 %2 --charts";
        QTest::newRow("picture") << "plan.txt"
                                 << "png"
                                 << "--render %1 %2 --charts";
        QTest::newRow("film") << "plan.txt"
                              << "mp4"
                              << "--film %1 %2";
        QTest::newRow("handout") << "05-1f1b"
                                 << "pdf"
                                 << "--handout %1 %2";
    }

    void theStudioIsAskedWithoutADisplay()
    {
        QFETCH(QString, word);
        QFETCH(QString, format);
        QFETCH(QString, how);
        const QString in = word == QLatin1String("plan.txt") ? m_folder.filePath(word) : word;
        const QString out = m_folder.filePath(QStringLiteral("out.") + format);
        const Ran done = exported({in.toStdString(), out.toStdString()});
        QVERIFY2(done.code == ExitCode::Good, done.err.c_str());
        QFile made(out);
        QVERIFY(made.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(made.readAll()).trimmed(),
                 QStringLiteral("offscreen ") + how.arg(in, out));
    }

    /// What the command line says of the schedule is in the file that the studio is given.
    void aShapeIsDrawnAsAsked()
    {
        const QString seen = m_folder.filePath(QStringLiteral("seen.pipewright.json"));
        QFile studio(m_folder.filePath(QStringLiteral("pipewright-studio")));
        QVERIFY(studio.open(QIODevice::ReadOnly));
        const QByteArray before = studio.readAll();
        studio.close();
        QVERIFY(studio.open(QIODevice::WriteOnly | QIODevice::Truncate));
        studio.write("#!/bin/sh\ncp \"$2\" '" + seen.toUtf8() + "'\necho drawn \"$2\" > \"$3\"\n");
        studio.close();
        const QString out = m_folder.filePath(QStringLiteral("shaped.png"));
        const Ran done = exported({"1f1b", out.toStdString(), "--devices", "3", "--micro-batches",
                                   "5", "--forward", "2"});
        QVERIFY(studio.open(QIODevice::WriteOnly | QIODevice::Truncate));
        studio.write(before);
        studio.close();
        QVERIFY2(done.code == ExitCode::Good, done.err.c_str());
        const Result<Project> project = loadProject(seen.toStdString());
        QVERIFY(project);
        QCOMPARE(project->draft.spec.devices, 3);
        QCOMPARE(project->draft.spec.microBatches, 5);
        QFile made(out);
        QVERIFY(made.open(QIODevice::ReadOnly));
        const QString given = QString::fromUtf8(made.readAll()).trimmed().section(' ', 1);
        QVERIFY2(given != seen && !QFile::exists(given), qPrintable(given));
    }

    void aNameIsNoOption()
    {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder.path()));
        const Ran done = exported({"plan.txt", "--to=gif", "--", "-x.gif"});
        QDir::setCurrent(before);
        QVERIFY2(done.code == ExitCode::Good, done.err.c_str());
        QFile made(m_folder.filePath(QStringLiteral("-x.gif")));
        QVERIFY(made.open(QIODevice::ReadOnly));
        QCOMPARE(made.readAll().trimmed(), QByteArray("offscreen --film plan.txt ./-x.gif"));
    }

    void whatCannotBeIsSaid()
    {
        const std::string plan = file("plan.txt");
        const Ran noName = exported({plan, "--to", "pdf"});
        QCOMPARE(noName.code, ExitCode::Usage);
        for (const char* said : {"ends in .pdf", "OUT"})
            QVERIFY2(noName.err.find(said) != std::string::npos, noName.err.c_str());
        const Ran other = exported({plan, "--to", "pdf", file("x.svg")});
        QCOMPARE(other.code, ExitCode::Usage);
        QVERIFY(other.err.find("end in .pdf") != std::string::npos);
        const Ran lesson = exported({"05-1f1b", "--to", "gif", file("x.gif")});
        QCOMPARE(lesson.code, ExitCode::Usage);
        QVERIFY(lesson.err.find("handout") != std::string::npos);
        const Ran run = exported({"3", "--to", "pdf", file("x.pdf")});
        QCOMPARE(run.code, ExitCode::Usage);
        QVERIFY(run.err.find("a run becomes chrome-json") != std::string::npos);
        const Ran refused = exported({"refused", "--to", "pdf", file("x.pdf")});
        QCOMPARE(refused.code, ExitCode::Wrong);
        QVERIFY(refused.err.find("could not draw a pdf") != std::string::npos);
    }

    void withoutTheStudioTheErrorSaysWhatIsMissing()
    {
        qputenv("PATH", m_folder.path().toUtf8() + "/none");
        QCOMPARE(studioProgram(), std::string());
        const Ran done = exported({file("plan.txt"), "--to", "pdf", file("y.pdf")});
        QCOMPARE(done.code, ExitCode::Wrong);
        QVERIFY2(done.err.find("pipewright-studio") != std::string::npos, done.err.c_str());
        QVERIFY(done.err.find("--to html") != std::string::npos);
    }
};

PW_TEST(TestExportDrawn)
#include "tst_export_drawn.moc"
