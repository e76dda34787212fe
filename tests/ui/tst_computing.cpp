// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Families that take long are computed beside the window's work.
#include "core/edit/compose.h"
#include "core/io/made_schedule.h"
#include "core/io/schedule_text.h"
#include "tests/support/test_program.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"
#include "ui/models/palette_drop.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"
#include "ui/timeline/drop_controller.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace pw;
using namespace pw::ui;

/// Nothing else is begun in another thread while it lives.
class AllThreadsTaken
{
public:
    AllThreadsTaken()
        : m_count(workers().maxThreadCount())
    {
        for (int i = 0; i < m_count; ++i)
            workers().start([this] {
                m_end.acquire();
                m_ended.release();
            });
    }
    ~AllThreadsTaken()
    {
        m_end.release(m_count);
        m_ended.acquire(m_count);
        workers().waitForDone();
    }
    AllThreadsTaken(const AllThreadsTaken&) = delete;
    AllThreadsTaken& operator=(const AllThreadsTaken&) = delete;

private:
    int m_count;
    QSemaphore m_end;
    QSemaphore m_ended;
};

class TestComputing : public QObject
{
    Q_OBJECT

private:
    int m_used = 0;

    /// With times that no test has had before: what was made once is known.
    UniformCosts freshCosts()
    {
        UniformCosts costs;
        costs.forward = 10'000'000 + ++m_used;
        costs.hop = 700'000;
        return costs;
    }
    Project project(const char* family, int devices = 4, int microBatches = 8)
    {
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = microBatches;
        return projectOf(family, options, freshCosts());
    }
    static Project asFamily(const Project& project, const char* family, int microBatches = 20)
    {
        Project next = project;
        next.family->id = family;
        next.family->options.microBatches = microBatches;
        return next;
    }
    /// Until no other thread has something to say.
    static void settle()
    {
        workers().waitForDone();
        QCoreApplication::sendPostedEvents();
    }
    static QAction& command(MainWindow& window, const char* id)
    {
        QAction* found = window.commands().action(QString::fromLatin1(id));
        if (found == nullptr)
            qFatal("there is no command %s", id);
        return *found;
    }

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void quickFamiliesAreThereAtOnce()
    {
        ScheduleDocument document;
        document.reset(project("zb-v"));
        QVERIFY(!document.computing());
        QVERIFY(document.change(asFamily(document.project(), "zb-h1"), QStringLiteral("ZB-H1")));
        QVERIFY(!document.computing());
        QCOMPARE(document.project().family->id, std::string("zb-h1"));
    }

