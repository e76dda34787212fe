// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// How long the window is deaf: for what a person does with large schedules and with families that
// search, the longest time in which its event loop does not turn. Build the release preset, then:
//   QT_QPA_PLATFORM=offscreen build/release/tests/bench_blocked [TEXT…]
//
// With texts only the lines that have one of them.

#include "core/edit/compose.h"
#include "core/io/project_file.h"
#include "tests/support/heartbeat.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"
#include "ui/export/export_dialog.h"
#include "ui/keep/autosave.h"
#include "ui/models/palette_item.h"
#include "ui/presentation.h"
#include "ui/timeline/drag_controller.h"
#include "ui/timeline/drop_controller.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QMimeData>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include <algorithm>
#include <cstdio>
#include <functional>

namespace {

using namespace pw;
using namespace pw::ui;

/// Different times, so that a search has something to look for.
UniformCosts unequal()
{
    UniformCosts costs;
    costs.forward = 10'000'000;
    costs.backward = 11'300'000;
    costs.weight = 8'700'000;
    costs.hop = 700'000;
    return costs;
}

Project projectFor(const char* family, int devices, int microBatches)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    return projectOf(family, options, unequal());
}

/// The same with an order of its own.
Project ownOrder(const char* family, int devices, int microBatches)
{
    Project project = projectFor(family, devices, microBatches);
    project.draft = *draftOf(project);
    project.family.reset();
    return project;
}

class Bench
{
public:
    Bench()
        : m_wanted(QApplication::arguments().mid(1))
    {
        m_window.resize(1920, 1080);
        m_window.show();
        settle(300);
    }

    MainWindow& window() { return m_window; }
    SchedulePage& page() { return *m_window.schedulePage(); }
    ScheduleDocument& document() { return page().document(); }
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    void open(const Project& project)
    {
        m_window.openProject(project);
        settle(100);
    }

    /// Does it, and goes on until nothing has happened for a while.
    void line(const char* what, const std::function<void()>& work)
    {
        if (!m_wanted.isEmpty() &&
            std::none_of(m_wanted.cbegin(), m_wanted.cend(), [what](const QString& part) {
                return QString::fromUtf8(what).contains(part);
            }))
            return;
        settle(50);
        m_heart.start();
        work();
        do
            settle(300);
        while (workers().activeThreadCount() > 0);
        settle(300);
        const double longest = m_heart.longest();
        std::printf("  %-58s %8.0f ms %s\n", what, longest, longest > 100 ? "*" : "");
        std::fflush(stdout);
    }

    void closeAll()
    {
        for (Page* page : m_window.pages()) {
            if (auto* schedule = qobject_cast<SchedulePage*>(page))
                schedule->document().undoStack().setClean();
            m_window.closePage(page);
        }
        settle(20);
    }

    void settle(int milliseconds)
    {
        QElapsedTimer clock;
        clock.start();
        do
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        while (clock.elapsed() < milliseconds);
    }

private:
    QStringList m_wanted;
    QTemporaryDir m_folder;
    MainWindow m_window;
    test::Heartbeat m_heart;
};

void searching(Bench& bench)
{
    std::printf("Families that search, unequal times\n");
    for (const char* family : {"zb-auto", "v-auto"})
        for (const auto& [devices, microBatches] :
             {std::pair{8, 16}, std::pair{16, 32}, std::pair{16, 64}, std::pair{32, 128}}) {
            const std::string what = std::string("open ") + family + " " + std::to_string(devices) +
                                     " x " + std::to_string(microBatches);
            bench.line(what.c_str(), [&bench, one = family, p = devices, m = microBatches] {
                bench.window().openProject(projectFor(one, p, m));
            });
            bench.closeAll();
        }
    bench.open(projectFor("v-auto", 8, 16));
    auto* devices = bench.window().findChild<QSpinBox*>(QStringLiteral("devices"));
    bench.line("spec panel: v-auto from 8 to 16 devices", [&] { devices->setValue(16); });
    bench.line("undo of it", [&] { bench.document().undoStack().undo(); });
    bench.line("redo of it", [&] { bench.document().undoStack().redo(); });
    bench.line("move a pass of v-auto 16 x 16", [&] {
        bench.page().timeline().select({3, 20});
        bench.page().drag().moveByOne(1);
    });
    bench.line("free edit of v-auto: a pass over the lanes", [&] {
        QMimeData* data = PaletteItem{PaletteKind::Pass, QStringLiteral("F")}.mimeData();
        QDragEnterEvent enter(QPoint(300, 100), Qt::CopyAction, data, Qt::LeftButton,
                              Qt::NoModifier);
        QCoreApplication::sendEvent(bench.page().timeline().viewport(), &enter);
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(bench.page().timeline().viewport(), &leave);
        delete data;
    });
    bench.closeAll();
    bench.open(projectFor("1f1b", 16, 32));
    bench.line("v-auto 16 x 32 held over the lanes", [&] {
        QMimeData* data = PaletteItem{PaletteKind::Family, QStringLiteral("v-auto")}.mimeData();
        QDragEnterEvent enter(QPoint(300, 100), Qt::CopyAction, data, Qt::LeftButton,
                              Qt::NoModifier);
        QCoreApplication::sendEvent(bench.page().timeline().viewport(), &enter);
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(bench.page().timeline().viewport(), &leave);
        delete data;
    });
    bench.line("v-auto 16 x 32 dropped", [&] {
        bench.page().findChild<DropController*>()->place(
            {PaletteKind::Family, QStringLiteral("v-auto")});
    });
    bench.closeAll();
}

