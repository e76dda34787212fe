// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/page_docks.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QScopedValueRollback>

namespace pw::ui {

namespace {

/// After the last change of the window's size: nothing moves while it is being resized.
constexpr int resizedMs = 250;

QString lessonId()
{
    return QStringLiteral("lesson");
}

/// Whether a dock is shown, or will be with its window.
bool isShown(const QDockWidget& dock)
{
    return !dock.isHidden() || !dock.testAttribute(Qt::WA_WState_ExplicitShowHide);
}

} // namespace

bool besideSchedules(const InFront& front)
{
    return !front.level &&
           (front.page == nullptr || qobject_cast<const SchedulePage*>(front.page) != nullptr);
}

bool besideRuns(const InFront& front)
{
    return besideSchedules(front) || qobject_cast<const RunPage*>(front.page) != nullptr;
}

PageDocks::PageDocks(MainWindow& window)
    : QObject(&window)
    , m_window(window)
{
    m_resized.setSingleShot(true);
    m_resized.setInterval(resizedMs);
    connect(&m_resized, &QTimer::timeout, this, &PageDocks::arrange);
    connect(&window, &MainWindow::dockAdded, this, &PageDocks::watch);
    connect(&window, &MainWindow::layoutRestored, this, [this] {
        adopt();
        arrange();
    });
    connect(&window, &MainWindow::pageChanged, this, &PageDocks::followPage);
    connect(&window, &MainWindow::figuresChanged, this, &PageDocks::followDetails);
    connect(&window, &MainWindow::levelChanged, this, &PageDocks::arrange);
    connect(&window, &MainWindow::aloneChanged, this, [this] {
        if (m_window.alone())
            noteFront();
        arrange();
    });
    // The layout that is kept is that of schedules.
    connect(&window, &MainWindow::closing, this, [this] { arrangeFor({}, false); });
    window.installEventFilter(this);
}

bool PageDocks::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == &m_window && m_adopted)
        m_resized.start();
    return QObject::eventFilter(watched, event);
}

void PageDocks::watch(QDockWidget* dock)
{
    connect(dock->toggleViewAction(), &QAction::toggled, this,
            [this, dock](bool on) { noteToggle(dock, on); });
}

void PageDocks::adopt()
{
    m_adopted = true;
    m_unwanted.clear();
    // No lesson is open when a window comes back.
    for (QDockWidget* dock : m_window.docks())
        if (!isShown(*dock) || dock->objectName() == lessonId())
            m_unwanted.insert(dock);
}

InFront PageDocks::inFront() const
{
    InFront front{m_window.page(), false};
    QDockWidget* lesson = m_window.dock(lessonId());
    front.level =
        lesson != nullptr && m_unwanted.count(lesson) == 0 && m_window.belongs(*lesson, front);
    return front;
}

/// What a person opens or closes counts wherever the panel belongs.
void PageDocks::noteToggle(QDockWidget* dock, bool on)
{
    if (m_arranging || !m_adopted || m_window.alone())
        return;
    const auto note = [dock](std::set<QDockWidget*>& set, bool in) {
        if (in)
            set.insert(dock);
        else
            set.erase(dock);
    };
    const InFront front = inFront();
    const bool lesson = dock->objectName() == lessonId();
    if (!lesson && !m_window.belongs(*dock, front))
        return note(m_extra, on);
    if (m_low && isBelow(dock))
        return note(m_inLow, on);
    note(m_unwanted, !on);
    if (lesson)
        arrange();
}

void PageDocks::followPage()
{
    if (!m_adopted)
        adopt();
    noteFront();
    m_extra.clear();
    arrange();
}

/// A page may come to have something to be said beside it.
void PageDocks::followDetails()
{
    if (m_adopted && m_window.page() != nullptr && m_window.schedulePage() == nullptr)
        arrange();
}

bool PageDocks::isBelow(QDockWidget* dock) const
{
    return m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea && !dock->isFloating();
}

bool PageDocks::tooLow() const
{
    const Page* page = m_window.page();
    return page != nullptr &&
           m_window.height() < page->linesWanted() * m_window.fontMetrics().height();
}

void PageDocks::arrange()
{
    if (!m_adopted)
        return;
    m_low = tooLow();
    if (!m_low)
        m_inLow.clear();
    arrangeFor(inFront(), m_low);
}

void PageDocks::arrangeFor(const InFront& front, bool low)
{
    const QScopedValueRollback arranging(m_arranging, true);
    bool moved = false;
    for (QDockWidget* dock : m_window.docks()) {
        const bool alone = m_window.alone();
        if (dock->isFloating() && !dock->isHidden() && !alone)
            continue; // it takes nobody's room
        const bool room = !low || !isBelow(dock) || m_inLow.count(dock) > 0;
        const bool wanted = m_window.belongs(*dock, front) && m_unwanted.count(dock) == 0 && room;
        const bool shown = !alone && (wanted || m_extra.count(dock) > 0);
        if (shown == isShown(*dock))
            continue;
        dock->setVisible(shown);
        moved = true;
    }
    const QString kind = front.page == nullptr ? QStringLiteral("none")
                         : front.level         ? lessonId()
                                       : QString::fromLatin1(front.page->metaObject()->className());
    if (moved || kind != m_kind) {
        m_kind = kind;
        bringToFront();
    }
}

/// Which of the panels below is in front, before the page that they stand under goes.
void PageDocks::noteFront()
{
    if (m_kind.isEmpty() || !m_window.isVisible())
        return;
    for (QDockWidget* dock : m_window.docks())
        if (isBelow(dock) && !dock->visibleRegion().isEmpty())
            m_fronts[m_kind] = dock;
}

/// The panel below that was in front of its neighbours under a page of this kind, else the first.
void PageDocks::bringToFront()
{
    QDockWidget* front = nullptr;
    if (const auto known = m_fronts.find(m_kind); known != m_fronts.end())
        front = known->second;
    if (front == nullptr || !isShown(*front))
        front = m_window.dock(QStringLiteral("runs"));
    if (front != nullptr && isShown(*front) && isBelow(front))
        front->raise();
}

void addDocks(MainWindow& window)
{
    new PageDocks(window);
}

} // namespace pw::ui