    void whatThereWasStaysUntilTheSearchIsDone()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        const Project before = document.project();
        const LanesPtr lanes = document.lanes();
        QVERIFY(document.change(asFamily(before, "v-auto"), QStringLiteral("V-Auto")));
        QVERIFY(document.computing());
        QCOMPARE(document.computed(), QStringLiteral("V-Auto · 4 × 20"));
        QCOMPARE(document.project(), before);
        QCOMPARE(document.wanted().family->id, std::string("v-auto"));
        QVERIFY(document.lanes() == lanes);
        QCOMPARE(document.undoStack().count(), 0);
        QTRY_VERIFY(!document.computing());
        QCOMPARE(document.title(), QStringLiteral("V-Auto · 4 × 20"));
        QVERIFY(document.schedule() != nullptr);
        QCOMPARE(*document.schedule(), *scheduleOf(document.project()));
        QCOMPARE(document.undoStack().count(), 1);
    }

    void undoIsExactAndNeedsNoSearch()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        const Project plain = document.project();
        QVERIFY(document.change(asFamily(plain, "v-auto"), QStringLiteral("V-Auto")));
        QTRY_VERIFY(!document.computing());
        const std::shared_ptr<const Schedule> found = document.schedule();
        const Project searched = document.project();
        QVERIFY(document.change(asFamily(searched, "zb-h1"), QStringLiteral("ZB-H1")));
        document.undoStack().undo();
        QVERIFY(!document.computing());
        QCOMPARE(document.project(), searched);
        QVERIFY(document.schedule() == found);
        document.undoStack().undo();
        QCOMPARE(document.project(), plain);
        // Also after so many others that nobody else knows it.
        for (int other = 0; other < 40; ++other)
            QVERIFY(madeSchedule(project("v-auto", 2, 3)));
        document.undoStack().redo();
        QVERIFY(!document.computing());
        QVERIFY(document.schedule() == found);
    }

    void otherEditsAreRefusedInWords()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        QVERIFY(document.change(asFamily(document.project(), "v-auto"), QStringLiteral("V-Auto")));
        const Result<Proposal> removed = removeEntries(document.project(), {{DeviceId(1), 2}});
        QVERIFY(removed);
        const Result<void> done = document.edit(removed->edit, QStringLiteral("Delete"));
        QVERIFY(!done);
        QVERIFY2(done.error().message.english().find("V-Auto · 4 × 20 is being computed") !=
                     std::string::npos,
                 done.error().message.c_str());
        QTRY_VERIFY(!document.computing());
        QCOMPARE(document.undoStack().count(), 1);
    }

    void notesAreTakenMeanwhile()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        QVERIFY(document.change(asFamily(document.project(), "v-auto"), QStringLiteral("V-Auto")));
        QVERIFY(document.edit({{SetNotes{"a thought"}}}, QStringLiteral("Notes")));
        QVERIFY(document.computing());
        QCOMPARE(document.wanted().notes, std::string("a thought"));
        document.undoStack().undo();
        QVERIFY(document.computing());
        QCOMPARE(document.wanted().notes, std::string());
        document.undoStack().redo();
        QTRY_VERIFY(!document.computing());
        QCOMPARE(document.project().notes, std::string("a thought"));
        QCOMPARE(document.project().family->id, std::string("v-auto"));
        document.undoStack().undo();
        QCOMPARE(document.project().family->id, std::string("1f1b"));
        QCOMPARE(document.project().notes, std::string("a thought"));
    }

    void anotherChangeTakesThePlace()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        QVERIFY(document.change(asFamily(document.project(), "v-auto", 20), QStringLiteral("20")));
        QVERIFY(document.change(asFamily(document.wanted(), "v-auto", 24), QStringLiteral("24")));
        QCOMPARE(document.computed(), QStringLiteral("V-Auto · 4 × 24"));
        settle();
        QTRY_VERIFY(!document.computing());
        QCOMPARE(document.project().family->options.microBatches, 24);
        QCOMPARE(document.undoStack().count(), 1);
        // A quick one is there at once, and nothing comes behind it.
        QVERIFY(document.change(asFamily(document.project(), "v-auto", 28), QStringLiteral("28")));
        QVERIFY(document.change(asFamily(document.wanted(), "zb-h1", 8), QStringLiteral("ZB-H1")));
        QVERIFY(!document.computing());
        settle();
        QCOMPARE(document.project().family->id, std::string("zb-h1"));
        QCOMPARE(document.undoStack().count(), 2);
    }

    void theWayBackDropsIt()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        const Project before = document.project();
        QVERIFY(document.change(asFamily(before, "v-auto"), QStringLiteral("V-Auto")));
        QVERIFY(document.change(before, QStringLiteral("1F1B")));
        QVERIFY(!document.computing());
        settle();
        QCOMPARE(document.project(), before);
        QCOMPARE(document.undoStack().count(), 0);
    }

    void whatIsCancelledNeverComes()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        const Project before = document.project();
        QSignalSpy refused(&document, &ScheduleDocument::refused);
        QVERIFY(document.change(asFamily(before, "zb-auto", 40), QStringLiteral("ZB-auto")));
        document.cancelComputing();
        QVERIFY(!document.computing());
        settle();
        QCOMPARE(document.project(), before);
        QCOMPARE(document.undoStack().count(), 0);
        QCOMPARE(refused.count(), 0);
    }

    void aFamilyThatFailsIsRefused()
    {
        ScheduleDocument document;
        document.reset(project("1f1b"));
        const Project before = document.project();
        Project next = asFamily(before, "zb-auto", 40);
        next.family->options.parameters = {{"memory-limit", 0.5}};
        QSignalSpy refused(&document, &ScheduleDocument::refused);
        QVERIFY(document.change(next, QStringLiteral("ZB-auto")));
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(refused.first().first().toString().contains(QStringLiteral("smallest limit")));
        QVERIFY(!document.computing());
        QCOMPARE(document.project(), before);
        QCOMPARE(document.undoStack().count(), 0);
    }

    void aProjectThatTakesLongOpensEmptyFirst()
    {
        ScheduleDocument document;
        document.reset(project("v-auto", 4, 20));
        QVERIFY(document.computing());
        QVERIFY(document.unmade());
        QVERIFY(document.schedule() == nullptr);
        QVERIFY(!document.problem().isEmpty());
        QCOMPARE(document.lanes()->lanes().size(), std::size_t(4));
        QCOMPARE(document.draft().orders.size(), std::size_t(4));
        QTRY_VERIFY(!document.computing());
        QVERIFY(!document.unmade());
        QVERIFY(document.schedule() != nullptr);
        QVERIFY(document.problem().isEmpty());
        QVERIFY(!document.modified());
    }

    void openingCanBeCancelledAndAskedForAgain()
    {
        ScheduleDocument document;
        document.reset(project("v-auto", 4, 20));
        document.cancelComputing();
        settle();
        QVERIFY(document.unmade());
        QVERIFY(document.schedule() == nullptr);
        document.compute();
        QVERIFY(document.computing());
        QTRY_VERIFY(document.schedule() != nullptr);
        QVERIFY(!document.unmade());
    }

    void aShapeThatIsQuickTakesOverFromOneThatIsNot()
    {
        ScheduleDocument document;
        document.reset(project("v-auto", 4, 20));
        QVERIFY(document.change(asFamily(document.wanted(), "zb-h1", 8), QStringLiteral("ZB-H1")));
        QVERIFY(!document.computing());
        QVERIFY(document.schedule() != nullptr);
        // The way back leads to what was never computed: it is computed now.
        document.undoStack().undo();
        QVERIFY(document.computing());
        QVERIFY(document.unmade());
        QTRY_VERIFY(document.schedule() != nullptr);
        QCOMPARE(document.title(), QStringLiteral("V-Auto · 4 × 20"));
    }

    void whoWaitsGetsItAtOnce()
    {
        ScheduleDocument document;
        document.reset(project("v-auto", 4, 20), {}, ScheduleDocument::Patience::Full);
        QVERIFY(!document.computing());
        QVERIFY(document.schedule() != nullptr);
    }

    void aDocumentMayGoMeanwhile()
    {
        {
            ScheduleDocument document;
            document.reset(project("zb-auto", 8, 40));
            QVERIFY(document.computing());
        }
        settle();
    }

    void aTabIsClosedMeanwhile()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openProject(project("zb-auto", 8, 40));
        QVERIFY(page.document().computing());
        QVERIFY(window.closePage(&page));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        settle();
        QVERIFY(window.page() == nullptr);
    }

    void thePageSaysSoAndOffersToCancel()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openProject(project("1f1b"));
        auto* notice = page.findChild<QLabel*>(QStringLiteral("notice"));
        QAction& stop = command(window, "schedule.stop-computing");
        QVERIFY(!stop.isEnabled());
        const AllThreadsTaken wait;
        QVERIFY(page.document().change(asFamily(page.document().project(), "v-auto"),
                                       QStringLiteral("V-Auto")));
        QVERIFY(stop.isEnabled());
        QTRY_VERIFY(notice->text().contains(QStringLiteral("Computing V-Auto · 4 × 20")));
        QVERIFY(notice->isVisible());
        stop.trigger();
        QVERIFY(!page.document().computing());
        QVERIFY(!stop.isEnabled());
        QVERIFY(!notice->isVisible());
    }

    void undoTakesBackWhatIsBeingComputed()
    {
        MainWindow window;
        window.show();
        ScheduleDocument& document = window.openProject(project("1f1b")).document();
        QVERIFY(document.change(asFamily(document.project(), "zb-h1"), QStringLiteral("ZB-H1")));
        QVERIFY(document.change(asFamily(document.project(), "v-auto"), QStringLiteral("V-Auto")));
        command(window, "edit.undo").trigger();
        QVERIFY(!document.computing());
        QCOMPARE(document.project().family->id, std::string("zb-h1"));
        command(window, "edit.undo").trigger();
        QCOMPARE(document.project().family->id, std::string("1f1b"));
        settle();
    }

    void theSpecPanelShowsWhatIsWanted()
    {
        ScheduleDocument document;
        document.reset(project("v-auto", 4, 8), {}, ScheduleDocument::Patience::Full);
        SpecPanel panel;
        panel.setDocument(&document);
        auto* devices = panel.findChild<QSpinBox*>(QStringLiteral("devices"));
        auto* microBatches = panel.findChild<QSpinBox*>(QStringLiteral("micro-batches"));
        QVERIFY(devices != nullptr && microBatches != nullptr);
        microBatches->setValue(24);
        QVERIFY(document.computing());
        devices->setValue(5);
        QCOMPARE(document.computed(), QStringLiteral("V-Auto · 5 × 24"));
        QCOMPARE(microBatches->value(), 24);
        document.cancelComputing();
        QCOMPARE(microBatches->value(), 8);
        QCOMPARE(devices->value(), 4);
        settle();
        QCOMPARE(document.title(), QStringLiteral("V-Auto · 4 × 8"));
    }

    void largeSchedulesAreExportedBesideTheWindow()
    {
        MainWindow window;
        window.show();
        const SchedulePage& page = window.openProject(project("1f1b", 32, 800));
        command(window, "file.export-text").trigger();
        auto* dialog = window.findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("out.txt"));
        const auto* told = window.findChild<QLabel*>(QStringLiteral("told"));
        Q_EMIT dialog->fileSelected(path);
        QTRY_VERIFY(told->text().contains(QStringLiteral("The schedule is in")));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(),
                 QByteArray::fromStdString(writeScheduleText(*page.document().schedule())));
        Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("no/such")));
        QTRY_VERIFY(told->text().contains(QStringLiteral("Not exported")));
        dialog->reject();
    }

    void theRestOfALargeScheduleIsFinishedBesideTheWindow()
    {
        Project large = project("1f1b", 32, 800);
        large.draft = *draftOf(large);
        large.family.reset();
        for (std::vector<OrderEntry>& order : large.draft.orders)
            order.resize(order.size() - 2);
        MainWindow window;
        window.show();
        ScheduleDocument& document = window.openProject(large).document();
        QVERIFY(document.schedule() == nullptr);
        QAction& finish = command(window, "schedule.finish.backward-first");
        finish.trigger();
        QTRY_VERIFY(document.schedule() != nullptr);
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QCOMPARE(document.project(), large);
        // What is edited meanwhile is kept.
        finish.trigger();
        const Result<Proposal> removed = removeEntries(document.project(), {{DeviceId(0), 1590}});
        QVERIFY(removed);
        document.setFreeEdit(true);
        QVERIFY(document.edit(removed->edit, QStringLiteral("Delete")));
        settle();
        const auto* told = window.findChild<QLabel*>(QStringLiteral("told"));
        QTRY_VERIFY(told->text().contains(QStringLiteral("changed meanwhile")));
        QVERIFY(document.schedule() == nullptr);
        document.undoStack().setClean();
    }

    void aHeldFamilyIsComputedAfterTheDrop()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openProject(project("1f1b", 4, 20));
        const PaletteItem item{PaletteKind::Family, QStringLiteral("v-auto")};
        const Result<PaletteDrop> held = dropOf(page.document().project(), item, {});
        QVERIFY(held);
        QVERIFY(held->later);
        QVERIFY2(held->hint.contains(QStringLiteral("computed after the drop")),
                 qPrintable(held->hint));
        auto* drops = page.findChild<DropController*>();
        drops->place(item);
        QVERIFY(page.document().computing());
        QTRY_VERIFY(!page.document().computing());
        QCOMPARE(page.document().title(), QStringLiteral("V-Auto · 4 × 20"));
        // Now it is known, and shown while it is held.
        page.document().undoStack().undo();
        const Result<PaletteDrop> again = dropOf(page.document().project(), item, {});
        QVERIFY(again);
        QVERIFY(!again->later);
        QVERIFY(!again->proposal.added.empty());
    }
};

PW_WINDOW_TEST(TestComputing)
#include "tst_computing.moc"
