// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/bubble_chart.h"
#include "ui/pages/page.h"
#include "ui/timeline/kind_legend.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/schedule_source.h"
#include "ui/window/stage_card.h"
#include "ui/workspace/chart_stack.h"
#include "ui/workspace/timeline_workspace.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QPointer>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace pw::ui {

namespace {

/// Shows the timeline in front to a room: the whole screen, large type, nothing beside it, and the
/// keys of a clicker go from event to event.
class Stage : public QObject
{
public:
    explicit Stage(MainWindow& window)
        : QObject(&window)
        , m_window(window)
    {
        connect(&window, &MainWindow::closing, this, [this] { leave(); });
        connect(&window, &MainWindow::pageClosing, this, [this](Page* page) {
            if (page == m_page)
                leave();
        });
    }

    QString whyNot() const
    {
        Page* page = m_window.page();
        const bool timeline = page != nullptr && page->playback() != nullptr;
        return timeline || m_on ? QString() : MainWindow::tr("No timeline is in front.");
    }

    void toggle()
    {
        if (m_on)
            leave();
        else if (whyNot().isEmpty())
            enter();
    }

protected:
    bool eventFilter(QObject* target, QEvent* event) override
    {
        if (m_on && event->type() == QEvent::ShortcutOverride && isOurs(*event)) {
            event->accept(); // then it comes as a key
            return true;
        }
        if (m_on && event->type() == QEvent::KeyPress && isOurs(*event)) {
            press(static_cast<QKeyEvent*>(event)->key());
            return true;
        }
        return QObject::eventFilter(target, event);
    }

private:
    bool isOurs(const QEvent& event) const
    {
        const auto& key = static_cast<const QKeyEvent&>(event);
        const auto modifiers = key.modifiers() & ~Qt::KeypadModifier;
        if (modifiers != Qt::NoModifier || QApplication::activeModalWidget() != nullptr)
            return false;
        const int keys[] = {Qt::Key_Right, Qt::Key_Left, Qt::Key_PageDown, Qt::Key_PageUp,
                            Qt::Key_Space, Qt::Key_Home, Qt::Key_Escape};
        return std::find(std::begin(keys), std::end(keys), key.key()) != std::end(keys);
    }

    void press(int key)
    {
        auto* playback = m_page ? m_page->playback() : nullptr;
        if (key == Qt::Key_Escape || playback == nullptr)
            return leave();
        if (key == Qt::Key_Right || key == Qt::Key_PageDown)
            playback->step(1);
        else if (key == Qt::Key_Left || key == Qt::Key_PageUp)
            playback->step(-1);
        else if (key == Qt::Key_Home)
            playback->setTime(0);
        else
            playback->toggle();
    }

    /// The topmost timeline of the page; null: it has none.
    TimelineView* shown() const
    {
        const std::vector<TimelineView*> views = m_page->timelines();
        return views.empty() ? nullptr : views.front();
    }

    /// Takes what is beside the timeline away, and remembers it.
    void hide(QWidget* widget)
    {
        if (widget == nullptr || widget->isHidden())
            return;
        widget->hide();
        m_hidden.emplace_back(widget);
    }

    void enter()
    {
        m_page = m_window.page();
        m_on = true;
        m_wasFull = m_window.isFullScreen();
        const std::vector<QDockWidget*> docks = m_window.docks();
        for (QDockWidget* dock : docks)
            hide(dock);
        hide(&m_window.tools());
        hide(m_window.statusBar());
        if (auto* tabs = qobject_cast<QTabWidget*>(m_window.centralWidget()))
            hide(tabs->tabBar());
        // The menu bar keeps its commands' keys alive; it is made flat, not hidden.
        m_menuHeight = m_window.menuBar()->maximumHeight();
        m_window.menuBar()->setMaximumHeight(0);
        m_font = m_page->font();
        QFont large = m_font;
        large.setPointSizeF(large.pointSizeF() * 1.5);
        m_page->setFont(large);
        m_window.showFullScreen();
        if (TimelineView* timeline = shown(); timeline != nullptr) {
            m_laneHeight = timeline->laneHeight();
            const int lanes =
                timeline->lanes() ? static_cast<int>(timeline->lanes()->lanes().size()) : 1;
            timeline->setLaneHeight(std::clamp(
                (low() ? m_window.height() * 2 / 5 : m_window.height() / 2) / std::max(1, lanes),
                24, 110));
        }
        qApp->installEventFilter(this);
        raiseCurtain();
    }

    /// A projector of few pixels, or one whose text is large: the lanes come first.
    bool low() const
    {
        constexpr int lowStage = 640;
        return m_window.height() < lowStage;
    }

