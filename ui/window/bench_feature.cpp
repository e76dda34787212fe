// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/rearrange.h"
#include "core/families/family.h"
#include "ui/bench/steps_view.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/timeline/time_scale.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QPointer>

#include <functional>
#include <memory>

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
        // Of a level it is the block to be worked on.
        if (m_last && !m_last->locked().isEmpty() && !m_last->document().project().blocks.empty())
            m_bench->bindTo(*m_last);
        m_window.showPage(m_bench);
        m_bench->setFocus();
        return *m_bench;
    }

    /// A step of the block on the bench; where a schedule is in front, of that schedule.
    void choose(BenchStage stage)
    {
        SchedulePage* page = m_window.schedulePage();
        if (page == nullptr)
            open().panel().steps().choose(stage);
        else if (stage == BenchStage::Repeated)
            repeatIn(*page);
        else if (stage == BenchStage::Reordered)
            reorderIn(*page);
    }

    /// Why a step cannot be done with what is in front; empty: it can.
    QString whyNot(BenchStage stage) const
    {
        const SchedulePage* page = m_window.schedulePage();
        if (page == nullptr)
            return m_window.page() == nullptr || m_window.page() == m_bench.data()
                       ? QString()
                       : MainWindow::tr("A schedule, or the bench, has to be in front.");
        const ScheduleDocument& document = page->document();
        if (document.computing())
            return MainWindow::tr("The schedule is still being computed.");
        if (stage == BenchStage::Squeezed)
            return MainWindow::tr("A schedule's passes always start as early as their order lets "
                                  "them: there is no idle time to squeeze out. Reorder changes the "
                                  "order; on the bench a block is squeezed.");
        if (stage == BenchStage::Repeated)
            return document.lanes()->spanCount() > 0
                       ? QString()
                       : MainWindow::tr("No pass has its place yet: there is nothing to repeat.");
        return document.schedule() != nullptr ? QString()
                                              : MainWindow::tr("Not every pass has its place yet.");
    }

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

    /// Of the selected pass, else the last one that has passes.
    static int microBatchIn(SchedulePage& page)
    {
        const ScheduleDocument& document = page.document();
        const SpanRef span = page.timeline().current();
        if (document.lanes()->holds(span))
            if (const Pass pass = document.lanes()->pass(span); pass.kind != PassKind::U)
                return pass.microBatch;
        int last = 0;
        for (const auto& order : document.draft().orders)
            for (const OrderEntry& entry : order)
                if (entry.pass.kind != PassKind::U)
                    last = std::max(last, entry.pass.microBatch);
        return last;
    }

    void repeatIn(SchedulePage& page)
    {
        const int microBatch = microBatchIn(page);
        const auto repeat = [microBatch](const Project& project) {
            return repeatMicroBatch(project, microBatch);
        };
        rework(page, repeat, MainWindow::tr("Repeat micro-batch %1").arg(microBatch),
               [microBatch](const Proposal& done, const ScheduleDocument& before) {
                   const auto added = static_cast<std::int64_t>(done.times.begin.back()) -
                                      before.times().begin.back();
                   return added == 1 ? MainWindow::tr("Micro-batch %1 is repeated: 1 pass more.")
                                           .arg(microBatch)
                                     : MainWindow::tr("Micro-batch %1 is repeated: %2 passes more.")
                                           .arg(microBatch)
                                           .arg(added);
               });
    }

    void reorderIn(SchedulePage& page)
    {
        rework(page, reorderPasses, MainWindow::tr("Reorder"),
               [](const Proposal& done, const ScheduleDocument& before) {
                   const auto text = [](Ticks time) {
                       return durationText(static_cast<double>(time));
                   };
                   return MainWindow::tr("Reordered: the makespan is %1 instead of %2.")
                       .arg(text(done.times.times.makespan), text(before.result().makespan));
               });
    }

    /// Does an edit that is found beside the window's work where it takes long.
    void rework(SchedulePage& page, std::function<Result<Proposal>(const Project&)> find,
                const QString& step,
                std::function<QString(const Proposal&, const ScheduleDocument&)> news)
    {
        constexpr std::int32_t manyEntries = 5'000;
        ScheduleDocument& document = page.document();
        const auto finish = [this, &document, step,
                             news = std::move(news)](const Result<Proposal>& found) {
            if (!found)
                return m_window.refuse(sentenceOf(found.error()));
            if (found->edit.changes.empty())
                return m_window.tell(MainWindow::tr(
                    "No pass of warm-up or cool-down can be moved so that the whole ends sooner: "
                    "the order stays."));
            const QString said = news(*found, document);
            if (const Result<void> done = document.edit(found->edit, step); !done)
                return m_window.refuse(sentenceOf(done.error()));
            m_window.tell(said);
        };
        if (document.times().begin.back() <= manyEntries)
            return finish(find(document.project()));
        m_window.tell(MainWindow::tr("%1 …").arg(step));
        inBackground(&document,
                     [this, finish, find = std::move(find), &document, project = document.project(),
                      lanes = document.lanes()]() -> std::function<void()> {
                         auto found = std::make_shared<const Result<Proposal>>(find(project));
                         return [this, finish, &document, lanes, found] {
                             if (document.lanes() == lanes)
                                 finish(*found);
                             else
                                 m_window.refuse(MainWindow::tr(
                                     "The schedule was changed meanwhile: it stays as it is."));
                         };
                     });
    }

    static QString sentenceOf(const Error& error)
    {
        const QString words = coreSentence(error.message);
        return words.left(1).toUpper() + words.mid(1) + QLatin1Char('.');
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
                  .group = 60,
                  .submenu = MainWindow::tr("Building block")},
                 bench, [bench] { bench->open(); });
    const auto add = [&](const char* id, const QString& text, const QString& tip, int place,
                         BenchStage stage) {
        commands.add({.id = QString::fromLatin1(id),
                      .menu = Menu::Schedule,
                      .text = text,
                      .tip = tip,
                      .group = 60,
                      .submenu = MainWindow::tr("Building block"),
                      .toolbar = place,
                      .whyNot = [bench, stage] { return bench->whyNot(stage); }},
                     bench, [bench, stage] { bench->choose(stage); });
    };
    add("schedule.repeat", MainWindow::tr("Re&peat"),
        MainWindow::tr("The passes of the selected micro-batch again for the next ones; on the "
                       "bench the block at every interval."),
        20, BenchStage::Repeated);
    add("schedule.squeeze", MainWindow::tr("S&queeze"),
        MainWindow::tr("On the bench: the repeated block without idle time that nothing asks for."),
        21, BenchStage::Squeezed);
    add("schedule.reorder", MainWindow::tr("Re&order"),
        MainWindow::tr("Passes of warm-up and cool-down move into free time, in the schedule or "
                       "on the bench."),
        22, BenchStage::Reordered);
}

} // namespace pw::ui
