// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/data_files.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;

/// What earlier versions wrote is read for ever: tests/data/versions has a folder for each. A
/// folder is added with a version, and never changed.
class TestKeptVersions : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// A file of a version, unpacked, in a folder that may be written into.
    std::string put(const QString& version, const char* name, const char* as) const
    {
        const std::string kept = "versions/" + version.toStdString() + "/" + name;
        const std::string path = m_folder.filePath(QString::fromLatin1(as)).toStdString();
        QFile::remove(QString::fromStdString(path));
        if (QByteArray(name).endsWith(".sql.gz")) {
            test::makeDatabase(kept, path);
            return path;
        }
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("%s", path.c_str());
        file.write(QByteArray::fromStdString(test::testDataText(kept)));
        return path;
    }

    static QByteArray outOf(const std::vector<std::string>& words)
    {
        const test::Said said = test::ran(words);
        if (said.code != app::ExitCode::Good)
            qWarning("%s: %s", words[0].c_str(), said.err.constData());
        return said.code == app::ExitCode::Good ? said.out : QByteArray();
    }

    static void everyVersion()
    {
        QTest::addColumn<QString>("version");
        const QStringList found = QDir(QString::fromStdString(test::testData("versions")))
                                      .entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        for (const QString& version : found)
            QTest::newRow(qPrintable(version)) << version;
    }

private slots:
    void aProjectIsSimulated_data() { everyVersion(); }
    void aProjectIsSimulated()
    {
        QFETCH(QString, version);
        const std::string project = put(version, "plan.pipewright.json", "plan.pipewright.json");
        const QJsonObject told =
            QJsonDocument::fromJson(outOf({"simulate", project, "--json"})).object();
        QCOMPARE(told["devices"].toInt(), 4);
        QCOMPARE(told["micro_batches"].toInt(), 8);
        QVERIFY(outOf({"check", project}).contains("good"));
    }

    void aStoreIsListedAndWrittenInto_data() { everyVersion(); }
    void aStoreIsListedAndWrittenInto()
    {
        QFETCH(QString, version);
        const std::string store = put(version, "runs.sql.gz", "runs.sqlite");
        const QByteArray listed = outOf({"runs", "--store", store});
        QVERIFY(listed.contains("zb-h1   cpu"));
        QVERIFY(listed.contains("zb-h1   emulated"));
        QVERIFY(outOf({"show", "1", "--store", store, "--no-gantt"}).contains("ZB-H1"));
        const QByteArray losses =
            outOf({"query", "SELECT count(*) AS steps FROM loss", "--store", store, "--json"});
        QVERIFY2(losses.simplified().contains("[ 3 ]"), losses.constData());
        // A run of this version beside them leaves them as they were.
        QVERIFY(!outOf({"run", "1f1b", "--devices", "2", "--backend", "emulated", "--iterations",
                        "1", "--store", store})
                     .isEmpty());
        const QByteArray after = outOf({"runs", "--store", store});
        QVERIFY(after.contains("zb-h1   cpu") && after.contains("1f1b"));
        QVERIFY(outOf({"show", "1", "--store", store, "--no-gantt"}).contains("ZB-H1"));
    }

    void costsAreTaken_data() { everyVersion(); }
    void costsAreTaken()
    {
        QFETCH(QString, version);
        const std::string costs = put(version, "two.costs.json", "two.costs.json");
        QVERIFY(
            outOf({"simulate", "1f1b", "--devices", "2", "--costs", costs}).contains("makespan"));
    }

    void aWireAndATraceAreImported_data() { everyVersion(); }
    void aWireAndATraceAreImported()
    {
        QFETCH(QString, version);
        QVERIFY(outOf({"import", put(version, "run.wire.gz", "run.wire")}).contains("ZB-H1"));
        QVERIFY(outOf({"import", put(version, "run.trace.json.gz", "run.trace.json")})
                    .contains("ZB-H1"));
    }

    void aDigestIsMerged_data() { everyVersion(); }
    void aDigestIsMerged()
    {
        QFETCH(QString, version);
        const std::string digest = put(version, "run.digest", "run.trace.json.digest");
        const std::string store = m_folder.filePath(QStringLiteral("job.sqlite")).toStdString();
        QVERIFY(!outOf({"merge", digest, "--store", store}).isEmpty());
        QVERIFY(outOf({"runs", "--store", store}).contains("zb-h1"));
        QFile::remove(QString::fromStdString(store));
    }

    void aLessonIsChecked_data() { everyVersion(); }
    void aLessonIsChecked()
    {
        QFETCH(QString, version);
        QVERIFY(!outOf({"lesson", "show", put(version, "lesson.json", "lesson.json")}).isEmpty());
    }
};

PW_TEST(TestKeptVersions)
#include "tst_kept_versions.moc"
