// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/run_fields.h"

#include "ui/run/run_panel.h"
#include "ui/run/run_session.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr int mostIterations = 1'000'000;

QLabel* labelOf(const QString& text, QWidget* buddy, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setBuddy(buddy);
    return label;
}

} // namespace

RunFields::RunFields(RunSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_connection(new QComboBox(this))
    , m_backend(new QComboBox(this))
    , m_size(new QComboBox(this))
    , m_iterations(new QSpinBox(this))
    , m_warmup(new QSpinBox(this))
    , m_measure(new QCheckBox(RunPanel::tr("&Measure passes first"), this))
{
    makeChoices();
    makeCounts();
    arrange();
    fillConnections();
    connect(m_connection, &QComboBox::activated, &m_session.connections(),
            &Connections::setCurrentIndex);
    connect(m_backend, &QComboBox::activated, this, &RunFields::takeFields);
    connect(m_size, &QComboBox::activated, this, &RunFields::takeFields);
    connect(m_iterations, &QSpinBox::valueChanged, this, &RunFields::takeFields);
    connect(m_warmup, &QSpinBox::valueChanged, this, &RunFields::takeFields);
    connect(m_measure, &QCheckBox::toggled, this, &RunFields::takeFields);
    connect(&m_session.connections(), &Connections::changed, this, &RunFields::fillConnections);
    connect(&m_session.connections(), &Connections::currentChanged, this,
            &RunFields::fillConnections);
}

void RunFields::makeChoices()
{
    const int wide = fontMetrics().averageCharWidth() * 26;
    m_connection->setMinimumWidth(wide);
    m_connection->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_connection->setToolTip(RunPanel::tr("Where the executor runs"));
    m_backend->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    for (const char* name : {"auto", "cpu", "emulated", "cuda"})
        m_backend->addItem(QString::fromLatin1(name), QString::fromLatin1(name));
    const std::pair<const char*, QString> sizes[] = {
        {"tiny", RunPanel::tr("tiny — 0.1 million parameters")},
        {"small", RunPanel::tr("small — 0.4 million parameters")},
        {"medium", RunPanel::tr("medium — 51 million parameters")},
        {"24gb", RunPanel::tr("24gb — 0.4 billion parameters")},
        {"40gb", RunPanel::tr("40gb — 1 billion parameters")},
        {"80gb", RunPanel::tr("80gb — 2.2 billion parameters")},
        {"h200", RunPanel::tr("h200 — 3.3 billion parameters")},
        {"fit", RunPanel::tr("fit — what the GPU's free memory holds")}};
    for (const auto& [name, words] : sizes)
        m_size->addItem(words, QString::fromLatin1(name));
    m_measure->setToolTip(
        RunPanel::tr("The prediction is made of times measured briefly before the run; "
                     "without, of the costs of the schedule as it is."));
}

/// How often it runs, and how often before that.
void RunFields::makeCounts()
{
    m_iterations->setRange(1, mostIterations);
    m_iterations->setAlignment(Qt::AlignRight);
    m_iterations->setToolTip(RunPanel::tr("How often the whole schedule is run and counted"));
    m_warmup->setRange(RunSettings::backendsWarmup, mostIterations);
    m_warmup->setSpecialValueText(RunPanel::tr("auto"));
    m_warmup->setAlignment(Qt::AlignRight);
    m_warmup->setToolTip(
        RunPanel::tr("Iterations that are run first and not counted; auto: as many as the backend "
                     "needs, 1 on the CPU and 3 on a GPU"));
}

void RunFields::arrange()
{
    auto* edit = new QToolButton(this);
    edit->setText(QStringLiteral("…"));
    edit->setToolTip(RunPanel::tr("Adds, changes and tests connections."));
    edit->setAccessibleName(RunPanel::tr("Connections"));
    edit->setMinimumSize(28, m_connection->sizeHint().height());
    connect(edit, &QToolButton::clicked, this, &RunFields::connectionsAsked);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(6);
    grid->addWidget(labelOf(RunPanel::tr("&Connection"), m_connection, this), 0, 0);
    grid->addWidget(m_connection, 0, 1);
    grid->addWidget(edit, 0, 2);
    grid->addWidget(labelOf(RunPanel::tr("&Backend"), m_backend, this), 1, 0);
    grid->addWidget(m_backend, 1, 1, 1, 2);
    grid->addWidget(labelOf(RunPanel::tr("M&odel"), m_size, this), 2, 0);
    grid->addWidget(m_size, 2, 1, 1, 2);
    grid->setColumnMinimumWidth(3, fontMetrics().height());
    grid->addWidget(labelOf(RunPanel::tr("&Iterations"), m_iterations, this), 0, 4);
    grid->addWidget(m_iterations, 0, 5);
    grid->addWidget(labelOf(RunPanel::tr("&Warm-up"), m_warmup, this), 1, 4);
    grid->addWidget(m_warmup, 1, 5);
    grid->addWidget(m_measure, 2, 4, 1, 2);
}

void RunFields::fillConnections()
{
    m_connection->clear();
    for (const Connection& one : m_session.connections().all()) {
        m_connection->addItem(one.name);
        m_connection->setItemData(m_connection->count() - 1, one.command, Qt::ToolTipRole);
    }
    m_connection->setCurrentIndex(m_session.connections().currentIndex());
}

/// Backends that the connection does not have cannot be chosen, and say why.
void RunFields::fillBackends()
{
    const ConnectionReport* report = m_session.report();
    auto* model = static_cast<QStandardItemModel*>(m_backend->model());
    for (int i = 0; i < m_backend->count(); ++i) {
        const QString name = m_backend->itemData(i).toString();
        const FoundBackend* found =
            report != nullptr && report->good() ? report->findings.backend(name) : nullptr;
        model->item(i)->setEnabled(found == nullptr || found->available);
        m_backend->setItemData(i,
                               found == nullptr   ? QString()
                               : found->available ? found->summary
                                                  : found->missing,
                               Qt::ToolTipRole);
    }
    const QString picked = m_session.backend();
    const bool automatic = m_session.settings().backend == QLatin1String("auto");
    m_backend->setItemText(0, automatic && !picked.isEmpty() ? RunPanel::tr("auto: %1").arg(picked)
                                                             : QStringLiteral("auto"));
}

void RunFields::takeFields()
{
    if (m_filling)
        return;
    RunSettings settings;
    settings.backend = m_backend->currentData().toString();
    settings.size = m_size->currentData().toString();
    settings.iterations = m_iterations->value();
    settings.warmup = m_warmup->value();
    settings.measureFirst = m_measure->isChecked();
    Q_EMIT edited();
    m_session.setSettings(settings);
}

void RunFields::showSession()
{
    m_filling = true;
    fillBackends();
    const RunSettings& settings = m_session.settings();
    m_backend->setCurrentIndex(std::max(0, m_backend->findData(settings.backend)));
    m_size->setCurrentIndex(std::max(0, m_size->findData(settings.size)));
    m_iterations->setValue(settings.iterations);
    m_warmup->setValue(settings.warmup);
    m_measure->setChecked(settings.measureFirst);
    const bool trains = m_session.backend() != QLatin1String("emulated");
    m_size->setEnabled(trains);
    m_size->setToolTip(
        trains ? RunPanel::tr("The GPT that is trained")
               : RunPanel::tr("The emulated backend trains nothing: passes take the times of "
                              "the schedule."));
    m_measure->setEnabled(trains);
    m_filling = false;
}

} // namespace pw::ui
