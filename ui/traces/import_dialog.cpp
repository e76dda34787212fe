// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/import_dialog.h"

#include "core/base/text.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/traces/import_preview.h"
#include "ui/traces/keeping_bar.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace pw::ui {

namespace {

constexpr int progressSteps = 1000;

/// What people call the trace: its first file or folder.
QString nameOf(const QStringList& paths)
{
    return QFileInfo(QDir::cleanPath(paths.constFirst())).fileName();
}

} // namespace

ImportDialog::ImportDialog(const QStringList& paths, QWidget* parent)
    : ImportDialog(paths, nullptr, parent)
{
    read();
}

ImportDialog::ImportDialog(const QStringList& paths, const ImportedTracePtr& trace, QWidget* parent)
    : QDialog(parent)
    , m_paths(paths)
    , m_content(new QStackedWidget(this))
    , m_doing(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_said(new QLabel(this))
    , m_keeping(new KeepingBar(this))
{
    arrange();
    if (trace == nullptr)
        return;
    showTrace(trace);
    // Whoever has read it shows it.
    m_rows->hide();
}

void ImportDialog::arrange()
{
    setWindowTitle(tr("Import trace: %1").arg(nameOf(m_paths)));
    const int em = fontMetrics().height();
    auto* buttons = new QDialogButtonBox(this);
    m_keep = buttons->addButton(tr("&Keep and open"), QDialogButtonBox::AcceptRole);
    m_keep->setObjectName(QStringLiteral("keep"));
    m_keep->setToolTip(tr("Keeps the passes as a run and opens it as a timeline."));
    m_keep->setDefault(true);
    m_plan = buttons->addButton(tr("&Plan from this trace"), QDialogButtonBox::ActionRole);
    m_plan->setObjectName(QStringLiteral("plan"));
    m_plan->setToolTip(tr("Opens the order of the trace with costs fitted to it as a schedule "
                          "that can be changed."));
    m_rows = buttons->addButton(tr("Show &everything"), QDialogButtonBox::ActionRole);
    m_rows->setObjectName(QStringLiteral("rows"));
    m_rows->setToolTip(tr("Opens all kernels, operators and ranges of the trace as rows, whether "
                          "or not passes are among them."));
    m_job = buttons->addButton(tr("Show the &job"), QDialogButtonBox::ActionRole);
    m_job->setObjectName(QStringLiteral("job"));
    m_job->setToolTip(tr("Opens replicas, stages and steps beside each other: who is slow, why, "
                         "and what repairs would gain."));
    m_job->hide();
    m_close = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    m_close->setObjectName(QStringLiteral("close"));
    m_said->setObjectName(QStringLiteral("said"));
    m_said->setWordWrap(true);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_said->hide();
    m_content->addWidget(makeReading());
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(em / 2);
    layout->addWidget(m_content, 1);
    layout->addWidget(m_said);
    layout->addWidget(m_keeping);
    layout->addWidget(buttons);
    setActs(false);
    constexpr double ofScreen = 0.9;
    resize(QSize(62 * em, 44 * em).boundedTo(screen()->availableSize() * ofScreen));

    connect(m_keep, &QPushButton::clicked, this, &ImportDialog::keepAsked);
    connect(m_plan, &QPushButton::clicked, this, &ImportDialog::planAsked);
    connect(m_rows, &QPushButton::clicked, this, &ImportDialog::rowsAsked);
    connect(m_job, &QPushButton::clicked, this, &ImportDialog::jobAsked);
    connect(m_close, &QPushButton::clicked, this, &ImportDialog::reject);
}

void ImportDialog::read()
{
    m_content->setEnabled(true);
    delete m_import;
    m_import = new TraceImport(m_paths, m_run, this);
    m_rows->show();
    m_imported = nullptr;
    while (m_content->count() > 1) {
        QWidget* old = m_content->widget(1);
        m_content->removeWidget(old);
        old->deleteLater();
    }
    m_title = nullptr;
    m_progress->setRange(0, progressSteps);
    m_progress->setValue(0);
    m_close->setText(tr("Cancel"));
    setActs(false);
    say({}, false);
    connect(this, &QDialog::finished, m_import, &TraceImport::cancel);
    connect(m_import, &TraceImport::progressed, this, &ImportDialog::showProgress);
    connect(m_import, &TraceImport::ended, this, &ImportDialog::showTrace);
    connect(m_import, &TraceImport::failed, this, &ImportDialog::showFailure);
    showProgress();
    m_import->start();
}

QWidget* ImportDialog::makeReading()
{
    auto* reading = new QWidget(this);
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    auto* layout = new QVBoxLayout(reading);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addStretch(1);
    layout->addWidget(m_doing);
    layout->addWidget(m_progress);
    layout->addStretch(2);
    return reading;
}

QString ImportDialog::title() const
{
    return m_title != nullptr ? m_title->text().trimmed() : QString();
}

void ImportDialog::showProgress()
{
    const ImportProgress now = m_import->progress();
    if (m_import->recovering()) {
        m_doing->setText(tr("Finding the pipeline…"));
        m_progress->setRange(0, 0);
        return;
    }
    if (now.bytes == 0) {
        m_doing->setText(tr("Reading %1…").arg(nameOf(m_paths)));
        return;
    }
    const QString bytes =
        tr("%1 of %2").arg(text(byteText(now.bytesRead)), text(byteText(now.bytes)));
    m_doing->setText(
        now.files > 1 ? tr("Reading file %1 of %2: %3").arg(now.file + 1).arg(now.files).arg(bytes)
                      : tr("Reading %1").arg(bytes));
    m_progress->setValue(static_cast<int>(progressSteps * static_cast<double>(now.bytesRead) /
                                          static_cast<double>(now.bytes)));
}

void ImportDialog::showTrace(const ImportedTracePtr& trace)
{
    m_imported = trace;
    auto* page = new QWidget(this);
    auto* preview = new ImportPreview(trace, page);
    m_title = new QLineEdit(m_called.isEmpty() ? nameOf(m_paths) : m_called, page);
    m_title->setObjectName(QStringLiteral("title"));
    auto* label = new QLabel(tr("&Title"), page);
    label->setBuddy(m_title);
    auto* row = new QHBoxLayout;
    row->setSpacing(fontMetrics().height());
    row->addWidget(label);
    row->addWidget(m_title, 1);
    if (trace->runs > 1)
        addRuns(*row, page);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(fontMetrics().height() / 2);
    layout->addLayout(row);
    layout->addWidget(preview, 1);
    m_content->setCurrentIndex(m_content->addWidget(page));
    m_close->setText(tr("Close"));
    setActs(true);
    if (m_keep->isEnabled())
        m_keep->setFocus();
    else if (!preview->focusRule())
        m_close->setFocus();
    // What reads the files again may not be deleted while it tells of them.
    connect(preview, &ImportPreview::readAsked, this, &ImportDialog::readAgain,
            Qt::QueuedConnection);
    if (trace->spans > 0 || !trace->trace.counters.empty())
        Q_EMIT found();
    else
        Q_EMIT foundNothing();
}

void ImportDialog::readAgain()
{
    m_called = title();
    if (!m_bringAnew) {
        read();
        return;
    }
    m_content->setEnabled(false); // it is not asked for twice
    setBusy(tr("Reading %1…").arg(nameOf(m_paths)));
    m_bringAnew([this] { read(); });
}

void ImportDialog::setBringAnew(std::function<void(std::function<void()>)> bring)
{
    m_bringAnew = std::move(bring);
}

/// Which of the whole runs that were written into one file; another one is read anew.
void ImportDialog::addRuns(QHBoxLayout& row, QWidget* parent)
{
    auto* runs = new QComboBox(parent);
    runs->setObjectName(QStringLiteral("runOfFile"));
    runs->setAccessibleName(tr("Run of the file"));
    runs->setToolTip(tr("The file holds several whole runs, each with every pass."));
    for (int run = 0; run < m_imported->runs; ++run)
        runs->addItem(tr("Run %1 of %2").arg(run + 1).arg(m_imported->runs));
    runs->setCurrentIndex(m_imported->run);
    row.addWidget(runs);
    connect(
        runs, &QComboBox::activated, this,
        [this](int run) {
            if (run == m_imported->run)
                return;
            m_run = run;
            m_called = title();
            read();
        },
        Qt::QueuedConnection);
}

void ImportDialog::showFailure(const QString& why)
{
    auto* sentence = new QLabel(tr("It cannot be imported: %1").arg(why), this);
    sentence->setObjectName(QStringLiteral("failure"));
    sentence->setWordWrap(true);
    sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    sentence->setTextFormat(Qt::PlainText);
    sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setInk(sentence, Role::Refusal);
    m_content->setCurrentIndex(m_content->addWidget(sentence));
    m_keep->hide();
    m_plan->hide();
    m_rows->hide();
    m_job->hide();
    m_close->setText(tr("Close"));
    m_close->setFocus();
    Q_EMIT foundNothing();
}

void ImportDialog::setActs(bool possible)
{
    const bool whole = m_imported != nullptr && m_imported->pipeline().schedule.has_value();
    m_keep->setEnabled(possible && whole);
    m_plan->setEnabled(possible && whole && m_imported->fitted.has_value());
    m_rows->setEnabled(possible && m_imported != nullptr);
    m_job->setVisible(m_imported != nullptr && m_imported->job != nullptr);
    m_job->setEnabled(possible);
}

void ImportDialog::setBusy(const QString& sentence)
{
    setActs(false);
    say(sentence, false);
}

void ImportDialog::setKeeping(TraceKeeping* keeping)
{
    m_keeping->follow(keeping);
}

void ImportDialog::setStopped(const QString& sentence)
{
    setActs(true);
    say(sentence, false);
}

/// What is being kept is taken back before the dialog goes: it says when that is done.
void ImportDialog::reject()
{
    if (TraceKeeping* keeping = m_keeping->keeping(); keeping != nullptr)
        keeping->stop();
    else
        QDialog::reject();
}

void ImportDialog::refuse(const QString& why)
{
    m_content->setEnabled(true);
    setActs(true);
    say(why, true);
}

void ImportDialog::say(const QString& sentence, bool refusal)
{
    setInk(m_said, refusal ? Role::Refusal : Role::Secondary);
    m_said->setText(sentence);
    m_said->setVisible(!sentence.isEmpty());
}

} // namespace pw::ui
