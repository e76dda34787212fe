// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/digest/digest.h"
#include "core/reading/digest/digest_request.h"
#include "core/reading/digest/rank_slices.h"
#include "core/reading/import_trace.h"
#include "core/store/slice_store.h"
#include "core/trace/reading_rules.h"
#include "core/trace/rules_file.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/kineto_job.h"
#include "tests/support/places.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <utility>

using namespace pw;
using namespace pw::app;

/// Slices of one rank, from its trace, of a job that was put together from digests.
class TestRankSlices : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_traces, m_digests;
    std::string m_store; // another for each test
    int m_stores = 0;
    std::vector<std::string> m_paths;

    static QJsonObject jsonOf(const test::Said& said)
    {
        if (said.code != ExitCode::Good)
            qWarning("%s", said.err.constData());
        return QJsonDocument::fromJson(said.out).object();
    }

    test::Said slices(const std::vector<std::string>& more) const
    {
        std::vector<std::string> words = {"show", "last", "--store", m_store};
        words.insert(words.end(), more.begin(), more.end());
        return test::ran(words);
    }

    static int kernelsOf(const QJsonObject& shown)
    {
        int kernels = 0;
        for (const QJsonValue lane : shown["lanes"].toArray())
            for (const QJsonValue slice : lane.toObject()["slices"].toArray())
                kernels += slice.toObject()["kind"].toString() == "compute" ? 1 : 0;
        return kernels;
    }

