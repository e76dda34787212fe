// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/costs_fields.h"

#include "core/base/try.h"
#include "core/edit/fit_costs.h"
#include "ui/panels/field_form.h"
#include "ui/panels/links_dialog.h"
#include "ui/panels/spec_edits.h"
#include "ui/panels/spec_text.h"
#include "ui/presentation.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double mostMebibytes = mebibyte * 1024; // a pebibyte

} // namespace

CostsFields::CostsFields(SpecEdits& edits, QWidget* parent)
    : QWidget(parent)
    , m_edits(edits)
    , m_equal(new FieldForm(this))
    , m_rare(new FieldForm(this))
    , m_tables(new FieldForm(this))
    , m_network(new FieldForm(this))
    , m_limits(new FieldForm(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    make();
    connectFields();
    for (FieldForm* form : {m_equal, m_rare, m_limits})
        m_edits.addForm(form);
}

void CostsFields::make()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    m_from = new QLabel(this);
    m_from->setWordWrap(true);
    m_from->setForegroundRole(QPalette::PlaceholderText);
    m_from->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_from->setObjectName(QStringLiteral("costs-from"));
    makeEqual();
    makeRare();
    makeTables();
    m_cap = m_limits->addLine(tr("Memor&y limit"), tr("GiB"), QStringLiteral("memory-cap"), false);
    m_cap->setPlaceholderText(tr("none"));
    m_idleCap = new QLabel(this);
    m_idleCap->setObjectName(QStringLiteral("idle-cap"));
    m_idleCap->setWordWrap(true);
    m_idleCap->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setInk(m_idleCap, Role::Refusal);
    m_idleCap->hide();

    column->addWidget(m_from);
    for (QWidget* part : std::initializer_list<QWidget*>{m_equal, m_tables, m_network, m_limits,
                                                         m_idleCap, m_more, m_rare})
        column->addWidget(part);
}

void CostsFields::makeEqual()
{
    m_forward = m_equal->addTime(tr("Forward F"), QStringLiteral("forward"));
    m_forward->setToolTip(tr("Of one micro-batch on a device's whole share of the model"));
    m_backward = m_equal->addTime(tr("Input &backward B"), QStringLiteral("backward"));
    m_weight = m_equal->addTime(tr("&Weight backward W"), QStringLiteral("weight"));
    m_backward->setToolTip(tr("The unsplit backward BW takes B + W"));
    m_weight->setToolTip(m_backward->toolTip());
    m_hop = m_equal->addTime(tr("Lin&k"), QStringLiteral("hop"));
    m_hop->setToolTip(tr("A message between two devices"));
    m_activation =
        m_equal->addNumber(tr("&Activation"), tr("MiB"), 1, QStringLiteral("activation"));
    m_activation->setRange(0, mostMebibytes);
    m_activation->setToolTip(tr("What one micro-batch keeps on a device's share of the model"));
}

void CostsFields::makeRare()
{
    m_more = new QToolButton(this);
    m_more->setText(tr("More"));
    m_more->setToolTip(tr("Overlapped pairs, updates, and what is kept of an activation"));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setArrowType(Qt::RightArrow);
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->setMinimumHeight(24);
    m_pair = m_rare->addTime(tr("&Overlapped F+BW"), QStringLiteral("pair"));
    // One step below 0 stands for the sum.
    m_pair->setMinimum(-m_pair->singleStep());
    m_pair->setSpecialValueText(tr("the sum"));
    m_update = m_rare->addTime(tr("U&pdate U"), QStringLiteral("update"));
    const auto percent = [this](const QString& label, const QString& name, const QString& tip) {
        QDoubleSpinBox* box = m_rare->addNumber(label, QStringLiteral("%"), 1, name);
        box->setRange(0, 100);
        box->setToolTip(tip);
        return box;
    };
    m_kept = percent(tr("Kept &until W"), QStringLiteral("kept-for-weight"),
                     tr("Part of an activation that is still held between B and W"));
    m_stash = percent(tr("Stash for R"), QStringLiteral("stash"),
                      tr("Part of an activation that F leaves where an R pass computes it again"));
    m_rare->hide();
}

