// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/main_window.h"

#include "core/families/family.h"
#include "core/io/file_problem.h"
#include "core/io/svg_figure.h"
#include "core/sim/metrics.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/palette_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabWidget>
#include <QUndoGroup>
#include <QUrl>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

QString projectFilter()
{
    return MainWindow::tr("Pipewright projects (*.pipewright.json *.json)");
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_tabs(new QTabWidget(this))
    , m_undo(new QUndoGroup(this))
    , m_palette(new PalettePanel(this))
    , m_spec(new SpecPanel(this))
    , m_inspector(new InspectorPanel(this))
    , m_figures(new QLabel(this))
    , m_told(new QLabel(this))
{
    setAcceptDrops(true);
    resize(1440, 900);
    m_tabs->setDocumentMode(true);
    m_tabs->setTabsClosable(true);
    m_tabs->setMovable(true);
    setCentralWidget(m_tabs);
    makeDocks();
    makeMenus();
    statusBar()->addWidget(m_figures);
    statusBar()->addPermanentWidget(m_told);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::showPage);
    connect(m_tabs, &QTabWidget::tabCloseRequested, this, &MainWindow::closePage);
    connect(m_palette, &PalettePanel::chosen, this, &MainWindow::choose);
    showPage();
}

void MainWindow::makeDocks()
{
    const auto dock = [this](const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* holder = new QDockWidget(title, this);
        holder->setObjectName(title);
        holder->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
        holder->setWidget(content);
        addDockWidget(area, holder);
        return holder;
    };
    dock(tr("Palette"), m_palette, Qt::LeftDockWidgetArea);
    auto* right = new QWidget(this);
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_spec);
    layout->addWidget(m_inspector, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(290);
    scroll->setWidget(right);
    dock(tr("Schedule"), scroll, Qt::RightDockWidgetArea);
}

void MainWindow::makeMenus()
{
    const auto add = [this](QMenu* menu, const QString& label, const QKeySequence& keys,
                            auto slot) {
        QAction* action = menu->addAction(label);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, tr("&New"), QKeySequence::New, [this] { openFamily(QStringLiteral("1f1b")); });
    add(file, tr("&Open…"), QKeySequence::Open, [this] { openAsked(); });
    add(file, tr("&Save"), QKeySequence::Save, [this] {
        if (page() != nullptr)
            save(*page(), false);
    });
    add(file, tr("Save &as…"), QKeySequence::SaveAs, [this] {
        if (page() != nullptr)
            save(*page(), true);
    });
    add(file, tr("&Export figure…"), QKeySequence(tr("Ctrl+E")), [this] { exportFigure(); });
    file->addSeparator();
    add(file, tr("&Close tab"), QKeySequence::Close, [this] { closePage(m_tabs->currentIndex()); });
    add(file, tr("&Quit"), QKeySequence::Quit, [this] { close(); });

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_undo->createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_undo->createRedoAction(this, tr("Redo"));
    redo->setShortcut(QKeySequence::Redo);
    edit->addActions({undo, redo});
    edit->addSeparator();
    add(edit, tr("&Find in the palette"), QKeySequence(tr("Ctrl+K")),
        [this] { m_palette->focusSearch(); });

    QMenu* view = menuBar()->addMenu(tr("&View"));
    add(view, tr("&Everything"), QKeySequence(tr("Ctrl+0")), [this] {
        if (page() != nullptr)
            page()->range().fit();
    });
    QAction* critical =
        add(view, tr("&Critical path"), QKeySequence(tr("Ctrl+Shift+C")), [this](bool shown) {
            m_criticalShown = shown;
            if (page() != nullptr)
                page()->setCriticalPathShown(shown);
        });
    critical->setCheckable(true);
    QAction* colours =
        add(view, tr("Colour by &micro-batch"), QKeySequence(tr("Ctrl+Shift+M")), [this](bool on) {
            for (int i = 0; i < m_tabs->count(); ++i)
                static_cast<SchedulePage*>(m_tabs->widget(i))
                    ->timeline()
                    .setColorBy(on ? ColorBy::MicroBatch : ColorBy::Kind);
        });
    colours->setCheckable(true);
    QAction* dark = add(view, tr("&Dark"), QKeySequence(tr("Ctrl+Shift+D")),
                        [this](bool on) { setGround(on); });
    dark->setCheckable(true);
    dark->setChecked(ground() == Ground::Dark);
    add(view, tr("&Pin for comparison"), QKeySequence(tr("Ctrl+Shift+P")), [this] {
        m_inspector->pin(page() != nullptr ? &page()->document() : nullptr);
        showFigures();
    });

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    add(help, tr("&Keys"), QKeySequence(tr("?")), [this] { showKeys(); });
}

