// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/manual.h"
#include "core/io/glossary.h"
#include "core/io/project_file.h"
#include "core/lesson/lesson.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"
#include "tests/support/web_page_stand_in.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::app;

namespace {

QJsonObject dataInPage(const QByteArray& html)
{
    static const QByteArray mark = "id=\"data\">";
    const qsizetype begin = html.indexOf(mark) + mark.size();
    return QJsonDocument::fromJson(html.mid(begin, html.indexOf("</script>", begin) - begin))
        .object();
}

} // namespace

/// What the program puts into pages that compute. What they do then is tested in web/tests.
class TestWebApplication : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string put(const char* name, const std::string& content) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("%s", name);
        file.write(QByteArray::fromStdString(content));
        return file.fileName().toStdString();
    }
    void usePage(const std::string& content) const
    {
        qputenv("PIPEWRIGHT_WEB_PAGE", put("frame.html", content).c_str());
    }

private slots:
    void init() { usePage(test::standInWebPage()); }
    void cleanup() { qunsetenv("PIPEWRIGHT_WEB_PAGE"); }

    void aScheduleIsThereAsAProject()
    {
        const test::Said family = test::ran({"convert", "zb-h1", "--to", "html", "--interactive"});
        QCOMPARE(family.err, QByteArray());
        const QJsonObject data = dataInPage(family.out);
        QCOMPARE(data["mode"].toString(), QStringLiteral("schedule"));
        const auto project = readProject(data["project"].toString().toStdString());
        QVERIFY(project.has_value());
        QCOMPARE(project->family->id, std::string("zb-h1"));
        QVERIFY(std::holds_alternative<UniformCosts>(project->costs));

        const std::string file = put("own.pipewright.json", *writeProject(*project));
        const QJsonObject again =
            dataInPage(test::ran({"convert", file, "--to", "html", "--interactive"}).out);
        QVERIFY(*readProject(again["project"].toString().toStdString()) == [&] {
            Project named = *project;
            named.title = again["title"].toString().toStdString();
            return named;
        }());
    }

    /// Of a run the plan, on which one works, and what was measured, on the same axis.
    void aRunIsThereWithWhatWasMeasured()
    {
        const std::string store = m_folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
        const test::Said run =
            test::ran({"run", "1f1b", "--devices", "2", "--micro-batches", "3", "--backend",
                       "emulated", "--iterations", "1", "--store", store});
        QVERIFY2(run.code == app::ExitCode::Good, run.err.constData());
        const test::Said page =
            test::ran({"convert", "last", "--to", "html", "--interactive", "--store", store});
        QCOMPARE(page.err, QByteArray());
        const QJsonObject data = dataInPage(page.out);
        const auto plan = readProject(data["project"].toString().toStdString());
        QVERIFY(plan.has_value());
        QCOMPARE(plan->draft.orders.size(), std::size_t(2));
        const QJsonObject measured = data["measured"].toObject();
        QVERIFY(measured["title"].toString().startsWith(QStringLiteral("Measured")));
        QVERIFY(measured["makespan"].toInteger() > 0);
        constexpr qsizetype numbersOfEntry = 8;
        const QJsonArray lanes = measured["lanes"].toArray();
        QCOMPARE(lanes.size(), 2);
        for (const QJsonValue lane : lanes)
            QCOMPARE(lane.toArray().size(), numbersOfEntry * 6);
    }

    /// What was computed before is told without the core.
    void adviceAndJobsAreThereWithTheirLanes()
    {
        const std::string store = m_folder.filePath(QStringLiteral("job.sqlite")).toStdString();
        const test::Said run = test::ran({"run", "1f1b", "--devices", "2", "--micro-batches", "4",
                                          "--replicas", "3", "--slow", "1.1*2", "--backend",
                                          "emulated", "--iterations", "4", "--store", store});
        QVERIFY2(run.code == app::ExitCode::Good, run.err.constData());
        const test::Said page = test::ran({"convert", "last", "--to", "html", "--interactive",
                                           "--page", "job", "--store", store});
        QCOMPARE(page.err, QByteArray());
        QVERIFY(!page.out.contains("core<") && !page.out.contains("wasm"));
        QVERIFY(page.out.contains("told"));
        const QJsonObject job = dataInPage(page.out);
        QCOMPARE(job["mode"].toString(), QStringLiteral("job"));
        QCOMPARE(job["replicas"].toInt(), 3);
        QCOMPARE(job["workers"].toArray().size(), 6);
        QCOMPARE(job["causes"].toArray()[0].toObject()["kind"].toString(),
                 QStringLiteral("slow_worker"));
        const QJsonArray shown = job["shown"].toArray();
        QCOMPARE(shown.size(), job["steps"].toArray().size() / 3);
        constexpr qsizetype entries = 2 * 4 * 2;
        for (const QJsonValue one : shown[0].toObject()["replicas"].toArray())
            QCOMPARE(one.toArray().size(), 1 + 2 * entries);

        const QJsonObject advice =
            dataInPage(test::ran({"convert", "last", "--to", "html", "--interactive", "--page",
                                  "advice", "--store", store})
                           .out);
        QCOMPARE(advice["mode"].toString(), QStringLiteral("advice"));
        QVERIFY(!advice["now"].toObject()["lanes"].toArray().isEmpty());
        const QJsonObject first = advice["changes"].toArray()[0].toObject();
        QVERIFY(first["gain"].toDouble() > 0);
        QVERIFY(first["lanes"].toObject()["makespan"].toInteger() > 0);
        const test::Said still =
            test::ran({"convert", "last", "--to", "html", "--page", "job", "--store", store});
        QVERIFY(still.err.contains("--page job is for web pages with --interactive"));
        const test::Said trace =
            test::ran({"convert", "1f1b", "--to", "html", "--interactive", "--page", "advice"});
        QVERIFY(trace.err.contains("pipewright advise TRACE --html FILE"));
    }

    /// Every word of the manual's glossary, with the same names for people of either language.
    void aCourseExplainsItsWords()
    {
        const std::string english(findManualPage("glossary")->text);
        QVERIFY(!translatedGlossaries().empty());
        const auto all = glossaryOf(english);
        QVERIFY(all.size() >= 70);
        for (const ManualPage& page : translatedGlossaries()) {
            const auto translated = glossaryOf(page.text);
            for (const GlossaryEntry& one : all)
                QVERIFY2(
                    std::any_of(translated.begin(), translated.end(),
                                [&](const GlossaryEntry& other) { return other.word == one.word; }),
                    one.word.c_str());
            QCOMPARE(translated.size(), all.size());
        }
        const QJsonObject words =
            dataInPage(test::ran({"lesson", "export", "05-1f1b"}).out)["glossary"].toObject();
        QCOMPARE(words["en"].toArray().size(), qsizetype(2 * (all.size() - 1))); // but for "step"
        QCOMPARE(words["de"].toArray().size(), words["en"].toArray().size());
        const QJsonObject one =
            dataInPage(test::ran({"lesson", "export", "05-1f1b", "--language", "de"}).out);
        QCOMPARE(one["glossary"].toObject().keys(), QStringList{QStringLiteral("de")});
        const std::vector<GlossaryEntry> made = glossaryOf(
            "# x\n\n- **a, b** (c): d `e`\n  **f** [g](h) *i*\n- none\n  more\n- **j**: k");
        QCOMPARE(made.size(), std::size_t(2));
        QVERIFY((made[0] == GlossaryEntry{"c", "a, b", "d e f g i"}));
        QVERIFY((made[1] == GlossaryEntry{"j", "j", "k"}));
    }

    void aPageToLookAtStaysAsItWas()
    {
        const test::Said page = test::ran({"convert", "zb-h1", "--to", "html"});
        QVERIFY(!page.out.contains("wasm"));
        QVERIFY(page.out.size() < 64'000);
    }

    void lessonsAreThereAsTheirFiles()
    {
        const test::Said page =
            test::ran({"lesson", "export", "05-1f1b", "11-v-shapes", "--to", "html"});
        QCOMPARE(page.err, QByteArray());
        const QJsonObject data = dataInPage(page.out);
        QCOMPARE(data["mode"].toString(), QStringLiteral("course"));
        QCOMPARE(data["languages"].toArray(), QJsonArray({"en", "de"}));
        const QJsonArray lessons = data["lessons"].toArray();
        QCOMPARE(lessons.size(), 2);
        QCOMPARE(lessons[1].toObject()["id"].toString(), QStringLiteral("11-v-shapes"));
        for (const ShippedLesson& shipped : shippedLessons())
            if (shipped.id == "05-1f1b")
                QCOMPARE(lessons[0].toObject()["text"].toString().toStdString(),
                         std::string(shipped.text));
    }

    void theCourseIsAllLessonsInOneLanguageWhereOneIsAsked()
    {
        const test::Said page = test::ran({"lesson", "export", "--course", "--language", "de"});
        const QJsonObject data = dataInPage(page.out);
        QCOMPARE(data["lessons"].toArray().size(), qsizetype(shippedLessons().size()));
        QCOMPARE(data["languages"].toArray(), QJsonArray({"de"}));
    }

    void nothingInItEndsItsElement()
    {
        const QJsonObject plain =
            dataInPage(test::ran({"convert", "1f1b", "--to", "html", "--interactive"}).out);
        Project project = *readProject(plain["project"].toString().toStdString());
        project.title = "</script><img src=x>";
        const std::string file = put("evil.pipewright.json", *writeProject(project));
        const test::Said page = test::ran({"convert", file, "--to", "html", "--interactive"});
        QCOMPARE(page.out.count("</script>"), 1);
        QVERIFY(!page.out.contains("<img"));
        QCOMPARE(dataInPage(page.out)["title"].toString().toStdString(), project.title);
    }

    void whatIsMissingIsNamed_data()
    {
        QTest::addColumn<QString>("frame"); // empty: no file
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        const QString good = QString::fromStdString(test::standInWebPage());
        const QStringList interactive{"convert", "1f1b", "--to", "html", "--interactive"};
        QTest::newRow("no page") << QString() << interactive << 1 << "emscripten";
        QTest::newRow("no page for lessons")
            << QString() << QStringList{"lesson", "export", "--course"} << 1
            << "cmake --preset web";
        QTest::newRow("of the same version, with one script")
            << QString::fromStdString(test::standInWebPage())
                   .remove(QStringLiteral("<!-- tells -->"))
            << interactive << 1 << "of another version";
        QTest::newRow("another version") << QString::fromStdString(test::standInWebPage("0.0.1"))
                                         << interactive << 1 << "of another version";
        QTest::newRow("no lesson") << good << QStringList{"lesson", "export"} << 2 << "--course";
        QTest::newRow("an unknown lesson")
            << good << QStringList{"lesson", "export", "05-1f1c"} << 1 << "05-1f1b";
        QTest::newRow("an unknown language")
            << good << QStringList{"lesson", "export", "05-1f1b", "--language", "fr"} << 2 << "fr";
        QTest::newRow("another format")
            << good << QStringList{"convert", "1f1b", "--to", "pdf", "--interactive"} << 2
            << "--interactive is for web pages";
        QTest::newRow("a lesson by the other command")
            << good << QStringList{"convert", "05-1f1b", "--to", "html"} << 2
            << "pipewright lesson export 05-1f1b";
    }
    void whatIsMissingIsNamed()
    {
        QFETCH(QString, frame);
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, said);
        if (frame.isEmpty())
            qputenv("PIPEWRIGHT_WEB_PAGE", m_folder.filePath("none.html").toUtf8());
        else
            usePage(frame.toStdString());
        std::vector<std::string> all;
        for (const QString& word : words)
            all.push_back(word.toStdString());
        const test::Said told = test::ran(all);
        QCOMPARE(static_cast<int>(told.code), code);
        QVERIFY2(told.err.contains(said.toUtf8()), told.err.constData());
        QCOMPARE(told.out, QByteArray());
    }
};

PW_TEST(TestWebApplication)
#include "tst_web_application.moc"