/// What stage tables and networks have, to be read.
void CostsFields::makeTables()
{
    const auto range = [this](const QString& label, const QString& unit) {
        auto* value = new QLabel(this);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_tables->add(label, value, unit);
        m_ranges.push_back(value);
    };
    range(tr("Forward F"), tr("ms"));
    range(tr("Input backward B"), tr("ms"));
    range(tr("Weight backward W"), tr("ms"));
    range(tr("Activation"), tr("MiB"));

    // What only tables have: the spec panel says it, since nothing else in sight does.
    const auto network = [this](const QString& label, const QString& name) {
        auto* value = new QLabel(this);
        value->setObjectName(name);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return m_network->add(label, value, {}, true);
    };
    m_link = network(tr("Link"), QStringLiteral("link"));
    m_trace = network(tr("Network"), QStringLiteral("network"));
}

void CostsFields::connectFields()
{
    const auto time = [this](QDoubleSpinBox* box, const QString& what, Ticks UniformCosts::*cost) {
        connect(box, &QDoubleSpinBox::valueChanged, this, [=, this](double value) {
            applyUniform(box, what, [=](UniformCosts& costs) { costs.*cost = ticksFromMs(value); });
        });
    };
    time(m_forward, tr("Time of F"), &UniformCosts::forward);
    time(m_backward, tr("Time of B"), &UniformCosts::backward);
    time(m_weight, tr("Time of W"), &UniformCosts::weight);
    time(m_hop, tr("Time of a message"), &UniformCosts::hop);
    time(m_update, tr("Time of U"), &UniformCosts::update);
    connect(m_pair, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        applyUniform(m_pair, tr("Time of an overlapped pair"), [=](UniformCosts& costs) {
            costs.pair = value < 0 ? std::nullopt : std::optional(ticksFromMs(value));
        });
    });
    connect(m_activation, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        applyUniform(m_activation, tr("Activation"), [=](UniformCosts& costs) {
            costs.activation = static_cast<Bytes>(std::llround(value * mebibyte));
        });
    });
    const auto part = [this](QDoubleSpinBox* box, const QString& what, double UniformCosts::*cost) {
        connect(box, &QDoubleSpinBox::valueChanged, this, [=, this](double value) {
            applyUniform(box, what, [=](UniformCosts& costs) { costs.*cost = value / 100; });
        });
    };
    part(m_kept, tr("Kept until W"), &UniformCosts::keptForWeight);
    part(m_stash, tr("Stash"), &UniformCosts::stash);
    connect(m_cap, &QLineEdit::editingFinished, this, &CostsFields::applyCap);
    connect(m_more, &QToolButton::toggled, this, [this](bool open) {
        m_more->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_rare->setVisible(open);
    });
}

void CostsFields::show(const Project& project)
{
    const std::optional<EqualStages> equal = equalStagesOf(project);
    const UniformCosts* uniform = equal ? &equal->costs : nullptr;
    for (QWidget* part : std::initializer_list<QWidget*>{m_equal, m_more})
        part->setVisible(uniform != nullptr);
    m_rare->setVisible(uniform != nullptr && m_more->isChecked());
    m_tables->setVisible(uniform == nullptr);
    m_network->setVisible(uniform == nullptr);
    m_from->setText(costsFromText(project));
    if (uniform != nullptr) {
        m_forward->setValue(msFromTicks(uniform->forward));
        m_backward->setValue(msFromTicks(uniform->backward));
        m_weight->setValue(msFromTicks(uniform->weight));
        m_hop->setValue(msFromTicks(uniform->hop));
        m_activation->setValue(static_cast<double>(uniform->activation) / mebibyte);
        m_pair->setValue(uniform->pair ? msFromTicks(*uniform->pair) : m_pair->minimum());
        m_update->setValue(msFromTicks(uniform->update));
        m_kept->setValue(100 * uniform->keptForWeight);
        m_stash->setValue(100 * uniform->stash);
        showCap(project);
        return;
    }
    const auto& costs = std::get<Costs>(project.costs);
    m_ranges[0]->setText(rangeText(costs.forward, ticksPerMs));
    m_ranges[1]->setText(rangeText(costs.backward, ticksPerMs));
    m_ranges[2]->setText(rangeText(costs.weight, ticksPerMs));
    std::vector<Bytes> activations;
    for (const ActivationCost& cost : costs.activation)
        activations.push_back(cost.activation);
    m_ranges[3]->setText(rangeText(activations, mebibyte));
    showCap(project);
    showNetwork(costs);
}

