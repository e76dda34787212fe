// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_header.h"

#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/flat_button.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/timeline/value_text.h"
#include "ui/window/run_again.h"

#include <QComboBox>
#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QString accountKey()
{
    return QStringLiteral("charts/lost-time");
}

} // namespace

QString iterationText(std::int32_t iteration)
{
    return iteration < 0 ? RunHeader::tr("warm-up %1").arg(-iteration)
                         : RunHeader::tr("iteration %1").arg(iteration);
}

QString trustText(const RunTimeline& run)
{
    const std::int64_t all = run.passCount();
    if (run.countOf(Trust::Device) == all)
        return {};
    QStringList kinds;
    for (int i = 0; i < trustCount; ++i) {
        const auto trust = static_cast<Trust>(i);
        const std::int64_t count = run.countOf(trust);
        if (count == 0)
            continue;
        kinds += coreWords(name(trust));
        if (count < all)
            kinds.last() += QStringLiteral(" %1").arg(count);
    }
    return kinds.join(QStringLiteral(", "));
}

RunHeader::RunHeader(QWidget* parent)
    : QWidget(parent)
    , m_name(new QLabel(this))
    , m_about(new QLabel(this))
    , m_note(new QLabel(this))
    , m_iterations(new QComboBox(this))
    , m_before(flatButton(this, QStringLiteral("‹"), tr("The iteration before")))
    , m_behind(flatButton(this, QStringLiteral("›"), tr("The next iteration")))
    , m_chain(flatButton(this, tr("Deciding chain"),
                         tr("Underlines the passes that decided when the iteration ended: each "
                            "began after the one before it.")))
    , m_account(flatButton(this, tr("Lost time"),
                           tr("Shows where the time of each rank went, by cause.")))
    , m_losses(flatButton(this, tr("Losses"), tr("Shows the loss over optimizer steps.")))
    , m_adaptive(flatButton(this, tr("k over time"),
                            tr("Shows k over time over the network, of the whole training.")))
    , m_compare(flatButton(this, tr("Compare with plan"), tr("Lays the run over its plan.")))
    , m_job(
          flatButton(this, tr("Whole job"),
                     tr("More ranks ran than are shown here: opens all replicas, stages and steps "
                        "beside each other, who is slow, and why.")))
    , m_times(flatButton(this, tr("Take the measured times"),
                         tr("The measured times become the costs of the run's schedule.")))
    , m_again(flatButton(this, tr("Take these times, improve, run again"),
                         tr("The measured times become the costs of the schedule, a better order "
                            "is looked for with them and run, and both runs are compared.")))
{
    m_job->hide();
    m_times->hide();
    m_again->hide();
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_about->setForegroundRole(QPalette::PlaceholderText);
    m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_note->setWordWrap(true);
    for (QToolButton* button : {m_chain, m_account, m_losses, m_adaptive})
        button->setCheckable(true);
    m_adaptive->hide();
    m_account->setChecked(QSettings().value(accountKey(), true).toBool());
    m_losses->setEnabled(false);
    m_iterations->setAccessibleName(tr("Iteration"));
    m_iterations->setToolTip(tr("Iteration of the run that is shown"));
    m_iterations->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_iterations->setMinimumHeight(std::max(26, fontMetrics().height() + 10));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(14, 4, 8, 4);
    row->setSpacing(4);
    row->addWidget(m_name);
    row->addSpacing(8);
    row->addWidget(m_about, 1);
    row->addWidget(m_before);
    row->addWidget(m_iterations);
    row->addWidget(m_behind);
    row->addSpacing(8);
    row->addWidget(m_compare);
    row->addWidget(m_job);
    // Below, so that a narrow window has room for all of it.
    auto* below = new QHBoxLayout;
    below->setContentsMargins(14, 0, 8, 4);
    below->setSpacing(4);
    below->addWidget(m_note, 1);
    below->addWidget(m_times, 0, Qt::AlignTop);
    below->addWidget(m_again, 0, Qt::AlignTop);
    for (QToolButton* button : {m_chain, m_account, m_losses, m_adaptive})
        below->addWidget(button, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addLayout(below);
    connect(m_before, &QToolButton::clicked, this, [this] { stepIteration(-1); });
    connect(m_behind, &QToolButton::clicked, this, [this] { stepIteration(1); });
    connect(m_iterations, &QComboBox::activated, this,
            [this](int index) { Q_EMIT iterationAsked(m_iterations->itemData(index).toInt()); });
    connect(m_chain, &QToolButton::toggled, this, &RunHeader::chainToggled);
    connect(m_account, &QToolButton::toggled, this, [this](bool shown) {
        QSettings().setValue(accountKey(), shown);
        Q_EMIT accountToggled(shown);
    });
    connect(m_losses, &QToolButton::toggled, this, &RunHeader::lossesToggled);
    connect(m_adaptive, &QToolButton::toggled, this, &RunHeader::adaptiveToggled);
    connect(m_compare, &QToolButton::clicked, this, &RunHeader::compareAsked);
    connect(m_job, &QToolButton::clicked, this, &RunHeader::jobAsked);
    connect(m_times, &QToolButton::clicked, this, &RunHeader::timesAsked);
    connect(m_again, &QToolButton::clicked, this, &RunHeader::againAsked);
}

void RunHeader::setTitle(const QString& title)
{
    m_name->setText(title);
}

void RunHeader::setRun(const RunTimelinePtr& run)
{
    for (QWidget* part : std::initializer_list<QWidget*>{m_before, m_behind, m_iterations, m_chain})
        part->setEnabled(run != nullptr);
    m_times->setVisible(run != nullptr &&
                        farFromPlan(run->measured.makespan, run->predicted.makespan));
    // What another program ran does not run again here.
    m_again->setVisible(run != nullptr && run->details.run.environment.backend != "import");
    if (run == nullptr) {
        m_about->clear();
        m_note->clear();
        return;
    }
    const StoredRun& stored = run->details.run;
    const bool imported = stored.environment.backend == "import";
    QStringList about = {
        text(imported ? stored.origin : stored.environment.backend),
        plural(stored.ranks, Noun::Device), coreWords(name(stored.status)),
        whenText(QDateTime::fromMSecsSinceEpoch(stored.startedMs), QDateTime::currentDateTime())};
    if (!stored.environment.host.empty())
        about.insert(1, text(stored.environment.host));
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(m_about->text());
    showNotes(*run);
    showIterations(*run);
}

void RunHeader::showNotes(const RunTimeline& run)
{
    QStringList notes;
    for (const RunFault& fault : run.details.faults)
        notes += text(fault.text);
    const bool faulty = !notes.isEmpty();
    if (farFromPlan(run.measured.makespan, run.predicted.makespan))
        notes += tr("The plan's times say nothing of this machine: the run took %1 as long.")
                     .arg(timesText(run.measured.makespan, run.predicted.makespan));
    if (run.unrecorded > 0)
        notes += (run.unrecorded == 1 ? tr("%1 of %2 of this iteration was not recorded.")
                                      : tr("%1 of %2 of this iteration were not recorded."))
                     .arg(run.unrecorded)
                     .arg(plural(run.schedule->entryCount(), Noun::Pass));
    if (const QString trust = trustText(run); !trust.isEmpty())
        notes += tr("How times are known: %1.").arg(trust);
    if (const std::int64_t guessed = run.countOf(Trust::Guessed); guessed > 0)
        notes +=
            tr("Times that were guessed are hatched: %1 of %2.").arg(guessed).arg(run.passCount());
    setInk(m_note, faulty ? Role::Refusal : Role::Secondary);
    m_note->setText(notes.join(QLatin1Char('\n')));
}

void RunHeader::showIterations(const RunTimeline& run)
{
    const QSignalBlocker quiet(m_iterations);
    const std::vector<WholeIteration>& all = run.iterations;
    const std::int32_t median = medianIteration(all).value_or(0);
    if (m_iterations->count() != static_cast<int>(all.size())) {
        m_iterations->clear();
        for (const WholeIteration& one : all)
            m_iterations->addItem(
                iterationText(one.iteration) + QStringLiteral(" · ") +
                    columnTimeText(one.makespan()) +
                    (one.iteration == median && all.size() > 1 ? tr(" (median)") : QString()),
                one.iteration);
    }
    const int index = m_iterations->findData(run.iteration);
    m_iterations->setCurrentIndex(index);
    m_before->setEnabled(index > 0);
    m_behind->setEnabled(index + 1 < m_iterations->count());
}

void RunHeader::setLosses(bool any)
{
    m_losses->setEnabled(any);
    m_losses->setToolTip(any ? tr("Shows the loss over optimizer steps.")
                             : tr("The run has no loss: nothing was trained."));
    if (!any)
        m_losses->setChecked(false);
}

void RunHeader::setJob(bool several)
{
    m_job->setVisible(several);
}

void RunHeader::setAdaptive()
{
    if (!m_adaptive->isHidden())
        return;
    m_adaptive->show();
    m_adaptive->setChecked(true);
}

void RunHeader::setChainShown(bool shown)
{
    m_chain->setChecked(shown);
}

bool RunHeader::accountShown() const
{
    return m_account->isChecked();
}

void RunHeader::stepIteration(int direction)
{
    const int index = m_iterations->currentIndex() + direction;
    if (index < 0 || index >= m_iterations->count())
        return;
    m_iterations->setCurrentIndex(index);
    Q_EMIT iterationAsked(m_iterations->itemData(index).toInt());
}

} // namespace pw::ui
