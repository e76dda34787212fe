// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/io/schedule_text.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>

using namespace pw;

namespace {

Project ownSchedule()
{
    Project project;
    project.title = "Pläne \"A\"\\";
    project.notes = "first line\n\tsecond line";
    const auto draft = readScheduleText("placement: v\nd0: F0 F0.1 B0.1 W0.1 B0 W0\n"
                                        "d1: F0 F0.1 (F1+B0.1) B0\n");
    if (!draft)
        qFatal("%s", draft.error().message.c_str());
    project.draft = *draft;
    UniformCosts costs;
    costs.forward = 1'234'567;
    costs.pair = 3;
    costs.keptForWeight = 0.1;
    costs.stash = 1.0 / 3;
    costs.memoryCap = 80LL << 30;
    project.costs = costs;
    return project;
}

Project withTables()
{
    Project project = ownSchedule();
    UniformCosts uniform;
    uniform.activation = 1'000'003;
    uniform.pair = 7;
    Costs costs = expand(uniform, project.draft.spec);
    costs.link = {25, 1.0 / 3 * 1e9};
    costs.links.assign(4, Link{1, 0.1});
    costs.linkTrace = {{0, 1}, {5'000, 2.7182818284590452}};
    costs.single = {{{PassKind::F, 0, StageId(1), 0, 0}, 99}};
    costs.weights = {1, 2, 3, 4};
    costs.memoryCap = {80LL << 30, 80LL << 30};
    project.costs = costs;
    BuildingBlock block;
    block.title = "Both ways";
    block.devices = 2;
    block.routes = {Placement::linear(2), Placement::reversed(2)};
    block.microBatches = 2;
    block.routeOfMicroBatch = {0, 1};
    block.interval = 12;
    block.passes = {{{PassKind::F, 1, StageId(1), 1, 0}, -4, 2},
                    {{PassKind::BW, 0, StageId(0), 0, 0}, 9, 3}};
    project.blocks = {block};
    return project;
}

Project ofFamily()
{
    Project project;
    FamilyChoice choice;
    choice.id = "gpipe";
    choice.options.devices = 3;
    choice.options.microBatches = 5;
    choice.options.parameters = {{"recompute", 1}};
    const auto family = findFamily(choice.id);
    if (!family)
        qFatal("no family gpipe");
    project.draft.spec = *specOf(**family, choice.options);
    project.family = choice;
    return project;
}

Project ofModel()
{
    Project project = withTables();
    CostOrigin origin;
    origin.model = *findModel("gpt-22b");
    origin.model.dense.recompute = RecomputePolicy::Selective;
    origin.model.dense.flashAttention = true;
    origin.model.headSize = 96;
    origin.model.experts = {8, 2, 1, 1024, 2};
    origin.hardware = "h100";
    origin.split = "ends";
    origin.recomputeIn = RecomputeIn::Passes;
    project.origin = origin;
    return project;
}

} // namespace

class TestProjectFile : public QObject
{
    Q_OBJECT

private slots:
    void aProjectComesBackEqual_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("schedule of its own") << 0;
        QTest::newRow("tables and blocks") << 1;
        QTest::newRow("family") << 2;
        QTest::newRow("tables of a model") << 3;
    }

    void aProjectComesBackEqual()
    {
        QFETCH(int, which);
        const std::array projects = {ownSchedule(), withTables(), ofFamily(), ofModel()};
        const Project& project = projects[static_cast<std::size_t>(which)];
        const auto text = writeProject(project);
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        const auto read = readProject(*text);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(*read == project);
        QCOMPARE(QString::fromStdString(*writeProject(*read)), QString::fromStdString(*text));
    }

    void aFamilyMakesTheSchedule()
    {
        const Project project = ofFamily();
        const auto schedule = scheduleOf(project);
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        QVERIFY(schedule->spec() == project.draft.spec);
        QVERIFY(schedule->anyRecompute());
    }

    void randomDoublesKeepEveryBit()
    {
        constexpr unsigned seed = 77;
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> exponent(-300, 290);
        Project project = withTables();
        auto& costs = std::get<Costs>(project.costs);
        for (int round = 0; round < 500; ++round) {
            costs.link.bytesPerSecond =
                std::pow(10.0, exponent(random)) * static_cast<double>(random() >> 11);
            const auto text = writeProject(project);
            QVERIFY2(text && *readProject(*text) == project,
                     qPrintable(QString("seed %1, round %2").arg(seed).arg(round)));
        }
    }

    void everyMistakeNamesItsField_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QByteArray>("to"); // bytes: one row holds what is not UTF-8
        QTest::addColumn<QString>("expected");
        auto row = [](const char* what, const char* from, const char* to, const char* expected) {
            QTest::newRow(what) << from << QByteArray(to) << expected;
        };
        row("no JSON", "{", "", "line 2, column ");
        row("cut off", "\"costs\"", "", "line ");
        row("another version", "\"pipewright\": 1", "\"pipewright\": 2",
            "the project is of version 2; this program reads version 1");
        row("no project", "\"pipewright\"", "\"other\"", "the field pipewright is missing");
        row("unknown field", "\"title\"", "\"titel\"", "titel is unknown");
        row("unknown inner field", "\"hop_ns\"", "\"hop\"", "costs.uniform.hop_ns is missing");
        row("extra inner field", "\"hop_ns\"", "\"hop\": 1, \"hop_ns\"",
            "costs.uniform.hop is unknown");
        row("doubled field", "\"steps\": 1", "\"steps\": 1, \"steps\": 1",
            "spec.steps appears twice");
        row("text for a number", "\"steps\": 1", "\"steps\": \"1\"",
            "spec.steps is not a whole number");
        row("fraction for a number", "\"steps\": 1", "\"steps\": 1.5",
            "spec.steps is not a whole number");
        row("below the least", "\"steps\": 1", "\"steps\": 0", "spec.steps is 0; it can be 1 to");
        row("strange placement", "\"v\"", "\"w\"",
            "spec.placement is impossible: 'w' is not a placement");
        row("two spec routes missing", "[\"v\"]", "[]", "spec: a pipeline has one route or two");
        row("rule", "\"flush\"", "\"never\"", "spec.update_rule is 'never', which is none");
        row("lines", "\"F0 F0.1 B0.1 W0.1 B0 W0\",", "", "schedule has 1 lines for 2 devices");
        row("malformed pass", "F0 F0.1 B0.1", "F0 Q0.1 B0.1",
            "schedule[0], byte 4: 'Q0.1': no pass starts like this");
        row("negative time", "1234567", "-1", "costs.uniform.forward_ns is -1; it can be 0 to");
        row("part above 1", "\"kept_for_weight\": 0.1", "\"kept_for_weight\": 1.1",
            "costs.uniform.kept_for_weight is 1.1; it can be 0 to 1");
        row("huge shape", "\"micro_batches\": 2", "\"micro_batches\": 2000000000", "spec: ");
        row("huge device count", "\"devices\": 2", "\"devices\": 2000000000",
            "spec.devices is 2000000000");
        row("deep brackets", "\"notes\": ",
            "\"deep\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
            "brackets nest deeper than 64");
        row("no UTF-8", "second", "\xC3\x28", "line ");
    }

