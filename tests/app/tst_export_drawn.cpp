// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command_registry.h"
#include "app/studio_program.h"
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
    words.insert(words.begin(), "export");
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, err.str()};
}

} // namespace

/// What `export` has the studio draw, without the studio: a script stands for it.
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
        const Ran done = exported({in.toStdString(), "--output", out.toStdString()});
        QVERIFY2(done.code == ExitCode::Good, done.err.c_str());
        QFile made(out);
        QVERIFY(made.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(made.readAll()).trimmed(),
                 QStringLiteral("offscreen ") + how.arg(in, out));
    }

    void aNameIsNoOption()
    {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder.path()));
        const Ran done = exported({"plan.txt", "--output=-x.gif"});
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
        for (const char* said : {"ends in .pdf", "OUT", "--output"})
            QVERIFY2(noName.err.find(said) != std::string::npos, noName.err.c_str());
        const Ran other = exported({plan, "--to", "pdf", "--output", file("x.svg")});
        QCOMPARE(other.code, ExitCode::Usage);
        QVERIFY(other.err.find("end in .pdf") != std::string::npos);
        const Ran lesson = exported({"05-1f1b", "--to", "gif", "--output", file("x.gif")});
        QCOMPARE(lesson.code, ExitCode::Usage);
        QVERIFY(lesson.err.find("handout") != std::string::npos);
        const Ran run = exported({"3", "--to", "pdf", "--output", file("x.pdf")});
        QCOMPARE(run.code, ExitCode::Usage);
        QVERIFY(run.err.find("a run is exported") != std::string::npos);
        const Ran refused = exported({"refused", "--to", "pdf", "--output", file("x.pdf")});
        QCOMPARE(refused.code, ExitCode::Wrong);
        QVERIFY(refused.err.find("could not draw a pdf") != std::string::npos);
    }

    void withoutTheStudioTheErrorSaysWhatIsMissing()
    {
        qputenv("PATH", m_folder.path().toUtf8() + "/none");
        QCOMPARE(studioProgram(), std::string());
        const Ran done = exported({file("plan.txt"), "--to", "pdf", "--output", file("y.pdf")});
        QCOMPARE(done.code, ExitCode::Wrong);
        QVERIFY2(done.err.find("pipewright-studio") != std::string::npos, done.err.c_str());
        QVERIFY(done.err.find("--to html") != std::string::npos);
    }
};

PW_TEST(TestExportDrawn)
#include "tst_export_drawn.moc"
