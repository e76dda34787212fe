// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/explanation.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/panels/explain_panel.h"
#include "ui/panels/findings.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/glossary_word.h"
#include "ui/window/main_window.h"
#include "ui/window/page_docks.h"
#include "ui/window/schedule_page.h"
#include "ui/window/schedule_source.h"
#include "ui/window/studio.h"

#include <QApplication>
#include <QDockWidget>
#include <QMouseEvent>
#include <QPointer>

namespace pw::ui {

namespace {

/// What is explained of the page in front, and the gap that was pointed at last.
class Explaining : public QObject
{
public:
    explicit Explaining(Studio& studio)
        : QObject(&studio.window)
        , m_window(studio.window)
        , m_panel(new ExplainPanel(&m_window))
        , m_dock(m_window.addDock(QStringLiteral("explain"), MainWindow::tr("Explain"), m_panel,
                                  Qt::RightDockWidgetArea, [](const InFront& front) {
                                      return front.level || besideSchedules(front);
                                  }))
    {
        MainWindow& window = m_window;
        m_dock->hide();
        connect(m_panel, &ExplainPanel::topicAsked, this, &Explaining::showTopic);
        connect(m_panel, &ExplainPanel::wordAsked, &window,
                [&studio](int word) { showGlossaryWord(studio, word); });
        connect(&window, &MainWindow::selectionChanged, this, [this] {
            if (m_dock->isVisible() && selected() >= 0)
                showEntry(selected());
        });
        connect(&window, &MainWindow::pageAdded, this, [this](Page* page) {
            if (auto* schedule = qobject_cast<SchedulePage*>(page)) {
                schedule->timeline().viewport()->installEventFilter(this);
                connect(&schedule->timeline(), &TimelineView::hovered, this,
                        [this](SpanRef span, int lane, double time) { hover(span, lane, time); });
            }
        });
        connect(&window, &MainWindow::figuresChanged, this, &Explaining::follow);
        connect(&window, &MainWindow::pageChanged, this, &Explaining::follow);
    }

    QString whyNot() const
    {
        const SchedulePage* page = m_window.schedulePage();
        if (page == nullptr)
            return MainWindow::tr("No schedule is in front.");
        return page->document().schedule() ? QString() : page->document().problem();
    }

    /// The gap under the pointer, else the selected pass, else the gap that was pointed at last,
    /// else the makespan.
    void explain()
    {
        if (!whyNot().isEmpty())
            return;
        m_dock->show();
        m_dock->raise();
        if (m_hovered && m_lane >= 0)
            showAt(m_lane, m_time);
        else if (selected() >= 0)
            showEntry(selected());
        else if (m_lane >= 0)
            showAt(m_lane, m_time);
        else
            showTopic(ExplainPanel::Topic::Makespan);
    }

    /// A click on idle time while the panel is there.
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (m_dock->isVisible() && event->type() == QEvent::MouseButtonRelease && m_hovered &&
            m_lane >= 0)
            if (const auto* mouse = static_cast<QMouseEvent*>(event);
                mouse->button() == Qt::LeftButton)
                showAt(m_lane, m_time);
        return QObject::eventFilter(watched, event);
    }

private:
    /// The schedule has changed, or another page is in front: numbers of before would be wrong.
    void follow()
    {
        m_lane = DeviceId::none();
        if (!m_dock->isVisible())
            return;
        if (selected() >= 0)
            showEntry(selected());
        else
            showTopic(m_topic);
    }

    void hover(SpanRef span, int lane, double time)
    {
        m_hovered = lane >= 0 && !span.valid();
        if (lane >= 0)
            m_lane = span.valid() ? DeviceId::none() : DeviceId(lane);
        if (m_lane >= 0 && lane >= 0)
            m_time = time;
    }

    /// Entry of the selected pass.
    EntryId selected() const
    {
        SchedulePage* page = m_window.schedulePage();
        if (page == nullptr || !page->document().schedule())
            return {};
        const SpanRef span = page->timeline().current();
        if (!page->document().lanes()->holds(span))
            return {};
        return page->document().times().entry(DeviceId(span.lane),
                                              static_cast<std::size_t>(span.index));
    }

    void take(const Result<Explanation>& explanation)
    {
        if (!explanation)
            return m_panel->showNote(coreSentence(explanation.error().message));
        ++m_taken;
        m_panel->show(*explanation);
        SchedulePage* page = m_window.schedulePage();
        LitLayer layer;
        for (const EntryId entry : explanation->entries)
            layer.lit.push_back(spanOf(page->document(), entry));
        page->timeline().setLayer(std::move(layer));
    }

    void showEntry(EntryId entry)
    {
        const ScheduleDocument& document = m_window.schedulePage()->document();
        take(explainEntry(*document.schedule(), document.costs(), document.result(), entry));
    }

    void showAt(DeviceId device, double time)
    {
        if (!whyNot().isEmpty())
            return;
        const ScheduleDocument& document = m_window.schedulePage()->document();
        take(explainAt(*document.schedule(), document.costs(), document.result(), device,
                       static_cast<Ticks>(time)));
    }

    void showTopic(ExplainPanel::Topic topic)
    {
        m_topic = topic;
        if (const QString why = whyNot(); !why.isEmpty())
            return m_panel->showNote(why);
        const ScheduleDocument& document = m_window.schedulePage()->document();
        const Schedule& schedule = *document.schedule();
        if (topic == ExplainPanel::Topic::Bubble)
            take(explainBubble(schedule, document.costs(), document.result()));
        else if (topic == ExplainPanel::Topic::Memory)
            take(explainMemory(schedule, document.costs(), document.result()));
        else
            explainEnd(document);
    }

    /// The bound of many passes takes a moment: it is found beside the window's work.
    void explainEnd(const ScheduleDocument& document)
    {
        const std::shared_ptr<const Schedule> schedule = document.schedule();
        const auto explained = [schedule, costs = document.costs(), result = document.result()] {
            return explainMakespan(*schedule, costs, result,
                                   provenBound(*schedule, costs, result, &searchedBounds()));
        };
        constexpr std::int32_t atOnce = 4000;
        if (schedule->entryCount() <= atOnce)
            return take(explained());
        m_panel->showNote(MainWindow::tr("Looking for what no order goes below …"));
        inBackground(this,
                     [this, schedule, explained, before = m_taken]() -> std::function<void()> {
                         auto found = std::make_shared<const Explanation>(explained());
                         return [this, schedule, found, before] {
                             const SchedulePage* page = m_window.schedulePage();
                             if (page != nullptr && page->document().schedule() == schedule &&
                                 m_taken == before)
                                 take(*found);
                         };
                     });
    }

    MainWindow& m_window;
    ExplainPanel* m_panel;
    QDockWidget* m_dock;
    ExplainPanel::Topic m_topic = ExplainPanel::Topic::Makespan; ///< that was asked for last
    DeviceId m_lane; ///< of the gap that was pointed at last
    double m_time = 0;
    int m_taken = 0; ///< explanations so far
    bool m_hovered = false;
};

} // namespace

void addExplaining(Studio& studio)
{
    MainWindow& window = studio.window;
    auto* explaining = new Explaining(studio);
    window.commands().add(
        {.id = QStringLiteral("schedule.explain"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("E&xplain"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+X")),
         .tip = MainWindow::tr("Three sentences with the numbers of this schedule: on the idle "
                               "time under the pointer, or on the selected pass."),
         .group = 40,
         .whyNot = [explaining] { return explaining->whyNot(); }},
        explaining, [explaining] { explaining->explain(); });
}

} // namespace pw::ui
