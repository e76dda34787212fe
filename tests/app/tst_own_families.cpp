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

    /// A path of a file stands wherever a family does, with its parameters as options.
    void aFileIsAFamily()
    {
        const std::string rally = std::string(samples) + "/v-rally.family";
        const std::string half = std::string(samples) + "/file-v-half.family";
        const Said compared =
            said({"compare", half, "zb-v", rally, "--volley", "2", "--devices", "4"});
        QCOMPARE(compared.err, QString());
        QVERIFY2(compared.out.contains("file-v-half") && compared.out.contains("v-rally"),
                 qPrintable(compared.out));
        QVERIFY(!compared.out.contains("Of their own shape"));
        const Said made = said({"convert", rally, "-", "--to", "text", "--volley", "2"});
        QCOMPARE(made.err, QString());
        QCOMPARE(made.out, said({"convert", "v-rally", "-", "--to", "text", "--volley", "2",
                                 "--families", samples})
                               .out);
        QVERIFY(said({"simulate", half, "--devices", "3"}).out.startsWith("V-Half, as a block"));
        QVERIFY(said({"families", half}).out.contains("file-v-half"));
        QVERIFY(said({"block", half}).out.contains("every 6 units"));
        QVERIFY(said({"check", half}).out.contains("48 shapes make a complete order"));
        QVERIFY(said({"convert", half, "--to", "torchtitan", "--layers", "16"})
                    .out.contains("TorchTitan"));
        const Said verified =
            said({"verify", half, "--devices", "2", "--micro-batches", "3", "--plain"});
        QVERIFY2(verified.out.contains("file-v-half") && verified.code == ExitCode::Good,
                 qPrintable(verified.out));
        const Said planned = said({"plan", "--model", "llama3-8b", "--hardware", "h100", "--gpus",
                                   "8", "--global-batch", "32", "--top", "1", "--family", half});
        QVERIFY2(planned.out.contains("file-v-half"), qPrintable(planned.err));
        QVERIFY(said({"whatif", PW_SOURCE_DIR "/samples/zb-v.pipewright.json",
                      "--family=" + rally + ",zb-h1"})
                    .out.contains("v-rally"));
    }

    void aFileThatIsNoFamilyIsSaid()
    {
        write("wrong.family", "family wrong\nsummary Wrong.\norder\n  F q\nend\n");
        const std::string file = path() + "/wrong.family";
        const Said wrong = said({"compare", file, "zb-v"});
        QCOMPARE(wrong.code, ExitCode::Wrong);
        QVERIFY2(wrong.err.contains("wrong.family, line 4, column 5: there is no name 'q'"),
                 qPrintable(wrong.err));
        QVERIFY(QFile::remove(m_folder.filePath("wrong.family")));
        QVERIFY(said({"simulate", file}).err.contains("wrong.family"));
        write("short.family",
              "family short\nsummary One backward is missing.\norder\nfor j in 0 .. m\nF j\n"
              "if j < m - 1\nBW j\nend\nend\nend\n");
        const Said shortOne = said({"check", path() + "/short.family"});
        QCOMPARE(shortOne.code, ExitCode::Wrong);
        QVERIFY2(shortOne.err.contains("1 device, 1 micro-batch: "), qPrintable(shortOne.err));
        QVERIFY(QFile::remove(m_folder.filePath("short.family")));
    }

    /// Where a project names its family, the shape may be another one.
    void theFamilyOfAProjectTakesAShape()
    {
        const std::string project = path() + "/shaped.pipewright.json";
        said({"convert", "kfkb", project, "--group", "3", "--devices", "3"});
        const Said other = said({"convert", project, "-", "--to", "text", "--devices", "4",
                                 "--micro-batches", "8", "--group", "2"});
        QCOMPARE(other.err, QString());
        QCOMPARE(other.out, said({"convert", "kfkb", "-", "--to", "text", "--devices", "4",
                                  "--micro-batches", "8", "--group", "2"})
                                .out);
        QCOMPARE(said({"compare", project, "zb-v", "--devices", "4"}).code, ExitCode::Good);
        const std::string order = path() + "/order.pipewright.json";
        said({"convert", "kfkb", order, "--order"});
        const Said refused = said({"simulate", order, "--devices", "4"});
        QCOMPARE(refused.code, ExitCode::Usage);
        QVERIFY2(refused.err.contains("the file decides it"), qPrintable(refused.err));
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
