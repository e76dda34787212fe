// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/spec_panel.h"

#include "core/families/family.h"
#include "ui/presentation.h"

#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// Steps of the history that one field makes while it is typed into become one.
enum Merge
{
    NoMerge,
    DevicesField,
    MicroBatchesField,
    StepsField,
    ForwardField,
    BackwardField,
    WeightField,
    HopField,
    ActivationField,
    FirstParameterField
};

constexpr double mebibyte = 1024.0 * 1024.0;

} // namespace

SpecPanel::SpecPanel(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout)
    , m_family(new QLabel(this))
    , m_tables(new QLabel(this))
    , m_refusal(new QLabel(this))
{
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setHorizontalSpacing(10);
    m_form->setVerticalSpacing(5);
    m_form->addRow(tr("Family"), m_family);
    m_devices = addCount(tr("&Devices"), 65'536);
    m_microBatches = addCount(tr("&Micro-batches"), 1'000'000);
    m_steps = addCount(tr("Optimizer &steps"), 1'000);
    m_forward = addTime(tr("&Forward F"));
    m_backward = addTime(tr("Input &backward B"));
    m_weight = addTime(tr("&Weight backward W"));
    m_hop = addTime(tr("&Link"));
    m_activation = addTime(tr("&Activation"));
    m_activation->setSuffix(tr(" MiB"));
    m_activation->setDecimals(1);
    m_activation->setRange(0, 1e9);
    m_activation->setToolTip(tr("What one micro-batch keeps on a device's share of the model"));
    m_forward->setToolTip(tr("Of one micro-batch on a device's share of the model"));
    m_tables->setWordWrap(true);
    m_tables->setForegroundRole(QPalette::PlaceholderText);
    m_tables->hide();
    m_refusal->setWordWrap(true);
    m_refusal->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_refusal->hide();
    auto* link = new QLabel(
        QStringLiteral("<a href=\"model\">%1</a>").arg(tr("From model and machine…")), this);
    connect(link, &QLabel::linkActivated, this, &SpecPanel::modelAsked);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(6);
    layout->addLayout(m_form);
    layout->addWidget(m_tables);
    layout->addWidget(m_refusal);
    layout->addWidget(link);

    const auto count = [this](QSpinBox* box, Merge merge, const QString& what,
                              int FamilyOptions::*option) {
        connect(box, &QSpinBox::valueChanged, this, [=, this](int value) {
            apply(what.arg(value), merge, [=](Project& project) {
                if (project.family)
                    project.family->options.*option = value;
            });
        });
    };
    count(m_devices, DevicesField, tr("%1 devices"), &FamilyOptions::devices);
    count(m_microBatches, MicroBatchesField, tr("%1 micro-batches"), &FamilyOptions::microBatches);
    count(m_steps, StepsField, tr("%1 optimizer steps"), &FamilyOptions::steps);
    const auto time = [this](QDoubleSpinBox* box, Merge merge, const QString& what,
                             Ticks UniformCosts::*cost) {
        connect(box, &QDoubleSpinBox::valueChanged, this, [=, this](double value) {
            apply(what, merge, [=](Project& project) {
                if (auto* uniform = std::get_if<UniformCosts>(&project.costs))
                    uniform->*cost = ticksFromMs(value);
            });
        });
    };
    time(m_forward, ForwardField, tr("Time of F"), &UniformCosts::forward);
    time(m_backward, BackwardField, tr("Time of B"), &UniformCosts::backward);
    time(m_weight, WeightField, tr("Time of W"), &UniformCosts::weight);
    time(m_hop, HopField, tr("Time of a message"), &UniformCosts::hop);
    connect(m_activation, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        apply(tr("Activation"), ActivationField, [=](Project& project) {
            if (auto* uniform = std::get_if<UniformCosts>(&project.costs))
                uniform->activation = static_cast<Bytes>(value * mebibyte);
        });
    });
    setEnabled(false);
}

QSpinBox* SpecPanel::addCount(const QString& label, int most)
{
    auto* box = new QSpinBox(this);
    box->setRange(1, most);
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    m_form->addRow(label, box);
    return box;
}

QDoubleSpinBox* SpecPanel::addTime(const QString& label)
{
    auto* box = new QDoubleSpinBox(this);
    box->setRange(0, 3'600'000);
    box->setDecimals(3);
    box->setSingleStep(0.1);
    box->setSuffix(tr(" ms"));
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    m_form->addRow(label, box);
    return box;
}

void SpecPanel::setDocument(ScheduleDocument* document)
{
    disconnect(m_connection);
    m_document = document;
    setEnabled(document != nullptr);
    if (document == nullptr)
        return;
    m_connection =
        connect(document, &ScheduleDocument::resultChanged, this, &SpecPanel::showProject);
    showProject();
}

void SpecPanel::showProject()
{
    m_showing = true;
    m_refusal->hide();
    const Project& project = m_document->project();
    const PipelineSpec& spec = project.draft.spec;
    QString family = tr("own order");
    if (project.family)
        if (const Result<const Family*> known = findFamily(project.family->id); known)
            family = text((*known)->title);
    m_family->setText(family);
    m_devices->setValue(spec.devices);
    m_microBatches->setValue(spec.microBatches);
    m_steps->setValue(spec.steps);
    for (QSpinBox* box : {m_devices, m_microBatches, m_steps})
        box->setEnabled(project.family.has_value());
    const auto* uniform = std::get_if<UniformCosts>(&project.costs);
    for (QDoubleSpinBox* box : {m_forward, m_backward, m_weight, m_hop, m_activation})
        box->setEnabled(uniform != nullptr);
    if (uniform != nullptr) {
        m_forward->setValue(msFromTicks(uniform->forward));
        m_backward->setValue(msFromTicks(uniform->backward));
        m_weight->setValue(msFromTicks(uniform->weight));
        m_hop->setValue(msFromTicks(uniform->hop));
        m_activation->setValue(static_cast<double>(uniform->activation) / mebibyte);
    }
    m_tables->setVisible(uniform == nullptr);
    m_tables->setText(tr("Times and bytes are given for each stage."));
    showParameters(project);
    m_showing = false;
}

void SpecPanel::showParameters(const Project& project)
{
    const std::string id = project.family ? project.family->id : std::string();
    const Result<const Family*> family = findFamily(id);
    if (id != m_parametersOf) {
        for (const ParameterField& field : m_parameters)
            m_form->removeRow(field.row);
        m_parameters.clear();
        m_parametersOf = id;
        const int firstRow = 4; // behind family, devices, micro-batches and steps
        for (std::size_t i = 0; family && i < (*family)->parameters.size(); ++i) {
            const Parameter& parameter = (*family)->parameters[i];
            auto* box = new QDoubleSpinBox(this);
            const bool words = !parameter.fallbackText.empty();
            // One step below the least value stands for "not given" where the default depends on
            // others.
            const double step = parameter.integer ? 1 : 0.1;
            box->setDecimals(parameter.integer ? 0 : 3);
            box->setSingleStep(step);
            box->setRange(parameter.minimum - (words ? step : 0),
                          std::min(parameter.maximum, 1e12));
            if (words)
                box->setSpecialValueText(text(parameter.fallbackText));
            box->setAlignment(Qt::AlignRight);
            box->setKeyboardTracking(false);
            box->setToolTip(text(parameter.summary));
            QString label = text(parameter.name).replace(QLatin1Char('-'), QLatin1Char(' '));
            label[0] = label[0].toUpper();
            m_form->insertRow(firstRow + static_cast<int>(i), label, box);
            const std::string name(parameter.name);
            connect(box, &QDoubleSpinBox::valueChanged, this, [=, this](double value) {
                apply(label, FirstParameterField + static_cast<int>(i), [=](Project& edited) {
                    auto& given = edited.family->options.parameters;
                    std::erase_if(given, [&](const auto& one) { return one.first == name; });
                    if (!words || value >= box->minimum() + step / 2)
                        given.emplace_back(name, value);
                });
            });
            m_parameters.push_back({name, box, box});
        }
    }
    for (std::size_t i = 0; family && i < m_parameters.size(); ++i) {
        const Parameter& parameter = (*family)->parameters[i];
        const auto& given = project.family->options.parameters;
        const auto known = std::find_if(given.begin(), given.end(), [&](const auto& one) {
            return one.first == parameter.name;
        });
        QDoubleSpinBox* box = m_parameters[i].box;
        if (known != given.end())
            box->setValue(known->second);
        else
            box->setValue(parameter.fallbackText.empty() ? parameter.fallback : box->minimum());
    }
}

void SpecPanel::apply(const QString& what, int merge, const std::function<void(Project&)>& edit)
{
    if (m_showing || !m_document)
        return;
    Project next = m_document->project();
    edit(next);
    if (const Result<void> changed = m_document->change(std::move(next), what, merge); !changed) {
        showProject();
        refuse(text(changed.error().message));
    }
}

void SpecPanel::refuse(const QString& reason)
{
    QPalette red = m_refusal->palette();
    red.setColor(QPalette::WindowText, color(Role::Refusal));
    m_refusal->setPalette(red);
    m_refusal->setText(reason);
    m_refusal->show();
}

void SpecPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_refusal->isVisible())
        refuse(m_refusal->text());
    QWidget::changeEvent(event);
}

} // namespace pw::ui
