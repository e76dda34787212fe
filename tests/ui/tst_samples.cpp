// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_file.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/keep/sample_words.h"
#include "ui/keep/samples.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <algorithm>

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

    /// A translation knows every word of the samples, and no others.
    void theWordsOfSamplesAreKnown()
    {
        std::vector<std::string> words;
        const QStringList names = sampleNames();
        for (const QString& name : names) {
            const Result<Project> project = readSample(name);
            QVERIFY(project);
            words.push_back(project->title);
            const QStringList paragraphs =
                QString::fromStdString(project->notes).split(QStringLiteral("\n\n"));
            for (const QString& paragraph : paragraphs)
                words.push_back(paragraph.toStdString());
        }
        const auto known = sampleSentences();
        QCOMPARE(std::vector<std::string>(known.begin(), known.end()), words);
    }

    void samplesSpeakTheLanguageOfTheWindow()
    {
        class Marking : public QTranslator
        {
        public:
            QString translate(const char* context, const char* source, const char*,
                              int) const override
            {
                return qstrcmp(context, "pw::ui::Samples") == 0
                           ? QLatin1Char('<') + QString::fromUtf8(source) + QLatin1Char('>')
                           : QString();
            }
            bool isEmpty() const override { return false; }
        };
        Marking marking;
        QCoreApplication::installTranslator(&marking);
        const Result<Project> project = readSample(QStringLiteral("01-gpipe"));
        QCoreApplication::removeTranslator(&marking);
        QVERIFY(project);
        QCOMPARE(project->title, std::string("<GPipe: fill, then drain>"));
        QVERIFY(project->notes.find(">\n\n<Try: ") != std::string::npos);
        QCOMPARE(readSample(QStringLiteral("01-gpipe"))->title,
                 std::string("GPipe: fill, then drain"));
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