private slots:
    void init()
    {
        test::MadeJob job;
        job.stages = 2;
        job.replicas = 2;
        job.microBatches = 4;
        job.steps = 3;
        m_paths = test::writeKinetoJob(m_traces.path().toStdString(), job, 3).paths;
        const QString name = QStringLiteral("job%1.sqlite").arg(++m_stores);
        m_store = m_digests.filePath(name).toStdString();
        const std::string to = m_digests.filePath(QStringLiteral("digests")).toStdString();
        QVERIFY(test::ran({"reduce", m_traces.path().toStdString(), "--output", to}).code ==
                ExitCode::Good);
        const test::Said merged = test::ran({"merge", to, "--store", m_store});
        QVERIFY2(merged.code == ExitCode::Good, merged.err.constData());
    }

    /// The store has no kernel; the rank's file has all of them.
    void kernelsComeFromTheFile()
    {
        const QJsonObject all = jsonOf(slices({"--rank", "2", "--json"}));
        QCOMPARE(all["rank"].toInt(), 2);
        QCOMPARE(all["file"].toString(), QString::fromStdString(m_paths[2]));
        QCOMPARE(kernelsOf(all), 3 * 2 * 4 * 3); // kernels, F and B, micro-batches, steps
        const QJsonObject one = jsonOf(slices({"--rank", "2", "--iteration", "1", "--json"}));
        QCOMPARE(kernelsOf(one), 3 * 2 * 4);
        const test::Said lanes = slices({"--rank", "2", "--iteration", "1"});
        QVERIFY2(lanes.out.contains("rank 2, iteration 1"), lanes.out.constData());
    }

    /// The same over a connection, which is a command line.
    void theSameOverAConnection()
    {
        const std::string here = PW_PROGRAM;
        const QJsonObject near = jsonOf(slices({"--rank", "1", "--json"}));
        const QJsonObject far = jsonOf(slices({"--rank", "1", "--json", "--via", here}));
        QVERIFY(!near.isEmpty());
        QCOMPARE(far, near);
    }

    /// Rules are given for what is fetched, and go over a connection.
    void rulesAreTaken()
    {
        const std::string rule = "other=*";
        const QJsonObject plain = jsonOf(slices({"--rank", "1", "--json"}));
        const QJsonObject near = jsonOf(slices({"--rank", "1", "--json", "--kernel", rule}));
        QVERIFY(kernelsOf(plain) > 0);
        QCOMPARE(kernelsOf(near), 0);
        QCOMPARE(jsonOf(slices({"--rank", "1", "--json", "--kernel", rule, "--via", PW_PROGRAM})),
                 near);
        const test::Said wrong = slices({"--rank", "1", "--kernel", "none"});
        QVERIFY(wrong.code == ExitCode::Usage);
        QVERIFY(slices({"--kernel", rule}).err.contains("--rank N"));
    }

    /// Digests say the rules that they were made with, and slices are read by them: by the program,
    /// by whoever reads the store, and over a connection.
    void rulesTravelWithDigests()
    {
        const std::string kernels = "other=*", names = m_digests.filePath("r").toStdString();
        QVERIFY(keepNameRules(names, {NameRule::parse("{kind:step=F} of {micro-batch}").value()}));
        const std::string to = m_digests.filePath("ruled").toStdString();
        const auto reduced = [&](const std::vector<std::string>& more) {
            std::vector<std::string> words = {"reduce", m_traces.path().toStdString(), "--output",
                                              to};
            words.insert(words.end(), more.begin(), more.end());
            return test::ran(words);
        };
        const std::string store = m_digests.filePath("ruled.sqlite").toStdString();
        const std::vector<std::string> with = {"--kernel", kernels, "--rules", names};
        QVERIFY(reduced({}).code == ExitCode::Good);
        const test::Said anew = reduced(with);
        QVERIFY2(anew.code == ExitCode::Good && !anew.out.contains("were there"),
                 anew.out.constData() + anew.err);
        QVERIFY(reduced(with).out.contains("4 were there"));
        const test::Said merged = test::ran({"merge", to, "--store", store});
        QVERIFY2(merged.code == ExitCode::Good, merged.err.constData());
        const Result<std::vector<KeptRankFile>> files = rankFiles(store, 1, -1);
        QVERIFY2(files, files ? "" : files.error().message.c_str());
        QCOMPARE(files->size(), std::size_t(4));
        for (const KeptRankFile& file : *files) {
            QCOMPARE(file.readBy.kernels.size(), std::size_t(1));
            QCOMPARE(file.readBy.kernels.front().text(), kernels);
            QCOMPARE(file.readBy.names.size(), std::size_t(1));
            QCOMPARE(file.readBy.names.front().pattern(),
                     std::string("{kind:step=F} of {micro-batch}"));
        }
        m_store = store;
        const QJsonObject ruled = jsonOf(slices({"--rank", "1", "--json"}));
        QVERIFY(!ruled.isEmpty());
        QCOMPARE(kernelsOf(ruled), 0);
        QCOMPARE(jsonOf(slices({"--rank", "1", "--json", "--via", PW_PROGRAM})), ruled);
        // What is asked for takes its place.
        QVERIFY(kernelsOf(jsonOf(slices({"--rank", "1", "--json", "--kernel", "memory=none"}))) >
                0);
    }

    /// The text of rules is theirs, and nothing else is.
    void textOfRules()
    {
        QCOMPARE(readingRulesText({}), std::string());
        QVERIFY(readingRulesOf("")->empty());
        ReadingRules rules;
        rules.names.push_back(NameRule::parse("{kind} \"mb\"{micro-batch}").value());
        const Result<ReadingRules> again = readingRulesOf(readingRulesText(rules));
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QVERIFY(again->names == rules.names && again->kernels.empty());
        for (const char* bad :
             {"[]", "{}", R"({"rules":["{kid}"],"kernels":[]})", R"({"rules":[],"kernels":["x"]})",
              R"({"rules":[],"kernels":[],"more":1})", "rules"})
            QVERIFY2(!readingRulesOf(bad), bad);
    }

    /// A request says its rules, and one without any is as it was before.
    void requestsHaveRules()
    {
        SliceRequest asked{"a", "0", 1, -1, 2};
        QVERIFY(sliceRequestText(asked).find("rules") == std::string::npos);
        asked.reading.names.push_back(NameRule::parse("{kind} mb{micro-batch}").value());
        asked.reading.kernels.push_back(KernelRule::parse("memory=*a=b*").value());
        const Result<SliceRequest> read = sliceRequestOf(sliceRequestText(asked));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(read->reading.names == asked.reading.names &&
                read->reading.kernels == asked.reading.kernels);
        QVERIFY(!sliceRequestOf(
            R"({"file":"a","content":"0","rank":0,"replica":-1,"rules":["{kid}"]})"));
        QVERIFY(
            !sliceRequestOf(R"({"file":"a","content":"0","rank":0,"replica":-1,"kernels":["x"]})"));
    }

    /// So does one for a digest, which is made by them.
    void digestsAreMadeByRules()
    {
        DigestRequest asked{"a b", {}};
        QCOMPARE(digestRequestText(asked), std::string("{\"digest_of\": \"a b\"}\n"));
        asked.reading.names.push_back(NameRule::parse("{kind:step=F} of {micro-batch}").value());
        asked.reading.kernels.push_back(KernelRule::parse("memory=*gemm*").value());
        const auto read = digestRequestOf(digestRequestText(asked));
        QVERIFY(read && *read);
        QCOMPARE((*read)->file, asked.file);
        QVERIFY((*read)->reading.names == asked.reading.names &&
                (*read)->reading.kernels == asked.reading.kernels);
        QVERIFY(!digestRequestOf(R"({"digest_of":"a","rules":["{kid}"]})"));
        QVERIFY(!digestRequestOf(R"({"digest_of":"a","more":1})"));
        QVERIFY(digestRequestOf(R"({"file":"a"})") && !*digestRequestOf(R"({"file":"a"})"));

        const std::string path = m_digests.filePath("foreign.json").toStdString();
        test::writeTrace(path, R"([{"ph":"X","name":"step of 3","pid":1,"tid":1,"ts":1,"dur":5},
            {"ph":"X","cat":"kernel","name":"gemm_tn","pid":0,"tid":7,"ts":2,"dur":3}])");
        asked.file = path;
        const auto passes = [&](const DigestRequest& request) {
            QProcess program;
            program.start(QStringLiteral(PW_PROGRAM), {QStringLiteral("slices")});
            program.write(QByteArray::fromStdString(digestRequestText(request)));
            program.closeWriteChannel();
            program.waitForFinished();
            const auto digest = digestOfAnswer(program.readAllStandardOutput().toStdString());
            if (!digest)
                qFatal("%s", program.readAllStandardError().constData());
            const std::string place = path + ".digest";
            test::writeTrace(place, *digest);
            const Result<Trace> trace = importTrace({place});
            const auto source = sourceOfDigest(place);
            if (!trace || !source)
                qFatal("the digest is not read");
            return std::pair(source->readBy,
                             std::count_if(trace->labels.begin(), trace->labels.end(),
                                           [](const SpanLabel& label) {
                                               return label.role == SpanRole::Pass &&
                                                      label.microBatch == 3;
                                           }));
        };
        QCOMPARE(passes({path, {}}), (std::pair(std::string(), std::ptrdiff_t{0})));
        QCOMPARE(passes(asked), (std::pair(readingRulesText(asked.reading), std::ptrdiff_t{1})));
    }

    /// Fetched slices are kept as a run, which questions are put to.
    void whatWasFetchedIsKept()
    {
        const test::Said kept = slices({"--rank", "1", "--iteration", "1", "--keep"});
        QVERIFY2(kept.out.contains("kept as run 2"), kept.out.constData() + kept.err);
        const test::Said asked = test::ran({"query",
                                            "SELECT count(*) FROM kernels WHERE run = 2 AND kind "
                                            "= 'compute'",
                                            "--csv", "--store", m_store});
        QVERIFY2(asked.out.endsWith("\n24\n"), asked.out.constData());
    }

    void whatIsWrongIsSaid()
    {
        const auto says = [&](const std::vector<std::string>& words, const char* what) {
            const test::Said said = slices(words);
            const QByteArray err = said.err.simplified();
            if (said.code == ExitCode::Good || !err.contains(what))
                qWarning("%s", err.constData());
            return said.code != ExitCode::Good && err.contains(what);
        };
        QVERIFY(says({"--rank", "77"}, "run 1 has no digest of rank 77"));
        QVERIFY(says({"--rank", "1", "--iteration", "9"}, "of iteration 9"));
        QVERIFY(says({"--rank", "1", "--via", "/nowhere/pipewright"}, "cannot be started"));
        QVERIFY(says({"--rank", "1", "--via", "false"}, "has no slices of rank 1"));
        QVERIFY(says({"--via", "x"}, "--rank N"));
        QFile changed(QString::fromStdString(m_paths[1]));
        QVERIFY(changed.open(QIODevice::Append));
        changed.write("\n");
        changed.close();
        QVERIFY(says({"--rank", "1"}, "has changed since its digest was made"));
        QVERIFY(
            says({"--rank", "1", "--via", PW_PROGRAM}, "has changed since its digest was made"));
        QVERIFY(QFile::remove(QString::fromStdString(m_paths[3])));
        QVERIFY(says({"--rank", "3"}, "is not on this machine"));
        QVERIFY(says({"--rank", "3", "--via", PW_PROGRAM}, "was moved or deleted"));
    }

    /// A request of another program is refused, field by field.
    void badRequests_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"", "[]", "{}", R"({"file":"a","content":"0","rank":-2,"replica":-1})",
              R"({"file":"a","content":"0","rank":0,"replica":-1,"more":1})", "{\"file\":"})
            QTest::newRow(line) << line;
    }
    void badRequests()
    {
        QFETCH(const QString, line);
        QVERIFY(!sliceRequestOf(line.toStdString()));
    }

    /// What is cut off on its way is not taken for all of it.
    void partsAreRefused()
    {
        Result<Trace> trace = rankSlices(
            {m_paths[0], rankFiles(m_store, 1, 0).value().front().content, 0, -1, std::nullopt});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const Result<std::string> text = sliceText(std::move(*trace), "a");
        QVERIFY(text);
        QVERIFY(traceOfSliceText("Welcome to node 7!\n" + *text + "\n"));
        for (const std::size_t length :
             {std::size_t{0}, std::size_t{9}, text->size() / 2, text->size() - 1})
            QVERIFY(!traceOfSliceText(std::string_view(*text).substr(0, length)));
        std::string damaged = *text;
        damaged[damaged.size() / 2] = 'x';
        QVERIFY(!traceOfSliceText(damaged));
    }
};

PW_TEST(TestRankSlices)
#include "tst_rank_slices.moc"
