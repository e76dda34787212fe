// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "ui/document/schedule_document.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

class TestScheduleDocument : public QObject
{
    Q_OBJECT

private:
    static Project zbV(int microBatches = 8)
    {
        FamilyOptions options;
        options.microBatches = microBatches;
        return projectOf("zb-v", options, UniformCosts{});
    }

private slots:
    void aProjectHasItsScheduleAndItsLanes()
    {
        ScheduleDocument document;
        document.reset(zbV());
        QVERIFY(document.schedule());
        QCOMPARE(document.title(), QStringLiteral("ZB-V · 4 × 8"));
        QCOMPARE(document.lanes()->spanCount(), std::size_t{192});
        QVERIFY(!document.modified());
    }

    void aChangeIsUndoneAndRedone()
    {
        ScheduleDocument document;
        document.reset(zbV());
        const Project before = document.project();
        QSignalSpy spy(&document, &ScheduleDocument::resultChanged);
        QVERIFY(document.change(zbV(12), QStringLiteral("12 micro-batches")));
        QCOMPARE(spy.count(), 1);
        QVERIFY(document.modified());
        const Ticks makespan = document.result().makespan;
        document.undoStack().undo();
        QVERIFY(document.project() == before);
        QVERIFY(!document.modified());
        document.undoStack().redo();
        QCOMPARE(document.result().makespan, makespan);
    }

    void aValueThatIsTypedIsOneStep()
    {
        ScheduleDocument document;
        document.reset(zbV());
        const Project before = document.project();
        for (const int microBatches : {9, 10, 11})
            QVERIFY(document.change(zbV(microBatches), QStringLiteral("m"), 1));
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QVERIFY(document.project() == before);
    }

    void whatCannotBeIsRefusedAndChangesNothing()
    {
        ScheduleDocument document;
        document.reset(zbV());
        Project next = document.project();
        next.family->options.microBatches = 0;
        const Project before = document.project();
        const Result<void> changed = document.change(next, QStringLiteral("none"));
        QVERIFY(!changed);
        QVERIFY(!changed.error().message.empty());
        QVERIFY(document.project() == before);
        QCOMPARE(document.undoStack().count(), 0);
    }

    void aSavedProjectOpensAsItWas()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.pipewright.json"));
        ScheduleDocument document;
        document.reset(zbV());
        QVERIFY(document.change(zbV(12), QStringLiteral("m")));
        QVERIFY(document.save(path));
        QVERIFY(!document.modified());
        ScheduleDocument other;
        QVERIFY(other.open(path));
        QVERIFY(other.project() == document.project());
        QCOMPARE(other.path(), path);
        const Result<void> missing = other.open(folder.filePath(QStringLiteral("none")));
        QVERIFY(!missing);
        QVERIFY(other.project() == document.project());
    }
};

QTEST_GUILESS_MAIN(TestScheduleDocument)
#include "tst_schedule_document.moc"
