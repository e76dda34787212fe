// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/workers_view.h"

#include "ui/core_words.h"
#include "ui/job/job_words.h"
#include "ui/job/worker_choice.h"
#include "ui/job/worker_map.h"
#include "ui/job/worker_spread.h"
#include "ui/panels/flat_button.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace pw::ui {

namespace {

/// Beside the numbers of `WorkerMeasure`: the times of a pass.
constexpr int ofPass = workerMeasureCount;

} // namespace

WorkersView::WorkersView(ShownJobPtr job, QWidget* parent)
    : QWidget(parent)
    , m_job(std::move(job))
    , m_measure(new QComboBox(this))
    , m_span(new QComboBox(this))
    , m_pictures(new QStackedWidget(this))
    , m_choice(new WorkerChoice(this))
    , m_map(new WorkerMap(*m_choice, this))
    , m_spread(new WorkerSpread(*m_choice, this))
{
    auto* label = new QLabel(tr("Every &worker"), this);
    label->setBuddy(m_measure);
    QFont bold = label->font();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    for (int i = 0; i < workerMeasureCount; ++i) {
        const auto measure = static_cast<WorkerMeasure>(i);
        if (m_job->tells(measure))
            m_measure->addItem(measureWords(measure), i);
    }
    m_span->addItem(tr("of this step"));
    m_span->addItem(tr("median of all steps"));
    m_span->setAccessibleName(tr("Which steps the map is of"));
    QToolButton* spread =
        flatButton(this, tr("Spread"),
                   tr("Shows how the figure is spread over all workers, with the outliers to be "
                      "clicked."));
    spread->setCheckable(true);
    m_pictures->addWidget(m_map);
    m_pictures->addWidget(m_spread);
    auto* choice = new QHBoxLayout;
    choice->addWidget(label);
    choice->addWidget(m_measure);
    choice->addWidget(m_span);
    choice->addStretch(1);
    choice->addWidget(spread);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(choice);
    layout->addWidget(m_pictures, 1);
    connect(spread, &QToolButton::toggled, m_pictures, &QStackedWidget::setCurrentIndex);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &WorkersView::refresh);
    connect(m_span, &QComboBox::currentIndexChanged, this, [this] {
        refresh();
        Q_EMIT stepChanged();
    });
}

bool WorkersView::ofStep() const
{
    return m_span->currentIndex() == 0;
}

std::vector<double> WorkersView::balance() const
{
    if (!ofStep())
        return m_job->balance();
    return m_step != nullptr ? stageBalance(*m_step->withPasses.job, m_step->withPasses.step)
                             : std::vector<double>();
}

void WorkersView::setStep(const ShownStepPtr& step)
{
    m_step = step;
    refresh();
    Q_EMIT stepChanged();
}

void WorkersView::offerPass(const Pass& pass)
{
    if (m_pass == pass || m_job->job().replicas.size() < 2)
        return;
    m_pass = pass;
    const QString words = passText(pass, m_job->replica(0).schedule->spec());
    const int at = m_measure->findData(ofPass);
    if (at < 0)
        m_measure->addItem(words, ofPass);
    else
        m_measure->setItemText(at, words);
    if (m_measure->currentData().toInt() == ofPass)
        refresh();
}

void WorkersView::refresh()
{
    const int of = m_measure->currentData().toInt();
    WorkerValues values;
    values.job = m_job;
    if (of == ofPass)
        values.pass = m_pass;
    else
        values.measure = static_cast<WorkerMeasure>(of);
    if (!ofStep())
        values.values = values.pass ? m_job->medians(*m_pass) : m_job->medians(values.measure);
    else if (m_step != nullptr && values.pass)
        values.values = passTimes(*m_step->withPasses.job, *m_pass, m_step->withPasses.step);
    else if (m_step != nullptr)
        values.values =
            workerValues(*m_step->withPasses.job, values.measure, m_step->withPasses.step);
    m_span->setEnabled(values.pass || values.measure != WorkerMeasure::Memory);
    m_map->setValues(values);
    m_spread->setValues(std::move(values));
}

} // namespace pw::ui