/// Changes of a schedule of explicit orders, large as it is.
void largeEdits(Bench& bench)
{
    bench.line("move a pass by a key", [&] {
        bench.page().timeline().select({30, 600});
        bench.page().drag().moveByOne(1);
    });
    bench.line("undo of it", [&] { bench.document().undoStack().undo(); });
    bench.document().setFreeEdit(true);
    bench.line("free edit: delete a pass", [&] {
        bench.page().timeline().select({30, 600});
        bench.window().commands().action(QStringLiteral("edit.delete"))->trigger();
    });
    bench.line("free edit: another pass is moved", [&] {
        bench.page().timeline().select({31, 700});
        bench.page().drag().moveByOne(-1);
    });
    bench.line("finish the rest", [&] {
        bench.window()
            .commands()
            .action(QStringLiteral("schedule.finish.backward-first"))
            ->trigger();
    });
    bench.line("a block over the lanes", [&] {
        QMimeData* data = PaletteItem{PaletteKind::Block, QStringLiteral("zb-v")}.mimeData();
        QDragEnterEvent enter(QPoint(300, 100), Qt::CopyAction, data, Qt::LeftButton,
                              Qt::NoModifier);
        QCoreApplication::sendEvent(bench.page().timeline().viewport(), &enter);
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(bench.page().timeline().viewport(), &leave);
        delete data;
    });
    bench.line("autosave", [&] {
        if (auto* autosave = bench.window().findChild<Autosave*>())
            autosave->keepNow();
    });
}

void largeExports(Bench& bench)
{
    for (const char* format : {"torch-csv", "chrome-json", "table", "text"}) {
        const std::string what = std::string("export ") + format;
        bench.line(what.c_str(), [&bench, one = format] {
            bench.window()
                .commands()
                .action(QStringLiteral("file.export-") + QString::fromLatin1(one))
                ->trigger();
            bench.settle(50);
            if (auto* dialog = bench.window().findChild<QFileDialog*>())
                dialog->reject();
        });
    }
    bench.line("the export dialog of figures", [&] {
        bench.window().commands().action(QStringLiteral("file.export-figure"))->trigger();
    });
    for (const char* ending : {"svg", "pdf", "png"}) {
        if (bench.window().findChild<ExportDialog*>() == nullptr)
            bench.window().commands().action(QStringLiteral("file.export-figure"))->trigger();
        bench.settle(300);
        const std::string what = std::string("export of a figure as ") + ending;
        bench.line(what.c_str(), [&bench, one = ending] {
            auto* dialog = bench.window().findChild<ExportDialog*>();
            dialog->writeTo(bench.file("figure.") + QString::fromLatin1(one));
        });
        bench.settle(100);
    }
}

void large(Bench& bench)
{
    std::printf("64 x 512, zb-v: 196,608 passes\n");
    const Project family = projectFor("zb-v", 64, 512);
    const Project own = ownOrder("zb-v", 64, 512);
    (void)saveProject(own, bench.file("own.pipewright.json").toStdString());
    bench.line("open the family", [&] { bench.window().openProject(family); });
    bench.line("spec panel: another time of F", [&] {
        Project next = bench.document().project();
        std::get<UniformCosts>(next.costs).forward += 1'000'000;
        (void)bench.document().change(std::move(next), QStringLiteral("F"));
    });
    bench.line("undo of it", [&] { bench.document().undoStack().undo(); });
    bench.line("duplicate as a new tab", [&] {
        bench.window().commands().action(QStringLiteral("file.duplicate"))->trigger();
    });
    bench.closeAll();
    bench.line("open a file of the orders",
               [&] { bench.window().open(bench.file("own.pipewright.json")); });
    bench.closeAll();
    bench.line("open a project of the orders", [&] { bench.window().openProject(own); });
    if (bench.window().schedulePage() == nullptr)
        bench.open(own);
    largeEdits(bench);
    bench.line("save", [&] { (void)bench.document().save(bench.file("saved.pipewright.json")); });
    largeExports(bench);
    bench.closeAll();
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    applyGround(application, Ground::Light);
    Bench bench;
    searching(bench);
    large(bench);
    return 0;
}
