// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw::app;

namespace {

struct Said
{
    ExitCode code = ExitCode::Good;
    QString out;
    QString err;
};

Said said(const std::vector<std::string>& words)
{
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

constexpr const char* samples = PW_SOURCE_DIR "/samples/families";

} // namespace

class TestOwnFamilies : public QObject
{
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_folder.isValid()); }

    void aFileThatIsWrongIsAWrongCommandLine()
    {
        write("bad.family", "family bad\nsummary Bad.\norder\n  F q\nend\n");
        const Said wrong = said({"families", "--families", path()});
        QCOMPARE(wrong.code, ExitCode::Usage);
        QVERIFY2(wrong.err.contains("bad.family, line 4, column 5: there is no name 'q'"),
                 qPrintable(wrong.err));
        QVERIFY(QFile::remove(m_folder.filePath("bad.family")));
        const Said missing = said({"families", "--families=" + path() + "/nowhere"});
        QCOMPARE(missing.code, ExitCode::Usage);
        QVERIFY2(missing.err.contains("nowhere"), qPrintable(missing.err));
    }

    void aParameterIsNoOptionOfTheProgram()
    {
        write("bad.family", "family bad\nsummary Bad.\nparameter json flag: x\norder\nF 0\nend\n");
        const Said wrong = said({"simulate", "1f1b", "--families", path()});
        QCOMPARE(wrong.code, ExitCode::Usage);
        QVERIFY2(wrong.err.contains("--json is an option of the program"), qPrintable(wrong.err));
        QVERIFY(QFile::remove(m_folder.filePath("bad.family")));
    }

    /// In lists, as words, with options, as blocks, and in completion.
    void theyAreFamiliesInEveryCommand()
    {
        const Said listed = said({"families", "--families", samples});
        QVERIFY(listed.out.contains("v-rally"));
        const Said made = said({"simulate", "v-rally", "--volley", "2", "--families", samples,
                                "--micro-batches", "6"});
        QCOMPARE(made.err, QString());
        QVERIFY(made.out.contains("V-Rally"));
        const Said refused = said({"simulate", "1f1b", "--volley", "2", "--families", samples});
        QVERIFY2(refused.err.contains("1f1b takes no --volley"), qPrintable(refused.err));
        const Said block = said({"block", "file-zb-h1", "--families", samples});
        QVERIFY(block.out.contains("building block of 4 devices"));
        const Said completed = said({"completion", "bash", "--families", samples});
        QVERIFY(completed.out.contains("v-rally") && completed.out.contains("--volley"));
        QVERIFY(said({"whatif", PW_SOURCE_DIR "/samples/zb-v.pipewright.json", "--family",
                      "v-rally", "--families", samples})
                    .out.contains("v-rally"));
    }

    void aProjectKeepsTheFamily()
    {
        const std::string project = path() + "/own.pipewright.json";
        QCOMPARE(said({"convert", "file-kfkb", project, "--group", "3", "--families", samples}).err,
                 QString());
        QFile file(QString::fromStdString(project));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("\"id\": \"file-kfkb\""));
        const QString own =
            said({"convert", project, "-", "--to", "text", "--families", samples}).out;
        const QString known = said({"convert", "kfkb", "-", "--to", "text", "--group", "3"}).out;
        QCOMPARE(own, known);
    }

private:
    std::string path() const { return m_folder.path().toStdString(); }
    void write(const char* name, const char* text)
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    QTemporaryDir m_folder;
};

PW_TEST(TestOwnFamilies)
#include "tst_own_families.moc"
