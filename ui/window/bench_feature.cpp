// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "ui/bench/steps_view.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QPointer>

namespace pw::ui {

namespace {

/// The one bench of a window, opened when it is asked for.
class BenchFeature : public QObject
{
public:
    explicit BenchFeature(MainWindow& window)
        : QObject(&window)
        , m_window(window)
    {
        connect(&window, &MainWindow::pageChanged, this, &BenchFeature::follow);
        connect(&window, &MainWindow::pageClosing, this, [this](Page* page) {
            if (page != m_last)
                return;
            m_last = nullptr;
            if (m_bench)
                m_bench->setTarget(nullptr);
        });
    }

    BenchPage& open()
    {
        if (!m_bench) {
            m_bench = new BenchPage(m_window);
            m_bench->setTarget(m_last);
            begin();
            m_window.addPage(m_bench);
        }
        m_window.showPage(m_bench);
        m_bench->setFocus();
        return *m_bench;
    }

    void choose(BenchStage stage) { open().panel().steps().choose(stage); }

private:
    void follow()
    {
        if (SchedulePage* page = m_window.schedulePage(); page != nullptr)
            m_last = page;
        if (m_bench)
            m_bench->setTarget(m_last);
    }

    /// With what the schedule is made of: its family's block in its size, where there is one.
    void begin()
    {
        if (!m_last)
            return;
        BenchModel& model = m_bench->panel().model();
        const Project& project = m_last->document().project();
        const PipelineSpec& spec = project.draft.spec;
        const bool fits =
            model.setDevices(spec.devices) && model.setMicroBatches(spec.microBatches);
        if (fits && project.family) {
            if (const Result<void> started = model.startFromFamily(text(project.family->id));
                !started)
                m_bench->panel().say({}, false); // no block: the usual one will do
        }
        model.undoStack().clear();
    }

    MainWindow& m_window;
    QPointer<BenchPage> m_bench;
    QPointer<SchedulePage> m_last;
};

} // namespace

void addBench(MainWindow& window)
{
    auto* bench = new BenchFeature(window);
    Commands& commands = window.commands();
    commands.add({.id = QStringLiteral("schedule.bench"),
                  .menu = Menu::Schedule,
                  .text = MainWindow::tr("Building-block &bench"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+B")),
                  .tip = MainWindow::tr("Draws one micro-batch's passes on the devices, to be "
                                        "repeated, squeezed and reordered."),
                  .group = 60},
                 bench, [bench] { bench->open(); });
    const auto add = [&](const char* id, const QString& text, const QString& tip, int place,
                         BenchStage stage) {
        commands.add({.id = QString::fromLatin1(id),
                      .menu = Menu::Schedule,
                      .text = text,
                      .tip = tip,
                      .group = 60,
                      .toolbar = place},
                     bench, [bench, stage] { bench->choose(stage); });
    };
    add("schedule.repeat", MainWindow::tr("Re&peat"),
        MainWindow::tr("On the bench: the block again at every interval."), 20,
        BenchStage::Repeated);
    add("schedule.squeeze", MainWindow::tr("S&queeze"),
        MainWindow::tr("On the bench: the repeated block without idle time that nothing asks for."),
        21, BenchStage::Squeezed);
    add("schedule.reorder", MainWindow::tr("Re&order"),
        MainWindow::tr("On the bench: passes of warm-up and cool-down in free time."), 22,
        BenchStage::Reordered);
}

} // namespace pw::ui