SchedulePage* MainWindow::page() const
{
    return static_cast<SchedulePage*>(m_tabs->currentWidget());
}

SchedulePage& MainWindow::addPage()
{
    auto* made = new SchedulePage(m_tabs);
    m_undo->addStack(&made->document().undoStack());
    connect(&made->document(), &ScheduleDocument::titleChanged, this, &MainWindow::showTitles);
    connect(&made->document(), &ScheduleDocument::resultChanged, this, &MainWindow::showFigures);
    connect(made, &SchedulePage::selectionChanged, this, &MainWindow::showFigures);
    connect(made, &SchedulePage::told, m_told, &QLabel::setText);
    made->setCriticalPathShown(m_criticalShown);
    return *made;
}

bool MainWindow::open(const QString& path)
{
    SchedulePage& made = addPage();
    if (const Result<void> opened = made.document().open(path); !opened) {
        delete &made;
        QMessageBox::warning(this, tr("Not opened"),
                             QStringLiteral("%1\n\n%2").arg(path, text(opened.error().message)));
        return false;
    }
    m_tabs->setCurrentIndex(m_tabs->addTab(&made, made.document().title()));
    return true;
}

SchedulePage& MainWindow::openFamily(const QString& id)
{
    SchedulePage& made = addPage();
    made.document().reset(projectOf(id.toStdString(), FamilyOptions{}, UniformCosts{}));
    m_tabs->setCurrentIndex(m_tabs->addTab(&made, made.document().title()));
    made.timeline().setFocus();
    return made;
}

void MainWindow::choose(PaletteKind kind, const QString& id)
{
    if (kind != PaletteKind::Family) {
        statusBar()->showMessage(tr("Blocks and single passes cannot be placed yet."), 4000);
        return;
    }
    if (page() == nullptr) {
        openFamily(id);
        return;
    }
    // Another family in the same shape and with the same costs, as far as it takes them.
    ScheduleDocument& document = page()->document();
    Project next = document.project();
    FamilyOptions options = next.family ? next.family->options : FamilyOptions{};
    options.parameters.clear();
    if (!std::holds_alternative<UniformCosts>(next.costs))
        next.costs = UniformCosts{};
    next.family = FamilyChoice{id.toStdString(), options};
    next.draft.orders.clear();
    if (const Result<void> changed = document.change(std::move(next), id); !changed)
        statusBar()->showMessage(text(changed.error().message), 8000);
}

void MainWindow::showPage()
{
    m_undo->setActiveStack(page() != nullptr ? &page()->document().undoStack() : nullptr);
    m_spec->setDocument(page() != nullptr ? &page()->document() : nullptr);
    showTitles();
    showFigures();
}

void MainWindow::showTitles()
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        const ScheduleDocument& document =
            static_cast<SchedulePage*>(m_tabs->widget(i))->document();
        m_tabs->setTabText(i, document.title() +
                                  (document.modified() ? QStringLiteral(" •") : QString()));
        m_tabs->setTabToolTip(i, document.path());
    }
    const QString name = tr("Pipewright");
    setWindowTitle(page() == nullptr
                       ? name
                       : QStringLiteral("%1[*] — %2").arg(page()->document().title(), name));
    setWindowModified(page() != nullptr && page()->document().modified());
}

void MainWindow::showFigures()
{
    const ScheduleDocument* document = page() != nullptr ? &page()->document() : nullptr;
    m_inspector->show(document, page() != nullptr ? page()->timeline().current() : SpanRef{});
    if (document == nullptr || !document->schedule()) {
        m_figures->setText(document == nullptr
                               ? tr("Choose a family on the left, or open a project.")
                               : QString());
        return;
    }
    const SimResult& result = document->result();
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2 %)")
            .arg(durationText(static_cast<double>(one.idle)),
                 QLocale::c().toString(100 * one.rate(), 'f', 1));
    };
    m_figures->setText(tr("makespan %1     span bubble %2     wall bubble %3     peak %4 "
                          "micro-batches     %5 passes, simulated in %6")
                           .arg(durationText(static_cast<double>(result.makespan)),
                                bubble(spanBubble(result)), bubble(wallBubble(result)),
                                QLocale::c().toString(peakMicroBatches(result), 'g', 4),
                                QLocale::c().toString(document->schedule()->passCount()),
                                durationText(static_cast<double>(document->simulationTime()))));
}