/// In bytes where anything has some; else in micro-batches, which always count.
void CostsFields::showCap(const Project& project)
{
    const Costs costs = costsOf(project);
    const bool bytes = capsInBytes(costs);
    m_cap->setText(capText(costs));
    m_limits->fields().front()->unit->setText(bytes ? tr("GiB") : tr("mb"));
    m_cap->setToolTip(bytes ? tr("Of every device, or one number for each with commas between; "
                                 "“4 mb” limits activations, in micro-batches")
                            : tr("Most activation of every device, in micro-batches: nothing has a "
                                 "size in bytes, or the limit is given so; “2 GiB” limits bytes"));
    const QString idle = idleCapText(costs);
    m_idleCap->setText(idle);
    m_idleCap->setVisible(!idle.isEmpty());
}

/// What messages take; a line only for what there is.
void CostsFields::showNetwork(const Costs& costs)
{
    const auto show = [](Field* field, const QString& value, const QString& tip) {
        auto* label = static_cast<QLabel*>(field->editor);
        label->setText(value);
        label->setToolTip(tip);
        field->setShown(!value.isEmpty());
    };
    show(m_link, linkText(costs), tr("Schedule ▸ Links… changes it"));
    show(m_trace, networkText(costs), linkTraceText(costs.linkTrace));
}

void CostsFields::applyUniform(QWidget* box, const QString& what,
                               const std::function<void(UniformCosts&)>& edit)
{
    m_edits.apply(box, what, [&](Project& project) -> Result<void> {
        if (std::optional<EqualStages> equal = equalStagesOf(project)) {
            edit(equal->costs);
            project.costs = costsOf(*equal, project.draft.spec);
        }
        return check(costsOf(project), project.draft.spec);
    });
}

void CostsFields::applyCap()
{
    if (m_edits.asked() == nullptr)
        return;
    const QString typed = m_cap->text();
    // What is shown is rounded: leaving the field must not round the cap.
    if (typed == capText(costsOf(*m_edits.asked())))
        return;
    m_edits.apply(m_cap, tr("Memory limit"), [=](Project& project) -> Result<void> {
        PW_TRY(const Caps caps, capsOf(typed, project.draft.spec.devices, costsOf(project)));
        std::optional<EqualStages> equal = equalStagesOf(project);
        const bool same = std::adjacent_find(caps.bytes.begin(), caps.bytes.end(),
                                             std::not_equal_to<>()) == caps.bytes.end();
        if (equal && same) {
            equal->costs.memoryCap = caps.bytes.empty() ? 0 : caps.bytes.front();
            equal->shareCap = caps.share;
            project.costs = costsOf(*equal, project.draft.spec);
            return {};
        }
        // Caps of their own are a table's.
        Costs costs = costsOf(project);
        costs.memoryCap = caps.bytes;
        costs.shareCap = caps.share;
        project.costs = std::move(costs);
        return check(std::get<Costs>(project.costs), project.draft.spec);
    });
}

} // namespace pw::ui
