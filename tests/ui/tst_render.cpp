// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

// The studio as a program without a display: --render, --help, --version.

namespace {

struct Ran
{
    int code = -1;
    QString out;
    QString err;
};

Ran ran(const QStringList& arguments, const QString& folder)
{
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
        variables.remove(QString::fromLatin1(name));
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral(PW_STUDIO), arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

QString sample(const char* name)
{
    return QStringLiteral(PW_SOURCE_DIR "/samples/") + QString::fromLatin1(name);
}

} // namespace

class TestRender : public QObject
{
    Q_OBJECT

private slots:
    void everythingThatIsReadBecomesAFigure_data()
    {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("title");
        QTest::newRow("project") << sample("zb-v.pipewright.json") << "ZB-V";
        QTest::newRow("schedule text") << sample("zb-h1.txt") << "zb-h1.txt";
        QTest::newRow("PyTorch's CSV") << sample("1f1b.csv") << "1f1b.csv";
        QTest::newRow("family") << "dualpipe"
                                << "DualPipe";
        QTest::newRow("family in a file")
            << sample("families/file-chimera.family") << "Chimera, as a file";
    }

    void everythingThatIsReadBecomesAFigure()
    {
        QFETCH(QString, input);
        QFETCH(QString, title);
        const QTemporaryDir folder;
        const Ran done = ran({"--render", input, "out.svg", "--charts"}, folder.path());
        QCOMPARE(done.err, QString());
        QCOMPARE(done.out, QString());
        QCOMPARE(done.code, 0);
        QFile figure(folder.filePath("out.svg"));
        QVERIFY(figure.open(QIODevice::ReadOnly));
        QVERIFY(figure.readAll().contains(title.toUtf8()));
    }

    void stylesAndFormatsAreTaken()
    {
        const QTemporaryDir folder;
        QByteArrayList files;
        for (const QString& style : QStringList{"paper", "light", "dark"}) {
            const Ran done = ran({"--render", "zb-h1", style + ".png", "--style", style, "--width",
                                  "84", "--dpi", "96", "--devices", "2"},
                                 folder.path());
            QCOMPARE(done.err, QString());
            QCOMPARE(done.code, 0);
            QFile figure(folder.filePath(style + ".png"));
            QVERIFY(figure.open(QIODevice::ReadOnly));
            files.append(figure.readAll());
            QVERIFY(!files.mid(0, files.size() - 1).contains(files.last()));
        }
    }

    void twoRunsMakeTheSameFile_data()
    {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {"svg", "pdf", "png"})
            QTest::newRow(ending) << QString(ending);
    }

    void twoRunsMakeTheSameFile()
    {
        QFETCH(QString, ending);
        const QTemporaryDir folder;
        QByteArrayList files;
        for (const QString& name : QStringList{"one.", "two."}) {
            QCOMPARE(ran({"--render", "zb-h1", name + ending, "--charts"}, folder.path()).code, 0);
            QFile figure(folder.filePath(name + ending));
            QVERIFY(figure.open(QIODevice::ReadOnly));
            files.append(figure.readAll());
        }
        QCOMPARE(files[0], files[1]);
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("no output") << QStringList{"--render", "zb-v"} << 2 << "IN and OUT";
        QTest::newRow("unknown format")
            << QStringList{"--render", "zb-v", "out.gif"} << 2 << ".svg, .pdf or .png";
        QTest::newRow("unknown style")
            << QStringList{"--render", "zb-v", "o.svg", "--style", "neon"} << 2 << "neon";
        QTest::newRow("width that is not a number")
            << QStringList{"--render", "zb-v", "o.svg", "--width", "wide"} << 2 << "wide";
        QTest::newRow("width out of range")
            << QStringList{"--render", "zb-v", "o.svg", "--width", "3"} << 2 << "from 40 to 2000";
        QTest::newRow("unknown option")
            << QStringList{"--render", "zb-v", "o.svg", "--colour"} << 2 << "colour";
        QTest::newRow("unknown family") << QStringList{"--render", "zb-w", "o.svg"} << 1 << "zb-w";
        QTest::newRow("no such file")
            << QStringList{"--render", "gone.json", "o.svg"} << 1 << "gone.json";
        QTest::newRow("shape beside a file")
            << QStringList{"--render", sample("1f1b.csv"), "o.svg", "--devices", "3"} << 1
            << "the file decides";
        QTest::newRow("shape that the family refuses")
            << QStringList{"--render", "dualpipe", "o.svg", "--devices", "3"} << 1 << "dualpipe";
        QTest::newRow("shape that the family of a file refuses")
            << QStringList{"--render", sample("families/file-chimera.family"), "o.svg", "--devices",
                           "3"}
            << 1 << "devices has to be even";
        QTest::newRow("costs file")
            << QStringList{"--render", "costs.json", "o.svg"} << 1 << "holds no schedule";
        QTest::newRow("damaged project")
            << QStringList{"--render", "damaged.json", "o.svg"} << 1 << "damaged.json";
        QTest::newRow("folder that is not there")
            << QStringList{"--render", "zb-v", "no/such/o.svg"} << 1 << "no/such/o.svg";
        QTest::newRow("too many pixels")
            << QStringList{"--render", "zb-v", "o.png", "--width", "2000", "--dpi", "1200"} << 1
            << "pixels";
    }

    void whatIsWrongIsSaid()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("costs.json", "{ \"pipewright_costs\": 1 }");
        write("damaged.json", "{ \"pipewright\": 1, \"title\": ");
        const Ran done = ran(arguments, folder.path());
        QVERIFY2(done.err.contains(says), qPrintable(done.err));
        QCOMPARE(done.code, code);
        QCOMPARE(QDir(folder.path()).entryList({"o.*"}).size(), 0);
    }

    void helpAndVersionNeedNoDisplay()
    {
        const Ran help = ran({"--help"}, QDir::tempPath());
        QCOMPARE(help.code, 0);
        QCOMPARE(help.err, QString());
        QVERIFY(help.out.contains("--render"));
        const Ran version = ran({"--version"}, QDir::tempPath());
        QCOMPARE(version.code, 0);
        QVERIFY(version.out.startsWith("pipewright-studio "));
    }
};

PW_TEST(TestRender)
#include "tst_render.moc"