void MainWindow::openAsked()
{
    for (const QString& path : QFileDialog::getOpenFileNames(this, tr("Open"), {}, projectFilter()))
        open(path);
}

bool MainWindow::save(SchedulePage& page, bool ask)
{
    QString path = page.document().path();
    if (ask || path.isEmpty())
        path = QFileDialog::getSaveFileName(this, tr("Save"), path, projectFilter());
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".pipewright.json");
    if (const Result<void> saved = page.document().save(path); !saved) {
        QMessageBox::warning(this, tr("Not saved"), text(saved.error().message));
        return false;
    }
    return true;
}

void MainWindow::exportFigure()
{
    if (page() == nullptr || !page()->document().schedule())
        return;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export figure"), {}, tr("SVG figures (*.svg)"));
    if (path.isEmpty())
        return;
    const ScheduleDocument& document = page()->document();
    FigureStyle style;
    style.title = document.title().toStdString();
    const std::string figure = writeSvgFigure(*document.schedule(), document.result(), style);
    if (const Result<void> written = writeFile(path.toStdString(), figure); !written)
        QMessageBox::warning(this, tr("Not exported"), text(written.error().message));
}

bool MainWindow::mayClose(SchedulePage& page)
{
    if (!page.document().modified())
        return true;
    m_tabs->setCurrentWidget(&page);
    const auto answer = QMessageBox::question(
        this, tr("Unsaved changes"), tr("Save the changes to %1?").arg(page.document().title()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save(page, false));
}

void MainWindow::closePage(int index)
{
    auto* closing = static_cast<SchedulePage*>(m_tabs->widget(index));
    if (closing == nullptr || !mayClose(*closing))
        return;
    m_tabs->removeTab(index);
    closing->deleteLater();
    showPage();
}

void MainWindow::setGround(bool dark)
{
    applyGround(*qApp, dark ? Ground::Dark : Ground::Light);
    showFigures();
}

void MainWindow::showKeys()
{
    QMessageBox::information(
        this, tr("Keys"),
        tr("<table cellpadding=3>"
           "<tr><td><b>W S</b></td><td>zoom in and out at the pointer</td></tr>"
           "<tr><td><b>A D</b></td><td>move left and right</td></tr>"
           "<tr><td><b>F</b></td><td>the selected pass, then everything</td></tr>"
           "<tr><td><b>← →</b> or <b>, .</b></td><td>the pass before and behind on the "
           "device</td></tr>"
           "<tr><td><b>↑ ↓</b></td><td>the same time on the next device</td></tr>"
           "<tr><td><b>[ ]</b></td><td>along the arrows, to what it waits for and what waits for "
           "it</td></tr>"
           "<tr><td><b>M</b></td><td>mark the selected pass; drag on idle time to measure</td></tr>"
           "<tr><td><b>0</b></td><td>everything</td></tr>"
           "<tr><td><b>Ctrl+wheel</b></td><td>zoom; <b>Shift+wheel</b> moves sideways</td></tr>"
           "<tr><td><b>Ctrl+K</b></td><td>search the palette</td></tr></table>"));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (!mayClose(*static_cast<SchedulePage*>(m_tabs->widget(i)))) {
            event->ignore();
            return;
        }
    }
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() ||
        event->mimeData()->hasFormat(QString::fromLatin1(PaletteModel::paletteMimeType)))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString dropped = QString::fromUtf8(
        event->mimeData()->data(QString::fromLatin1(PaletteModel::paletteMimeType)));
    if (dropped.startsWith(QStringLiteral("family ")))
        choose(PaletteKind::Family, dropped.mid(7));
    else if (!dropped.isEmpty())
        choose(PaletteKind::Block, {});
    const QList<QUrl> urls = event->mimeData()->urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            open(url.toLocalFile());
    event->acceptProposedAction();
}

} // namespace pw::ui
