// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/file_families.h"
#include "core/io/family_folder.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_file.h"
#include "core/sim/simulator.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using pw::families::FamilyFile;
using pw::families::parseFamilyFile;

namespace {

constexpr std::string_view head = "family own\nsummary One of its own.\n";

/// What is wrong with a text; empty: nothing.
std::string wrongWith(const std::string& text)
{
    const Result<FamilyFile> file = parseFamilyFile(text, "own.family");
    return file ? std::string() : file.error().message.english();
}

/// What is wrong with the order that a text makes for 2 devices and 4 micro-batches.
std::string wrongOrder(const std::string& order)
{
    const Result<FamilyFile> file =
        parseFamilyFile(std::string(head) + "order\n" + order + "end\n", "own.family");
    if (!file)
        return file.error().message;
    FamilyOptions options;
    options.devices = 2;
    options.microBatches = 4;
    const Result<PipelineSpec> spec = file->spec(options);
    if (!spec)
        return spec.error().message;
    const Result<Schedule> made = file->build(*spec, options);
    return made ? std::string() : made.error().message.english();
}

bool has(const std::string& text, const char* part)
{
    if (text.find(part) != std::string::npos)
        return true;
    qWarning("'%s' is not in '%s'", part, text.c_str());
    return false;
}

} // namespace

