// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/io/sail_plan.h"
#include "tests/support/family_runs.h"
#include "tests/support/places.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/window/main_window.h"
#include "ui/window/opening.h"
#include "ui/window/schedule_page.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

/// Plans of other engines, opened as files.
class TestOpenPlan : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_open_plan"); }

    /// It becomes a schedule without a file of its own, so that saving does not replace the plan.
    void aPlanOfSailSgIsDrawn()
    {
        const Schedule schedule =
            *buildUniform(**findFamily("v-half"), test::sized(4, 8), UniformCosts{});
        const auto text = writeSailPlan(schedule, expand(UniformCosts{}, schedule.spec()),
                                        SailForm::Communicating);
        QVERIFY(text);
        const QTemporaryDir folder;
        MainWindow window;
        window.show();
        for (const char* name : {"plan.json", "plan.sail.json", "plan.log"}) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            QVERIFY(writeFile(path.toStdString(), *text));
            QVERIFY(openFile(window, path));
            const SchedulePage* page = window.schedulePage();
            QVERIFY(page != nullptr);
            QVERIFY(page->document().schedule() != nullptr);
            QVERIFY(page->document().draft() == draftOf(schedule));
            QVERIFY(page->document().path().isEmpty());
            const std::string& notes = page->document().project().notes;
            QVERIFY2(notes.find("left out of the order: 96 sends, 96 receives") !=
                         std::string::npos,
                     notes.c_str());
        }
        QVERIFY(test::closeQuietly(window));
    }

    /// As a schedule of its family, which has no file of its own either.
    void aFamilyInAFileIsDrawn()
    {
        MainWindow window;
        window.show();
        QVERIFY(openFile(window, QStringLiteral(PW_SOURCE_DIR "/samples/families/v-rally.family")));
        const SchedulePage* page = window.schedulePage();
        QVERIFY(page != nullptr && page->document().schedule() != nullptr);
        const auto& family = page->document().project().family;
        QVERIFY(family && family->id == "v-rally");
        QCOMPARE(page->document().schedule()->devices(), 4);
        QVERIFY(page->document().path().isEmpty());
        QVERIFY(test::closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestOpenPlan)
#include "tst_open_plan.moc"
