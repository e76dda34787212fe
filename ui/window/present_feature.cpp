// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/pages/page.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/time_axis.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/laser_pointer.h"
#include "ui/window/main_window.h"
#include "ui/window/stage_curtain.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPointer>
#include <QScreen>
#include <QStatusBar>
#include <QTimer>
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
            press(static_cast<QKeyEvent&>(*event));
            return true;
        }
        // Once the layout has given the parts their places.
        if (m_curtain && target == m_page && event->type() == QEvent::Resize)
            QTimer::singleShot(0, m_curtain.data(), &StageCurtain::arrange);
        // Cards that come under the pointer would cover what is pointed at.
        if (m_laser && event->type() == QEvent::MouseMove &&
            static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton)
            return true;
        return QObject::eventFilter(target, event);
    }

private:
    bool isOurs(const QEvent& event) const
    {
        const auto& key = static_cast<const QKeyEvent&>(event);
        const auto modifiers = key.modifiers() & ~Qt::KeypadModifier;
        const QWidget* focus = QApplication::focusWidget();
        const bool typing = qobject_cast<const QLineEdit*>(focus) != nullptr &&
                            focus->objectName() == QLatin1String("annotation-words");
        if (typing || QApplication::activeModalWidget() != nullptr)
            return false;
        if (m_curtain && m_curtain->hasCards() &&
            ((key.key() == Qt::Key_N && (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier) ||
             (key.key() == Qt::Key_C && modifiers == Qt::NoModifier)))
            return true;
        if (modifiers != Qt::NoModifier)
            return false;
        const int keys[] = {Qt::Key_Right, Qt::Key_Left, Qt::Key_PageDown, Qt::Key_PageUp,
                            Qt::Key_Space, Qt::Key_Home, Qt::Key_L,        Qt::Key_Escape};
        return std::find(std::begin(keys), std::end(keys), key.key()) != std::end(keys);
    }

    void press(const QKeyEvent& pressed)
    {
        auto* playback = m_page ? m_page->playback() : nullptr;
        const int key = pressed.key();
        if (key == Qt::Key_Escape || playback == nullptr)
            return leave();
        if (key == Qt::Key_L)
            point();
        else if (key == Qt::Key_N)
            m_curtain->walkCards(pressed.modifiers() & Qt::ShiftModifier ? -1 : 1);
        else if (key == Qt::Key_C)
            m_curtain->toggleCards();
        else if (key == Qt::Key_Right || key == Qt::Key_PageDown)
            playback->step(1);
        else if (key == Qt::Key_Left || key == Qt::Key_PageUp)
            playback->step(-1);
        else if (key == Qt::Key_Home && m_curtain)
            m_curtain->restart();
        else if (key == Qt::Key_Home)
            playback->setTime(0);
        else
            playback->toggle();
    }

    /// The laser pointer comes, or goes.
    void point()
    {
        if (LaserPointer* gone = m_laser.data()) {
            m_laser.clear(); // the filter is asked while it goes
            delete gone;
        } else {
            m_laser = new LaserPointer(m_page);
        }
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
        // Once it was maximized, or full, it is so again afterwards.
        m_before = m_window.windowState();
        m_window.setAlone(true);
        const QObjectList parts = m_window.children();
        for (QObject* part : parts)
            hide(qobject_cast<QDockWidget*>(part));
        hide(&m_window.tools());
        hide(m_window.statusBar());
        hide(&m_window.tabs());
        // The menu bar keeps its commands' keys alive; it is made flat, not hidden.
        m_menuHeight = m_window.menuBar()->maximumHeight();
        m_window.menuBar()->setMaximumHeight(0);
        m_font = m_page->font();
        const int height = m_window.screen()->size().height();
        TimeAxis::setLetterScale(stageScale(height)); // of what is told of it by the next line
        m_page->setFont(stageFont(m_font, height));
        m_window.setWindowState(m_before | Qt::WindowFullScreen);
        m_window.show();
        if (!m_page->timelines().empty() && qobject_cast<QVBoxLayout*>(m_page->layout()) != nullptr)
            m_curtain = new StageCurtain(*m_page, this);
        else
            m_page->playback()->setTime(0);
        qApp->installEventFilter(this);
    }

    void leave()
    {
        if (!m_on)
            return;
        m_on = false;
        qApp->removeEventFilter(this);
        delete m_laser;
        delete m_curtain;
        TimeAxis::setLetterScale(1);
        if (m_page) {
            m_page->setFont(m_font);
            if (auto* playback = m_page->playback(); playback != nullptr && playback->time())
                playback->close();
        }
        m_window.menuBar()->setMaximumHeight(m_menuHeight);
        for (const QPointer<QWidget>& widget : m_hidden)
            if (widget)
                widget->show();
        m_hidden.clear();
        m_window.setAlone(false);
        m_window.setWindowState((m_window.windowState() & Qt::WindowMinimized) | m_before);
    }

    MainWindow& m_window;
    QPointer<Page> m_page;
    bool m_on = false;
    Qt::WindowStates m_before;
    int m_menuHeight = 0;
    QFont m_font;
    QPointer<StageCurtain> m_curtain;
    QPointer<LaserPointer> m_laser;
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
                            "to event, Space plays, N turns the cards of the notes, L is a laser "
                            "pointer, Esc leaves."),
         .group = 80,
         .whyNot = [stage] { return stage->whyNot(); }},
        stage, [stage] { stage->toggle(); });
}

} // namespace pw::ui