    void everyMistakeInAnOriginNamesItsField_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* what, const char* from, const char* to,
                            const char* expected) {
            QTest::newRow(what) << QString::fromUtf8(from) << QString::fromUtf8(to)
                                << QString::fromUtf8(expected);
        };
        row("machine", "\"h100\"", "\"abacus\"", "costs.origin.hardware is none: ");
        row("place of recomputation", "\"passes\"", "\"never\"",
            "costs.origin.recompute_in is 'never', which is none");
        row("policy", "\"selective\"", "\"some\"", "costs.origin.model.recompute is 'some'");
        row("count", "\"heads\": 64", "\"heads\": 0", "costs.origin.model: ");
        row("unknown field", "\"heads\"", "\"head\"", "costs.origin.model.head is unknown");
    }

    void everyMistakeInAnOriginNamesItsField()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, expected);
        const QString good = QString::fromStdString(*writeProject(ofModel()));
        QVERIFY(good.contains(from));
        const auto read = readProject(QString(good).replace(from, to).toStdString());
        QVERIFY(!read);
        const QString said = QString::fromStdString(read.error().message);
        QVERIFY2(said.contains(expected), qPrintable(said));
    }

    void everyMistakeNamesItsField()
    {
        QFETCH(QString, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, expected);
        std::string text = *writeProject(ownSchedule());
        const std::string what = from.toStdString();
        const std::size_t at = text.find(what);
        QVERIFY(at != std::string::npos);
        text.replace(at, what.size(), to.toStdString());
        const auto read = readProject(text);
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).contains(expected),
                 read.error().message.c_str());
    }

    void mistakesInAFamilyAreNamed()
    {
        const std::string text = *writeProject(ofFamily());
        auto changed = [&](const std::string& from, const std::string& to) {
            std::string other = text;
            other.replace(other.find(from), from.size(), to);
            const auto read = readProject(other);
            return read ? QString() : QString::fromStdString(read.error().message);
        };
        QVERIFY(changed("\"gpipe\"", "\"gpope\"").contains("gpope"));
        const std::string written = "\"recompute\": true";
        QVERIFY(changed(written, "\"recompute\": 7").contains("recompute"));
        QVERIFY(changed(written, "\"recompute\": \"x\"")
                    .contains("family.options.recompute is not a number"));
        QVERIFY(changed(written, "\"recompute\": 1, \"recompute\": 1")
                    .contains("family.options.recompute appears twice"));
    }

    void flagsAndChoicesAreWordsAndAreReadAsNumbersToo()
    {
        Project project;
        FamilyChoice choice;
        choice.id = "zb-v";
        choice.options.parameters = {{"order", 1}, {"memory-limit", 4}, {"aim", 0}};
        project.draft.spec = *specOf(**findFamily(choice.id), choice.options);
        project.family = choice;
        std::string text = *writeProject(project);
        const std::string words = R"({"order": "fixed", "memory-limit": 4, "aim": "span"})";
        QVERIFY2(text.find(words) != std::string::npos, text.c_str());
        const auto read = readProject(text);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(read->family->options == choice.options);
        const std::string numbers = R"({"order": 1, "memory-limit": 4, "aim": 0})";
        text.replace(text.find(words), words.size(), numbers);
        QVERIFY(readProject(text)->family->options == choice.options);
        text.replace(text.find(numbers), numbers.size(), R"({"order": "best ever"})");
        QVERIFY(readProject(text).error().message.english().find("best, fixed or greedy") !=
                std::string::npos);

        const std::string flag = *writeProject(ofFamily());
        std::string old = flag;
        old.replace(old.find("true", old.find("\"recompute\"")), 4, "1");
        QVERIFY(readProject(old)->family->options == readProject(flag)->family->options);
    }

    void whatNoFileCanHoldIsRefused()
    {
        Project project = ownSchedule();
        project.notes = "\xFF";
        QVERIFY(!writeProject(project));
        project = ownSchedule();
        project.draft.orders.pop_back();
        QVERIFY(!writeProject(project));
        project = ofFamily();
        project.draft.spec.microBatches = 9;
        QVERIFY(!writeProject(project));
    }

    void savingReplacesAFileAsAWhole()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("plan.json").toStdString();
        QVERIFY(saveProject(ownSchedule(), path));
        QVERIFY(saveProject(withTables(), path));
        const auto read = loadProject(path);
        QVERIFY(read);
        QVERIFY(*read == withTables());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);

        const auto missing = loadProject(folder.filePath("absent.json").toStdString());
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::Io);
        const auto unwritable =
            saveProject(ownSchedule(), folder.filePath("no/such/folder.json").toStdString());
        QVERIFY(!unwritable);
        QCOMPARE(unwritable.error().code, ErrorCode::Io);
        QVERIFY(!loadProject(folder.path().toStdString()));
    }

    void mutilatedFilesAreReadOrRefused()
    {
        constexpr unsigned seed = 6;
        std::mt19937 random(seed);
        const std::string whole = *writeProject(withTables());
        int read = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string text = whole;
            const std::size_t at = random() % text.size();
            if (random() % 2 == 0)
                text[at] = static_cast<char>(random() % 128);
            else
                text.erase(at, 1 + random() % 3);
            const auto project = readProject(text);
            if (!project)
                continue;
            ++read;
            const auto again = writeProject(*project);
            QVERIFY2(again && *readProject(*again) == *project,
                     qPrintable(QString("seed %1, round %2").arg(seed).arg(round)));
        }
        QVERIFY(read > 0);
    }
};

PW_TEST(TestProjectFile)
#include "tst_project_file.moc"
