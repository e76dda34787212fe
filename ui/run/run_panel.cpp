// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_panel.h"

#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/run/run_fields.h"
#include "ui/run/run_session.h"
#include "ui/timeline/time_scale.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr int checkDelay = 150;

} // namespace

RunPanel::RunPanel(RunSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_fields(new RunFields(session, this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(fontMetrics().height() * 2);
    layout->addWidget(m_fields, 0, Qt::AlignTop);
    layout->addWidget(makeState(), 1);

    m_checking.setSingleShot(true);
    m_checking.setInterval(checkDelay);
    connect(&m_checking, &QTimer::timeout, this, &RunPanel::showChecks);
    connect(&m_session, &RunSession::changed, this, &RunPanel::showSession);
    connect(&m_session, &RunSession::progressed, this, &RunPanel::showProgress);
    connect(&m_session, &RunSession::refused, this, [this](const QString& sentence) {
        m_refusal = sentence;
        m_checking.start();
    });
    connect(m_fields, &RunFields::connectionsAsked, this, &RunPanel::connectionsAsked);
    connect(m_fields, &RunFields::edited, this, [this] { m_refusal.clear(); });
    showSession();
}

QWidget* RunPanel::makeState()
{
    auto* state = new QWidget(this);
    m_heading = new QLabel(state);
    m_heading->setObjectName(QStringLiteral("runHeading"));
    QFont bold = m_heading->font();
    bold.setWeight(QFont::DemiBold);
    m_heading->setFont(bold);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setWordWrap(true);
    m_text = new QLabel(state);
    m_text->setObjectName(QStringLiteral("runText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignTop);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* scroll = new QScrollArea(state);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_text);
    m_progress = new QProgressBar(state);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(std::max(6, fontMetrics().height() / 2));
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_run = new QPushButton(tr("▶ Run"), state);
    m_run->setObjectName(QStringLiteral("run"));
    m_stop = new QPushButton(tr("Stop"), state);
    m_stop->setObjectName(QStringLiteral("stop"));
    m_wait = new QPushButton(tr("Wait on"), state);
    m_wait->setObjectName(QStringLiteral("wait"));
    m_wait->setToolTip(tr("Gives the executor more time."));
    m_calibrate = new QPushButton(tr("Calibrate"), state);
    m_calibrate->setObjectName(QStringLiteral("calibrate"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_run);
    buttons->addWidget(m_stop);
    buttons->addWidget(m_wait);
    buttons->addWidget(m_calibrate);
    buttons->addStretch(1);

    auto* layout = new QVBoxLayout(state);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_heading);
    layout->addWidget(m_progress);
    layout->addLayout(buttons);
    layout->addWidget(scroll, 1);

    connect(m_run, &QPushButton::clicked, &m_session, &RunSession::run);
    connect(m_stop, &QPushButton::clicked, &m_session, &RunSession::stop);
    connect(m_wait, &QPushButton::clicked, this, [this] { m_session.client().waitOn(); });
    connect(m_calibrate, &QPushButton::clicked, &m_session, &RunSession::calibrate);
    return state;
}

void RunPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    // The first look at this panel asks the executor what it has.
    if (m_session.report() == nullptr)
        QTimer::singleShot(0, &m_session, &RunSession::ask);
}

void RunPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_checking.start();
    QWidget::changeEvent(event);
}

void RunPanel::showSession()
{
    m_fields->showSession();
    const RunSession::Activity activity = m_session.activity();
    const bool idle = activity == RunSession::Activity::Idle;
    const QString why = m_session.whyNotRun();
    m_run->setEnabled(idle && why.isEmpty());
    m_run->setToolTip(why.isEmpty() ? tr("Sends the schedule to the executor.") : why);
    const QString whyNot = m_session.whyNotCalibrate();
    m_calibrate->setEnabled(idle && whyNot.isEmpty());
    m_calibrate->setToolTip(!whyNot.isEmpty()
                                ? whyNot
                                : tr("Measures what every pass takes on this connection, and takes "
                                     "that over as the costs of the schedule."));
    const bool over = idle && !m_stop->isHidden();
    m_stop->setVisible(!idle);
    m_run->setVisible(idle);
    m_calibrate->setVisible(idle);
    m_stop->setText(tr("Stop"));
    m_wait->setVisible(false);
    m_progress->setVisible(!idle);
    if (!idle)
        m_refusal.clear();
    if (activity == RunSession::Activity::Running) {
        showProgress();
    } else if (activity == RunSession::Activity::Idle) {
        // What is over is not said to go on beside the button that begins the next.
        if (over)
            showChecks();
        else if (!m_checking.isActive())
            m_checking.start();
    } else {
        m_progress->setRange(0, 0);
        say(activity == RunSession::Activity::Asking
                ? tr("Asking %1 what it can run").arg(m_session.connections().current().name)
                : tr("Measuring what passes take on %1")
                      .arg(m_session.connections().current().name),
            {}, false);
    }
}

void RunPanel::say(const QString& heading, const QString& text, bool refusal)
{
    m_heading->setText(heading);
    m_text->setText(text);
    setInk(m_heading, refusal ? Role::Refusal : Role::Text);
}

void RunPanel::showProgress()
{
    if (m_session.activity() != RunSession::Activity::Running)
        return;
    const ExecutorClient& client = m_session.client();
    m_stop->setText(client.stopAsked() ? tr("End it now") : tr("Stop"));
    m_wait->setVisible(client.silence() > 0);
    const QString where = m_session.runConnection();
    QStringList lines;
    QString heading = tr("Starting on %1").arg(where);
    if (const auto& outline = client.outline(); client.state() == RunState::Starting || !outline) {
        m_progress->setRange(0, 0);
        lines << (m_session.backend() == QLatin1String("emulated") ||
                          !m_session.settings().measureFirst
                      ? tr("The executor gets ready.")
                      : tr("The executor gets ready and measures what passes take."));
        if (!client.queue().isEmpty())
            lines = QStringList(client.queue());
    } else {
        const int done = std::max(0, client.iteration() + outline->warmup);
        m_progress->setRange(0, outline->warmup + outline->iterations);
        m_progress->setValue(done);
        heading =
            client.iteration() < 0
                ? tr("%1: warm-up %2 of %3").arg(outline->title).arg(done + 1).arg(outline->warmup)
                : tr("%1: iteration %2 of %3")
                      .arg(outline->title)
                      .arg(client.iteration() + 1)
                      .arg(outline->iterations);
        lines << tr("%1 on %2, %3 so far")
                     .arg(outline->backend, outline->host, plural(client.passes(), Noun::Pass));
        if (!client.losses().empty())
            lines << tr("loss %1 at step %2")
                         .arg(QString::number(client.losses().back().loss, 'g', 4))
                         .arg(client.losses().back().step + 1);
    }
    if (client.brokenLines() > 0)
        lines << tr("%1 of its output not understood; see the log.")
                     .arg(plural(client.brokenLines(), Noun::Line));
    if (client.stopAsked())
        heading = tr("Stopping on %1").arg(where);
    const bool silent = client.silence() > 0;
    if (silent)
        lines.prepend(tr("The executor has said nothing for %1. It may compute, or hang: stop it, "
                         "or wait on.")
                          .arg(durationText(static_cast<double>(client.silence()) * 1e6)));
    say(heading, lines.join(QLatin1Char('\n')), false);
}

void RunPanel::showChecks()
{
    if (m_session.activity() != RunSession::Activity::Idle)
        return;
    const std::vector<RunCheck> checks = m_session.checks();
    const bool blocked =
        std::any_of(checks.begin(), checks.end(), [](const RunCheck& one) { return one.blocks; });
    QStringList lines;
    for (const RunCheck& check : checks)
        lines << check.text;
    const ExecutorClient& client = m_session.client();
    QString heading;
    if (client.state() == RunState::Failed || client.state() == RunState::Lost) {
        heading = client.trouble().what;
        if (!client.trouble().advice.isEmpty())
            lines.prepend(client.trouble().advice);
        if (client.stored() > 0)
            lines << tr("What came is kept as run %1.").arg(client.stored());
        say(heading, lines.join(QLatin1Char('\n')), true);
        return;
    }
    if (blocked || !m_refusal.isEmpty()) {
        if (!m_refusal.isEmpty() && !lines.contains(m_refusal))
            lines.prepend(m_refusal);
        say(tr("Nothing can be run yet"), lines.join(QLatin1Char('\n')), false);
        return;
    }
    const QString backend = m_session.backend();
    heading = tr("Ready: %1, on %2")
                  .arg(m_session.document()->title(),
                       backend.isEmpty()
                           ? m_session.connections().current().name
                           : tr("%1 · %2").arg(m_session.connections().current().name, backend));
    if (const auto& figures = client.figures(); figures && figures->makespan > 0) {
        QString last =
            tr("Last run (%1): %2 measured, %3 predicted")
                .arg(name(client.state()), durationText(static_cast<double>(figures->makespan)),
                     durationText(static_cast<double>(figures->predictedMakespan)));
        if (figures->predictedHigh > 0)
            last += tr(", nine times in ten between %1 and %2")
                        .arg(durationText(static_cast<double>(figures->predictedLow)),
                             durationText(static_cast<double>(figures->predictedHigh)));
        if (client.stored() > 0)
            last += tr("; kept as run %1").arg(client.stored());
        lines.prepend(last + QLatin1Char('.'));
    }
    if (const QString script = m_session.jobScript(); !script.isEmpty())
        lines << tr("Run sends this job:") << script;
    say(heading, lines.join(QLatin1Char('\n')), false);
}

} // namespace pw::ui
