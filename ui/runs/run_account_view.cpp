// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_account_view.h"

#include "ui/charts/account_chart.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/figure_table.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/value_text.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

/// What is worth knowing of an account, in a line.
QString noteOf(const RunAccount& account, const RunTimeline& timeline)
{
    QStringList parts;
    if (account.transfers.empty()) {
        parts += RunAccountView::tr("no message was recorded: transfer is what is usual on a link");
    } else {
        Exposure sum;
        Ticks waiting = 0;
        for (const DeviceTransfers& one : account.transfers) {
            sum.exposed += one.exposure.exposed;
            sum.hidden += one.exposure.hidden;
            waiting += one.time.waiting;
        }
        if (sum.total() == 0 && waiting == 0)
            parts += RunAccountView::tr("messages took no time");
        else
            parts +=
                (account.ofTrace
                     ? RunAccountView::tr(
                           "transfers of the whole trace exposed %1, hidden %2; messages waited %3")
                     : RunAccountView::tr("transfers exposed %1, hidden %2; messages waited %3"))
                    .arg(columnTimeText(sum.exposed), columnTimeText(sum.hidden),
                         columnTimeText(waiting));
    }
    parts += account.iterations > 1
                 ? RunAccountView::tr("usual times of %1 iterations").arg(account.iterations)
                 : RunAccountView::tr("usual times of this iteration alone");
    const std::int64_t guessed = timeline.countOf(Trust::Guessed);
    if (guessed > 0)
        parts += RunAccountView::tr("%1 of %2 times are guessed: hatched")
                     .arg(guessed)
                     .arg(timeline.passCount());
    return parts.join(QStringLiteral(" · "));
}

/// The table of a page of the dialog; null: it has none.
FigureTable* tableIn(QWidget* page)
{
    auto* table = qobject_cast<FigureTable*>(page);
    return table != nullptr || page == nullptr ? table : page->findChild<FigureTable*>();
}

} // namespace

RunAccountView::RunAccountView(QWidget* parent)
    : QWidget(parent)
    , m_chart(new AccountChart(this))
    , m_tables(new QToolButton(this))
{
    m_tables->setObjectName(QStringLiteral("accountTables"));
    m_tables->setText(tr("Tables…"));
    m_tables->setToolTip(tr("The figures as tables to copy, with messages and clocks."));
    m_tables->setAccessibleName(tr("Lost time as tables"));
    m_tables->setAutoRaise(true);
    m_tables->setEnabled(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chart);
    connect(m_tables, &QToolButton::clicked, this, &RunAccountView::showTables);
}

void RunAccountView::setRun(RunHistory* history, const QString& store,
                            const RunTimelinePtr& timeline, const RunRecordsPtr& records)
{
    m_history = history;
    m_store = store;
    m_timeline = timeline;
    m_records = records;
    m_account = nullptr;
    m_due = true;
    ++m_wanted;
    m_tables->setEnabled(false);
    m_chart->setSentence(tr("computing…"));
    if (isVisible())
        compute();
}

void RunAccountView::compute()
{
    if (!m_due || m_history == nullptr || m_records == nullptr)
        return;
    m_due = false;
    m_history->readFrom(
        m_store, this,
        [this, wanted = m_wanted, timeline = m_timeline,
         records = m_records](Result<RunStore>& store) -> RunHistory::Answer {
            Result<RunAccountPtr> made =
                store ? loadAccount(*store, *timeline, *records) : fail(store.error());
            return [this, wanted, made = std::move(made)] {
                if (wanted != m_wanted)
                    return;
                if (made)
                    take(*made);
                else
                    m_chart->setSentence(
                        tr("No account: %1").arg(coreSentence(made.error().message)));
            };
        });
}

void RunAccountView::take(const RunAccountPtr& account)
{
    m_account = account;
    m_tables->setEnabled(true);
    m_chart->setAccount(account->account, deviceNames(m_timeline->schedule->devices()),
                        noteOf(*account, *m_timeline), account->guessed);
    Q_EMIT computed();
}

void RunAccountView::showTables()
{
    if (m_account == nullptr)
        return;
    const QStringList devices = deviceNames(m_timeline->schedule->devices());
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("accountDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Lost time: %1").arg(m_timeline->title()));
    auto* pages = new QTabWidget(dialog);
    pages->setDocumentMode(true);
    pages->addTab(accountTable(*m_account->account, devices, pages), tr("Lost time"));
    if (!m_account->transfers.empty())
        pages->addTab(transfersTable(m_account->transfers, devices, pages), tr("Messages"));
    if (const AlignedClocks& clocks = m_records->imported.clocks;
        clocks.outcome != ClockOutcome::Unknown)
        pages->addTab(clocksPage(clocks, devices, pages), tr("Clocks"));
    const std::vector<GpuReading>& gpus = m_timeline->details.gpus;
    if (!m_records->logs.empty() || !gpus.empty()) {
        auto* log = new QListWidget(pages);
        log->setAccessibleName(tr("What the run's log says"));
        log->setFrameShape(QFrame::NoFrame);
        log->setWordWrap(true);
        for (const Sentence& line : gpuConditions(gpus))
            log->addItem(coreSentence(line));
        for (const RunLog& line : m_records->logs)
            log->addItem(text(line.text));
        pages->addTab(log, tr("Log"));
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton* copy = buttons->addButton(tr("&Copy table"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyTable"));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, pages, [pages] {
        if (const FigureTable* table = tableIn(pages->currentWidget()))
            table->copy();
    });
    connect(pages, &QTabWidget::currentChanged, copy,
            [pages, copy] { copy->setEnabled(tableIn(pages->currentWidget()) != nullptr); });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    QString words = noteOf(*m_account, *m_timeline);
    words[0] = words[0].toUpper();
    auto* note = new QLabel(tr("The parts of a rank sum to the wall time exactly.") +
                                QLatin1Char('\n') + words,
                            dialog);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(note);
    layout->addWidget(pages, 1);
    layout->addWidget(buttons);
    const int em = fontMetrics().height();
    dialog->resize(std::min(100 * em, window()->width()), 24 * em);
    dialog->show();
}

void RunAccountView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    compute();
}

void RunAccountView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // In the margin that the charts leave, below their title.
    const QSize size = m_tables->sizeHint().expandedTo({24, 24});
    m_tables->setGeometry(8, height() - size.height() - 2,
                          std::min(size.width(), TimeAxis::margin() - 12), size.height());
}

} // namespace pw::ui