    /// A title above, and below the lanes what happens; what has not happened yet is pale.
    void raiseCurtain()
    {
        auto* playback = m_page->playback();
        auto* layout = qobject_cast<QVBoxLayout*>(m_page->layout());
        auto* timeline = shown();
        if (playback == nullptr || layout == nullptr || timeline == nullptr)
            return;
        if (TimelineWorkspace* workspace = m_page->workspace()) {
            hide(workspace->overview());
            hide(workspace->legend());
            m_chainWas = workspace->criticalShown();
            workspace->setCriticalShown(true);
            if (low())
                hide(&workspace->charts().bubble());
        }
        m_title = new QLabel(m_page->title(), m_page);
        m_title->setTextFormat(Qt::PlainText);
        m_title->setObjectName(QStringLiteral("stage-title"));
        QFont bold = m_page->font();
        bold.setWeight(QFont::DemiBold);
        bold.setPointSizeF(bold.pointSizeF() * 1.3);
        m_title->setFont(bold);
        m_title->setContentsMargins(14, 10, 14, 6);
        layout->insertWidget(0, m_title);
        m_card = new StageCard(m_page);
        layout->addWidget(m_card);
        playback->setSentenceShown(false);
        connect(playback, &Playback::moved, m_card, [this] { tell(); });
        playback->setTime(0);
        playback->show();
    }

    void dropCurtain()
    {
        delete m_title;
        delete m_card;
        if (TimelineWorkspace* workspace = m_page ? m_page->workspace() : nullptr) {
            workspace->charts().setGrown(std::nullopt);
            workspace->setCriticalShown(m_chainWas);
        }
        auto* timeline = m_page ? shown() : nullptr;
        if (timeline == nullptr)
            return;
        Overlay overlay = timeline->overlay();
        overlay.futurePale = false;
        overlay.lit.clear();
        overlay.litArrows.clear();
        timeline->setOverlay(std::move(overlay));
    }

    /// The passes that start now glow, and messages come to them from what they waited for.
    void tell()
    {
        auto* playback = m_page->playback();
        auto* timeline = shown();
        const Lanes& lanes = *timeline->lanes();
        if (!playback->time() || !m_card)
            return;
        const auto now = static_cast<Ticks>(*playback->time());
        Overlay overlay = timeline->overlay();
        m_card->tell(lanes, now, playback->sentence(), overlay.critical);
        // What has not happened has no memory yet.
        if (TimelineWorkspace* workspace = m_page->workspace())
            workspace->charts().setGrown(playback->time());
        overlay.futurePale = true;
        overlay.lit.clear();
        overlay.litArrows.clear();
        const auto* schedule = qobject_cast<SchedulePage*>(m_page);
        for (std::size_t lane = 0; lane < lanes.lanes().size(); ++lane) {
            const std::int64_t at = lanes.lanes()[lane].at(now);
            if (at < 0)
                continue;
            const SpanRef span{static_cast<std::int32_t>(lane), at};
            overlay.lit.push_back(span);
            const bool starts = lanes.lanes()[lane].start[static_cast<std::size_t>(at)] == now;
            if (schedule == nullptr || !starts)
                continue;
            for (const SpanRef from : linkedSpans(schedule->document(), span, false))
                if (from.lane != span.lane)
                    overlay.litArrows.push_back({from, span});
        }
        timeline->setOverlay(std::move(overlay));
    }

    void leave()
    {
        if (!m_on)
            return;
        m_on = false;
        qApp->removeEventFilter(this);
        if (m_page) {
            m_page->setFont(m_font);
            if (auto* timeline = shown())
                timeline->setLaneHeight(m_laneHeight);
            if (auto* playback = m_page->playback()) {
                playback->setSentenceShown(true);
                playback->close();
            }
            dropCurtain();
        }
        m_window.menuBar()->setMaximumHeight(m_menuHeight);
        for (const QPointer<QWidget>& widget : m_hidden)
            if (widget)
                widget->show();
        m_hidden.clear();
        if (!m_wasFull)
            m_window.showNormal();
    }

    MainWindow& m_window;
    QPointer<Page> m_page;
    bool m_on = false;
    bool m_wasFull = false;
    bool m_chainWas = false; ///< shown before
    int m_laneHeight = 0;
    int m_menuHeight = 0;
    QFont m_font;
    QPointer<QLabel> m_title;
    QPointer<StageCard> m_card;
    std::vector<QPointer<QWidget>> m_hidden;
};

} // namespace

void addPresenting(MainWindow& window)
{
    auto* stage = new Stage(window);
    window.commands().add(
        {.id = QStringLiteral("view.present"),
         .menu = Menu::View,
         .text = MainWindow::tr("Presen&t"),
         .keys = QKeySequence(MainWindow::tr("F11")),
         .tip =
             MainWindow::tr("The timeline alone on the whole screen, large: → and ← go from event "
                            "to event, Space plays, Esc leaves."),
         .group = 80,
         .whyNot = [stage] { return stage->whyNot(); }},
        stage, [stage] { stage->toggle(); });
}

} // namespace pw::ui
