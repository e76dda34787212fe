// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/question_fields.h"

#include "core/cost/origin_costs.h"
#include "core/model/known_sizes.h"
#include "core/sim/memory.h"
#include "ui/panels/field_bar.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr double bytesOfGiB = 1024.0 * 1024.0 * 1024.0;
constexpr int mostAskedDevices = 1024;
constexpr int mostAskedMicroBatches = 4096;

} // namespace

QuestionFields::QuestionFields(Project project, QWidget* parent)
    : QWidget(parent)
    , m_project(std::move(project))
    , m_fields(new FieldBar(7, this))
{
    makeFields();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fields);
    showShape();
    showCap();
    const auto again = [this] { Q_EMIT changed(); };
    const auto capAgain = [this] {
        showCap();
        Q_EMIT changed();
    };
    connect(m_costs, &QComboBox::currentIndexChanged, this, capAgain);
    connect(m_machine, &QComboBox::currentIndexChanged, this, capAgain);
    connect(m_devices, &QSpinBox::valueChanged, this, again);
    connect(m_microBatches, &QSpinBox::valueChanged, this, again);
    connect(m_cap, &QDoubleSpinBox::valueChanged, this, again);
    connect(m_searches, &QCheckBox::toggled, this, again);
    connect(m_noise, &QCheckBox::toggled, this, again);
}

void QuestionFields::makeFields()
{
    QStringList costs = {tr("own")};
    for (const LanguageModel& model : modelPresets())
        costs << text(model.dense.name);
    m_costs = m_fields->addChoice(tr("&Costs"), costs, QStringLiteral("costs"));
    m_costs->setToolTip(tr("What passes take: as in the schedule, or of a model on a machine."));
    QStringList machines;
    for (const Accelerator& device : accelerators())
        machines << text(device.name);
    m_machine = m_fields->addChoice(tr("Mach&ine"), machines, QStringLiteral("machine"));
    m_devices =
        m_fields->addCount(tr("&Devices"), 1, mostAskedDevices, 1, QStringLiteral("devices"));
    m_microBatches = m_fields->addCount(tr("Micro-&batches"), 1, mostAskedMicroBatches, 1,
                                        QStringLiteral("micro-batches"));
    m_cap = m_fields->addNumber(tr("Memor&y limit"), tr("GiB"), 2, 0, 1e6, 0, QStringLiteral("cap"),
                                tr("none"));
    m_searches = m_fields->addSwitch(tr("With"), tr("se&arches"), QStringLiteral("searches"));
    m_searches->setChecked(true);
    m_searches->setToolTip(tr("Also families that search for their order, which takes longer."));
    m_noise = m_fields->addSwitch(tr("And"), tr("&noise"), QStringLiteral("with-noise"));
    m_noise->setToolTip(tr("Times vary from run to run, as far as the tab Noise says; then rows "
                           "are ordered by what 95 % of many runs stay below."));
}

void QuestionFields::showShape()
{
    const QSignalBlocker noDevices(m_devices), noMicroBatches(m_microBatches), noMachine(m_machine);
    const PipelineSpec& spec = m_project.draft.spec;
    m_devices->setValue(spec.devices);
    m_microBatches->setValue(spec.microBatches);
    if (m_project.origin)
        m_machine->setCurrentText(text(m_project.origin->hardware));
}

void QuestionFields::setProject(Project project)
{
    m_project = std::move(project);
    showShape();
    showCap();
    Q_EMIT changed();
}

/// The cap that costs bring along, in the unit that they have.
void QuestionFields::showCap()
{
    const bool own = m_costs->currentIndex() == 0;
    m_machine->setEnabled(!own);
    m_machine->setToolTip(own ? tr("The schedule's costs are what they are; choose a model to have "
                                   "a machine.")
                              : tr("What the model runs on."));
    const QSignalBlocker block(m_cap);
    Bytes bytes = 0;
    double microBatches = 0;
    bool sizes = true;
    if (own) {
        const Costs costs = costsOf(m_project);
        sizes = hasSizes(costs);
        if (!costs.memoryCap.empty())
            bytes = *std::max_element(costs.memoryCap.begin(), costs.memoryCap.end());
        microBatches = microBatchesFromShare(costs.shareCap);
    } else if (const auto usable = usableMemory(m_machine->currentText().toStdString()); usable) {
        bytes = *usable;
    }
    const bool inBytes = sizes && (microBatches <= 0 || bytes > 0);
    m_cap->setSuffix(QStringLiteral(" ") + (inBytes ? tr("GiB") : tr("mb")));
    m_cap->setToolTip(inBytes ? tr("Most memory of a device; 0: no limit")
                              : tr("Most activation of a device, in micro-batches; 0: no limit"));
    m_cap->setValue(inBytes ? static_cast<double>(bytes) / bytesOfGiB : microBatches);
}

RankQuestion QuestionFields::question() const
{
    RankQuestion asked;
    asked.project = m_project;
    asked.devices = m_devices->value();
    asked.microBatches = m_microBatches->value();
    asked.searches = m_searches->isChecked();
    if (const int model = m_costs->currentIndex() - 1; model >= 0) {
        CostOrigin origin;
        origin.model = modelPresets()[static_cast<std::size_t>(model)];
        origin.hardware = m_machine->currentText().toStdString();
        asked.origin = origin;
    } else {
        asked.origin = m_project.origin;
    }
    const double cap = m_cap->value();
    if (m_cap->suffix().endsWith(tr("GiB")))
        asked.capBytes = static_cast<Bytes>(cap * bytesOfGiB);
    else if (cap > 0)
        asked.capShare = shareLimit(cap);
    return asked;
}

bool QuestionFields::noisy() const
{
    return m_noise->isChecked();
}

void QuestionFields::refuse(const QString& why)
{
    m_fields->refuse(why);
}

QString QuestionFields::named(QString name) const
{
    const auto shape = [](int devices, int microBatches) {
        return QStringLiteral(" · %1 × %2").arg(devices).arg(microBatches);
    };
    const PipelineSpec& spec = m_project.draft.spec;
    const QString own = shape(spec.devices, spec.microBatches);
    const QString now = shape(m_devices->value(), m_microBatches->value());
    if (now == own)
        return name;
    if (name.endsWith(own))
        name.chop(own.size());
    return name + now;
}

QString QuestionFields::capText() const
{
    return m_cap->text();
}

} // namespace pw::ui
