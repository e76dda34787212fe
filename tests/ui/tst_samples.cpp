// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_file.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/keep/samples.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

QDir folder()
{
    return QDir(QStringLiteral(PW_SOURCE_DIR "/samples"));
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestSamples : public QObject
{
    Q_OBJECT

private slots:
    void everySampleTeachesSomethingThatRuns_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList names = sampleNames();
        QVERIFY(names.size() >= 8);
        for (const QString& name : names)
            QTest::newRow(qPrintable(name)) << name;
    }

    void everySampleTeachesSomethingThatRuns()
    {
        QFETCH(QString, name);
        const Result<Project> project = readSample(name);
        QVERIFY2(project.has_value(), project ? "" : project.error().message.c_str());
        QVERIFY(!project->title.empty());
        QVERIFY(project->notes.find("Try: ") != std::string::npos);
        QVERIFY(project->family.has_value());
        ScheduleDocument document;
        document.reset(*project);
        QVERIFY2(document.schedule() != nullptr, qPrintable(document.problem()));
        QVERIFY(document.result().makespan > 0);
        // What is part of the program lies in the folder too.
        QCOMPARE(contentOf(QStringLiteral(":/samples/%1.pipewright.json").arg(name)),
                 contentOf(folder().filePath(name + QStringLiteral(".pipewright.json"))));
    }

    void theCommandLineWritesTheSamples()
    {
        const QTemporaryDir made;
        QProcess script;
        script.start(QStringLiteral("bash"), {folder().filePath(QStringLiteral("make.sh")),
                                              QStringLiteral(PW_PROGRAM), made.path()});
        QVERIFY(script.waitForFinished(60'000));
        QVERIFY2(script.exitCode() == 0, script.readAllStandardError().constData());
        const QStringList files = QDir(made.path()).entryList(QDir::Files);
        QCOMPARE(files.size(), sampleNames().size());
        for (const QString& file : files)
            QCOMPARE(contentOf(made.filePath(file)), contentOf(folder().filePath(file)));
    }

    void everyScheduleInTheFolderOpens_data()
    {
        QTest::addColumn<QString>("path");
        const QFileInfoList files = folder().entryInfoList(QDir::Files);
        for (const QFileInfo& file : files)
            if (file.suffix() != QLatin1String("sh") && file.suffix() != QLatin1String("ipynb") &&
                file.fileName() != QLatin1String("stages.csv")) // times of stages
                QTest::newRow(qPrintable(file.fileName())) << file.absoluteFilePath();
    }

    void everyScheduleInTheFolderOpens()
    {
        QFETCH(QString, path);
        const Result<ScheduleFile> file = readScheduleFile(path.toStdString());
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->problemCount, std::int64_t{0});
    }
};

PW_TEST(TestSamples)
#include "tst_samples.moc"