class TestFamilyFile : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        std::vector<std::string> problems;
        const auto ids = addFamilyFolder(PW_SOURCE_DIR "/samples/families", problems);
        QVERIFY2(ids, ids ? "" : ids.error().message.c_str());
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
        QCOMPARE(ids->size(), std::size_t{10});
    }

    void aFileMakesWhatTheProgramMakes_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("builtIn");
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<int>("value");
        QTest::newRow("GPipe") << "file-gpipe"
                               << "gpipe"
                               << "" << 0;
        QTest::newRow("1F1B") << "file-1f1b"
                              << "1f1b"
                              << "" << 0;
        QTest::newRow("eager 1F1B") << "file-1f1b"
                                    << "1f1b"
                                    << "eager" << 1;
        QTest::newRow("kFkB") << "file-kfkb"
                              << "kfkb"
                              << "" << 0;
        QTest::newRow("kFkB of three") << "file-kfkb"
                                       << "kfkb"
                                       << "group" << 3;
        QTest::newRow("ZB-H1") << "file-zb-h1"
                               << "zb-h1"
                               << "" << 0;
        QTest::newRow("interleaved") << "file-interleaved"
                                     << "interleaved-1f1b"
                                     << "" << 0;
        QTest::newRow("Chimera") << "file-chimera"
                                 << "chimera"
                                 << "" << 0;
        QTest::newRow("1F1B by rules") << "file-1f1b-ready"
                                       << "1f1b"
                                       << "" << 0;
        QTest::newRow("V-Half by its block") << "file-v-half"
                                             << "v-half"
                                             << "" << 0;
        QTest::newRow("interleaved thrice") << "file-interleaved"
                                            << "interleaved-1f1b"
                                            << "chunks" << 3;
    }

    /// Pass for pass, over shapes and steps; and both refuse the same shapes.
    void aFileMakesWhatTheProgramMakes()
    {
        QFETCH(QString, file);
        QFETCH(QString, builtIn);
        QFETCH(QString, parameter);
        QFETCH(int, value);
        const auto own = findFamily(file.toStdString());
        const auto known = findFamily(builtIn.toStdString());
        QVERIFY(own && known);
        int equal = 0;
        for (const int p : {1, 2, 3, 4, 8}) {
            for (const int m : {1, 2, 3, 4, 5, 8, 12, 16, 19}) {
                for (const int steps : {1, 2}) {
                    FamilyOptions options;
                    options.devices = p;
                    options.microBatches = m;
                    options.steps = steps;
                    if (!parameter.isEmpty())
                        options.parameters.emplace_back(parameter.toStdString(), value);
                    // Where the program takes the next group that fits, the file takes p.
                    if (builtIn == QLatin1String("interleaved-1f1b"))
                        options.parameters.emplace_back("group",
                                                        parameterValue(**known, options, "group"));
                    const auto made = buildUniform(**own, options, UniformCosts{});
                    const auto wanted = buildUniform(**known, options, UniformCosts{});
                    QCOMPARE(made.has_value(), wanted.has_value());
                    if (!made)
                        continue;
                    QVERIFY2(*made == *wanted,
                             qPrintable(QStringLiteral("p %1, m %2").arg(p).arg(m)));
                    ++equal;
                }
            }
        }
        QVERIFY(equal >= 40);
    }

    /// Of the two ways to prefer backwards the program takes the shorter one.
    void listSchedulingIsThatOfTheProgram()
    {
        const auto own = findFamily("file-hanayo");
        const auto known = findFamily("hanayo");
        QVERIFY(own && known);
        for (const int p : {1, 2, 3, 4, 8}) {
            for (const int m : {1, 2, 3, 5, 8, 12, 19}) {
                for (const int waves : {1, 2, 3}) {
                    FamilyOptions options;
                    options.devices = p;
                    options.microBatches = m;
                    options.parameters = {{"waves", waves}};
                    const auto wanted = buildUniform(**known, options, UniformCosts{});
                    std::vector<Schedule> made;
                    std::vector<Ticks> times;
                    for (const int deepest : {0, 1}) {
                        FamilyOptions one = options;
                        one.parameters.emplace_back("deepest", deepest);
                        const auto schedule = buildUniform(**own, one, UniformCosts{});
                        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
                        const auto result =
                            simulate(*schedule, expand(UniformCosts{}, schedule->spec()));
                        QVERIFY(result);
                        made.push_back(*schedule);
                        times.push_back(result->makespan);
                    }
                    QVERIFY2(made[times[0] <= times[1] ? 0 : 1] == *wanted,
                             qPrintable(
                                 QStringLiteral("p %1, m %2, waves %3").arg(p).arg(m).arg(waves)));
                }
            }
        }
    }

    void aBlockIsRepeatedForEveryShape()
    {
        const std::string text = std::string(head) + "block interval 3\n F 0 at d\n"
                                                     " BW 0 at 3 * p - 2 - 2 * d for 2\nend\n";
        const auto file = parseFamilyFile(text, "own.family");
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        const auto known = findFamily("1f1b");
        QVERIFY(known);
        for (const int p : {1, 2, 4, 8}) {
            for (const int m : {1, 3, 8, 40}) {
                FamilyOptions options;
                options.devices = p;
                options.microBatches = m;
                const auto spec = file->spec(options);
                QVERIFY(spec);
                const auto made = file->build(*spec, options);
                QVERIFY2(made, made ? "" : made.error().message.c_str());
                QVERIFY(*made == *buildUniform(**known, options, UniformCosts{}));
            }
        }
        const auto collides = parseFamilyFile(std::string(head) + "block interval 3\n F 0 at 0\n"
                                                                  " BW 0 at 3 for 2\nend\n",
                                              "own.family");
        FamilyOptions one;
        one.devices = 1;
        const auto shape = collides->spec(one);
        QVERIFY(shape);
        const auto refused = collides->build(*shape, one);
        QVERIFY(!refused && has(refused.error().message, "own.family: the block collides"));
    }

    void blocksAreThoseOfTheProgram()
    {
        for (const auto& [file, builtIn] :
             {std::pair("file-1f1b", "1f1b"), std::pair("file-zb-h1", "zb-h1"),
              std::pair("file-chimera", "chimera"), std::pair("file-v-half", "v-half")}) {
            FamilyOptions options;
            options.devices = 4;
            options.microBatches = 8;
            const auto own = findFamily(file);
            const auto known = findFamily(builtIn);
            QVERIFY(own && known && (*own)->block != nullptr);
            auto made = (*own)->block(options);
            auto wanted = (*known)->block(options);
            QVERIFY(made && wanted);
            const auto byPass = [](const BlockPass& a, const BlockPass& b) {
                return a.pass < b.pass;
            };
            std::sort(made->passes.begin(), made->passes.end(), byPass);
            std::sort(wanted->passes.begin(), wanted->passes.end(), byPass);
            QVERIFY(*made == *wanted);
        }
    }

    void anInventionRunsForEveryShape()
    {
        const auto own = findFamily("v-rally");
        QVERIFY(own);
        QCOMPARE(fileOfFamily(**own).empty(), false);
        for (const int p : {1, 2, 4, 8}) {
            for (const int m : {1, 3, 8, 17}) {
                FamilyOptions options;
                options.devices = p;
                options.microBatches = m;
                const auto made = buildUniform(**own, options, UniformCosts{});
                QVERIFY2(made, made ? "" : made.error().message.c_str());
                QVERIFY(simulate(*made, expand(UniformCosts{}, made->spec())));
            }
        }
    }

    void aFileOpensAsAProjectOfItsFamily()
    {
        const auto file = readScheduleFile(PW_SOURCE_DIR "/samples/families/v-rally.family");
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        QCOMPARE(file->problemCount, std::int64_t{0});
        QCOMPARE(file->project.title, std::string("V-Rally"));
        QVERIFY(file->project.family && file->project.family->id == "v-rally");
        QCOMPARE(file->project.family->options.devices, 4);
        const auto made = scheduleOf(file->project);
        QVERIFY(made && made->spec().microBatches == 8);
        // One that takes other shapes alone is opened in one of these.
        QTemporaryDir folder;
        const std::string path = folder.filePath("six.family").toStdString();
        QVERIFY(writeFile(path, "family six\nsummary For six.\nrequire p == 6: six devices\norder\n"
                                "for j in 0 .. m\nF j\nBW j\nend\nend\n"));
        const auto six = readScheduleFile(path);
        QVERIFY2(six, six ? "" : six.error().message.c_str());
        QCOMPARE(six->project.draft.spec.devices, 6);
        QVERIFY(writeFile(path,
                          "family none\nsummary None.\nrequire p == 0: never\norder\nF 0\nend\n"));
        const auto none = readScheduleFile(path);
        QVERIFY(!none && has(none.error().message, "never"));
    }

    void whatIsWrongHasFileAndLine()
    {
        QVERIFY(has(wrongWith(""), "own.family, line 1: the file has no family line"));
        QVERIFY(has(wrongWith("family own\n"), "no summary"));
        QVERIFY(has(wrongWith(std::string(head)), "the file has no order and no block"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n"), "before the end of the order"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n F 0\n F $\nend\n"),
                    "line 5, column 4: '$' means nothing"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n F mm\nend\n"), "did you mean m?"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n F 1 2\nend\n"),
                    "unexpected '2' after a complete expression"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n F (1\nend\n"), "here ')' is expected"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n else\nend\n"), "else stands in no if"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n p = 3\nend\n"),
                    "'p' means something already"));
        QVERIFY(has(wrongWith("title a\x1b[2Jb\n"), "title needs a plain text"));
        QVERIFY(has(wrongWith("title \xff\n"), "title needs a plain text"));
        QVERIFY(has(wrongWith("title <b>bold</b>\n"), "title needs a plain text"));
        QVERIFY(has(wrongWith("Family own\n"), "a line begins with"));
        QVERIFY(has(wrongWith("family Own\n"), "small letters"));
        QVERIFY(has(wrongWith(std::string(head) + "parameter a 1 .. 3 default 4: too many\n"),
                    "the default 4 is outside"));
        QVERIFY(has(wrongWith(std::string(head) + "parameter 1a flag: x\n"), "a letter first"));
        QVERIFY(has(wrongWith(std::string(head) + "parameter a 1 ..\n"),
                    "needs a text behind a colon"));
        QVERIFY(has(wrongWith(std::string(head) + "define f(a) = f(a)\n"), "there is no name 'f'"));
        QVERIFY(has(wrongWith(std::string(head) + "block interval 3\n F 0\nend\n"),
                    "'at' is expected"));
    }

    void aMistakeHasItsColumn_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wrong");
        const auto row = [](const char* name, const char* text, const char* wrong) {
            QTest::newRow(name) << text << wrong;
        };
        row("a name", "order\n  F 2 + mm\nend\n", "line 4, column 9: there is no name 'mm'");
        row("behind a line", "order\n\tF 1 2\nend\n",
            "line 4, column 6: unexpected '2' after a complete expression");
        row("the end of a line", "order\n  F (1\nend\n", "line 4, column 7: here ')' is expected");
        row("a text", "title   <b>\n", "line 3, column 9: title needs a plain text");
        row("a parameter", "parameter a 1 .. b default 1: x\n",
            "line 3, column 18: a whole number is expected");
        row("a requirement", "require p >> 2: x\n", "line 3, column 12: a number or a name");
        row("a comment", "order\n  F 1 +  # and what\nend\n",
            "line 4, column 10: a number or a name is missing at the end of the line");
    }

    void aMistakeHasItsColumn()
    {
        QFETCH(QString, text);
        QFETCH(QString, wrong);
        QVERIFY(has(wrongWith(std::string(head) + text.toStdString()), qPrintable(wrong)));
    }

    void routesAreAsTheFileSays()
    {
        const auto wrong = [](const std::string& lines) {
            return wrongWith(std::string(head) + lines + "order\n F 0\nend\n");
        };
        const std::string two = "placement linear\nplacement reversed\n";
        QVERIFY(has(wrong(two), "two placements need a line route(j)"));
        QVERIFY(has(wrong("route(j) = 0\n"), "route is for two placements"));
        QVERIFY(has(wrong(two + "placement v\n"), "there are two routes at most"));
        QVERIFY(has(wrong(two + "route(i, j) = 0\n"), "route is of one argument"));
        const auto shapeOf = [](const std::string& lines) {
            const auto file =
                parseFamilyFile(std::string(head) + lines + "order\n F 0\nend\n", "own.family");
            FamilyOptions options;
            options.devices = 2;
            options.microBatches = 4;
            return file->spec(options);
        };
        const auto beyond = shapeOf(two + "route(j) = j\n");
        QVERIFY(!beyond && has(beyond.error().message,
                               "own.family, line 5: the route of micro-batch 2 is 2; 0 or 1"));
        const auto unlike = shapeOf("placement linear\nplacement v\nroute(j) = j % 2\n");
        QVERIFY(!unlike);
        const auto good = shapeOf(two + "route(j) = j % 2\n");
        QVERIFY(good);
        QCOMPARE(good->routeOfMicroBatch, (std::vector<std::uint8_t>{0, 1, 0, 1}));
        QCOMPARE(good->routes[1], Placement::reversed(2));
    }

    void arraysKeepWhatTheyAreGiven()
    {
        // The order of 1F1B from a list of its own.
        const std::string order =
            "array next[2 * m]\nwarm = min(m, p - d)\n"
            "for j in 0 .. m\nnext[choose(j < warm, j, 2 * j - warm + 1)] = j + 1\n"
            "end\nback = 0\nfor i in 0 .. 2 * m\nif next[i]\nF next[i] - 1\n"
            "else\nBW back\nback = back + 1\nend\nend\n";
        QCOMPARE(wrongOrder(order), std::string());
        QVERIFY(has(wrongOrder("array a[3]\nx = a[3]\n"),
                    "line 5: the place in the array a is 3; 0 to 2"));
        QVERIFY(has(wrongOrder("array a[3]\na[0 - 1] = 2\n"), "the place in the array a is -1"));
        QVERIFY(has(wrongOrder("if 0\narray a[3]\nend\nx = a[0]\n"), "has no element yet"));
        QVERIFY(has(wrongOrder("array a[3]\nfor a in 0 .. 2\nend\n"), "'a' is an array"));
        QVERIFY(has(wrongOrder("array a[3]\nx = a\n"), "here '[' is expected"));
        QVERIFY(has(wrongOrder("array a[3]\na = 2\n"), "here '[' is expected"));
        QVERIFY(has(wrongOrder("array p[3]\n"), "'p' means something already"));
        QVERIFY(has(wrongOrder("x = b[3]\n"), "there is no name 'b'"));
        QVERIFY(has(wrongOrder("array = 1\nF array\n"), "not complete")); // still a name
        // Every device begins with none.
        QVERIFY(has(wrongOrder("if d == 0\narray a[3]\na[0] = 7\nend\nif d == 1\nx = a[0]\nend\n"),
                    "has no element yet"));
    }

    void pairsAreOfOrdersAlone()
    {
        const std::string order = "warm = min(m, p - d)\nfor j in 0 .. warm\nF j\nend\n"
                                  "for j in 0 .. m - warm\npair F warm + j with BW j\nend\n"
                                  "for j in m - warm .. m\nBW j\nend\n";
        const auto file =
            parseFamilyFile(std::string(head) + "order\n" + order + "end\n", "own.family");
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        FamilyOptions options;
        options.devices = 2;
        options.microBatches = 4;
        const auto made = file->build(*file->spec(options), options);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        for (const DeviceId device : Ids<DeviceId>(2)) {
            int pairs = 0;
            for (const EntryId e : made->entries(device)) {
                const OrderEntry entry = made->entry(e);
                if (!entry.paired)
                    continue;
                ++pairs;
                QCOMPARE(entry.pass.kind, PassKind::F);
                QCOMPARE(entry.partner.kind, PassKind::BW);
                QCOMPARE(entry.pass.microBatch - entry.partner.microBatch, 2 - device.value);
            }
            QCOMPARE(pairs, 2 + device.value);
        }
        QVERIFY(has(wrongWith(std::string(head) + "block interval 3\npair F 0 with BW 0\nend\n"),
                    "a building block has no pairs"));
    }

    void rulesMakeAnOrder()
    {
        const auto wrong = [](const std::string& rules, int p = 2, int m = 4) {
            const auto file =
                parseFamilyFile(std::string(head) + "when ready\n" + rules + "end\n", "own.family");
            if (!file)
                return file.error().message.english();
            FamilyOptions options;
            options.devices = p;
            options.microBatches = m;
            const auto spec = file->spec(options);
            const auto made = file->build(*spec, options);
            return made ? std::string() : made.error().message.english();
        };
        QCOMPARE(wrong("F\nBW\n"), std::string());
        QCOMPARE(wrong("B\nF\nW\n"), std::string());
        QCOMPARE(wrong("B\nF j chunk c segment q if done(F chunk c) < m by 0 - j for 3\nW\n"),
                 std::string());
        QVERIFY(has(wrong("BW\nF if held < 0\n"),
                    "own.family, line 3: nothing goes on: on device 0 no rule takes F of "
                    "micro-batch 0 on stage 0, which is ready"));
        QVERIFY(has(wrong("BW\n"), "no rule takes F of micro-batch 0"));
        QVERIFY(has(wrong("F\nB\n"), "no rule takes W of micro-batch"));
        QVERIFY(has(wrong(""), "when ready has no rule"));
        QVERIFY(has(wrong("F\nBW\nW\n"), "either BW, or B and W"));
        QVERIFY(has(wrong("R\n"), "line 4, column 1: a rule begins with F, B, W or BW, not 'R'"));
        QVERIFY(has(wrong("F j by i\nBW\n"), "there is no name 'i'"));
        QVERIFY(has(wrong("F by j\nBW\n"), "there is no name 'j'"));
        QVERIFY(has(wrong("F m\nBW\n"), "'m' means something already"));
        QVERIFY(has(wrong("F for 0\nBW\n"), "the duration is 0; 1 to 1000000"));
        QVERIFY(has(wrong("F if 1 / held\nBW\n"), "line 4: a division by 0"));
        QVERIFY(has(wrong("F if done(U)\nBW\n"), "done counts F, B, W or BW, not 'U'"));
        QVERIFY(has(wrongOrder("x = held\n"), "there is no name 'held'"));
        QVERIFY(has(wrongOrder("x = done(F)\n"), "there is no name 'done'"));
        QVERIFY(has(wrongWith(std::string(head) + "when ready\nF\nBW\nend\norder\nF 0\nend\n"),
                    "duplicate 'order' line"));
        QVERIFY(
            has(wrongWith(std::string(head) + "when ready\nF\n"), "before the end of the rules"));
        // Thousands of passes that are ready at once are no work without end.
        QCOMPARE(wrong("F if held < 3\nBW\n", 3, 3000), std::string());
    }

    void whatAnOrderLacksIsSaid()
    {
        QVERIFY(has(wrongOrder("F 0\n"), "own.family: the order is not complete: device 0"));
        QVERIFY(has(wrongOrder("F 4\n"), "line 4: the micro-batch is 4; 0 to 3"));
        QVERIFY(has(wrongOrder("F 0 chunk 1\n"), "the chunk is 1; 0 to 0"));
        QVERIFY(has(wrongOrder("F 1 / (p - 2)\n"), "line 4: a division by 0"));
        QVERIFY(has(wrongOrder("x = 9223372036854775807 + m\n"), "beyond 64 bits"));
        QVERIFY(has(wrongOrder("x = (-9223372036854775807 - 1) / (0 - 1)\n"), "beyond 64 bits"));
    }

    /// Nothing in a file takes for ever, or all memory.
    void hostileFilesEnd()
    {
        QVERIFY(has(wrongOrder("array a[300000]\n"), "size of an array is 300000; 0 to 262144"));
        QVERIFY(has(wrongOrder("array a[200000]\narray b[200000]\n"), "for all arrays together"));
        QVERIFY(has(wrongOrder("while 1\narray a[200000]\nend\n"), "steps"));
        QVERIFY(has(wrongOrder("while 1\nend\n"), "steps"));
        QVERIFY(has(wrongOrder("for i in 0 .. 9000000000000000000\nend\n"), "steps"));
        QVERIFY(has(wrongOrder("while 1\nF 0\nend\n"), "more passes than there are"));
        QVERIFY(has(wrongWith(std::string(head) + "order\n F " + std::string(5000, '(')),
                    "nested deeper"));
        QVERIFY(
            has(wrongWith(std::string(head) + "order\n F " + std::string(5000, '-') + "1\nend\n"),
                "nested deeper"));
        std::string nested = std::string(head) + "order\n";
        for (int i = 0; i < 40; ++i)
            nested += "if 1\n";
        QVERIFY(has(wrongWith(nested), "inside each other"));
        QVERIFY(has(wrongWith(std::string(300'000, '#')), "longer than"));
        // Each definition asks for the one before it twice: 2^31 steps without an end of them.
        std::string twice = std::string(head) + "define f0(a) = a\n";
        for (int i = 1; i < 31; ++i)
            twice += "define f" + std::to_string(i) + "(a) = f" + std::to_string(i - 1) +
                     "(a) + f" + std::to_string(i - 1) + "(a)\n";
        const auto file = parseFamilyFile(twice + "order\nF f30(0)\nend\n", "own.family");
        QVERIFY(file);
        FamilyOptions options;
        const auto spec = file->spec(options);
        QVERIFY(spec);
        const auto made = file->build(*spec, options);
        QVERIFY(!made && has(made.error().message, "steps"));
    }

    void idsAndParametersAreOneThingEach()
    {
        const auto added = [](const std::string& text) {
            auto file = parseFamilyFile(text, "own.family");
            if (!file)
                return file.error().message.english();
            std::vector<FamilyFile> one;
            one.push_back(std::move(*file));
            const auto ids = addFileFamilies(std::move(one));
            return ids ? std::string() : ids.error().message.english();
        };
        const std::string order = "order\nfor j in 0 .. m\nF j\nBW j\nend\nend\n";
        QVERIFY(has(added("family 1f1b\nsummary Another.\n" + order),
                    "there is a family 1f1b already"));
        QVERIFY(has(added("family gpipe\nsummary Another.\n" + order),
                    "there is a family gpipe already"));
        QVERIFY(has(added("family other\nsummary Another.\nparameter chunks flag: more\n" + order),
                    "of another type"));
        QCOMPARE(added("family other\nsummary Another.\n" + order), std::string());
        QCOMPARE(added("family other\nsummary Another.\n" + order), std::string());
        QVERIFY(has(added("family other\nsummary Changed.\n" + order), "already"));
    }
};

PW_TEST(TestFamilyFile)
#include "tst_family_file.moc"
