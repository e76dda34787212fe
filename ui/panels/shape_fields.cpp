// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/shape_fields.h"

#include "core/base/try.h"
#include "core/edit/reshape.h"
#include "ui/core_words.h"
#include "ui/models/number_table.h"
#include "ui/panels/field_form.h"
#include "ui/panels/spec_edits.h"
#include "ui/panels/spec_text.h"
#include "ui/plural.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int mostDevices = 65'536;

/// The name of a family's parameter that counts segments.
std::string segmentsName(const std::string& id)
{
    const Result<const Family*> family = findFamily(id);
    const Parameter* segments = family ? findParameter(**family, ParameterRole::Segments) : nullptr;
    return std::string(segments != nullptr ? segments->name : "segments");
}

} // namespace

ShapeFields::ShapeFields(SpecEdits& edits, QWidget* parent)
    : QWidget(parent)
    , m_edits(edits)
    , m_shape(new FieldForm(this))
    , m_parameterForm(new FieldForm(this))
    , m_more(new FieldForm(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    make();
    connectFields();
    for (FieldForm* form : {m_shape, m_parameterForm, m_more})
        m_edits.addForm(form);
}

QWidget* ShapeFields::ParameterField::editor() const
{
    if (check != nullptr)
        return check;
    return choice != nullptr ? static_cast<QWidget*>(choice) : box;
}

void ShapeFields::show(const Project& project)
{
    showShape(project);
    showParameters(project);
}

void ShapeFields::make()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    m_family = new QLabel(this);
    m_family->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_family->setWordWrap(true);
    m_family->setMinimumHeight(24);
    m_shape->add(tr("Family"), m_family, {}, true);
    m_devices = m_shape->addCount(tr("&Devices"), mostDevices, QStringLiteral("devices"));
    m_microBatches =
        m_shape->addCount(tr("&Micro-batches"), 1'000'000, QStringLiteral("micro-batches"));
    m_microBatches->setToolTip(tr("Of one optimizer step"));
    m_segments =
        m_more->addLine(tr("Se&gment lengths"), {}, QStringLiteral("segment-lengths"), false);
    m_segments->setPlaceholderText(tr("equal"));
    m_segments->setToolTip(tr("Relative lengths of a sequence's segments, with commas between"));
    m_steps = m_more->addCount(tr("Optimizer steps"), 1'000, QStringLiteral("steps"));
    m_updates = new QCheckBox(tr("shown"), this);
    m_updates->setObjectName(QStringLiteral("updates"));
    m_updates->setMinimumHeight(24);
    m_updates->setToolTip(tr("U passes in the schedule also of a single step"));
    m_more->add(tr("&Updates U"), m_updates);
    m_placement = m_more->addLine(tr("&Placement"), {}, QStringLiteral("placement"), true);
    for (FieldForm* form : {m_shape, m_parameterForm, m_more})
        column->addWidget(form);
}

void ShapeFields::connectFields()
{
    connect(m_devices, &QSpinBox::valueChanged, this, &ShapeFields::applyDevices);
    connect(m_microBatches, &QSpinBox::valueChanged, this, [this](int value) {
        applyCount(m_microBatches, plural(value, Noun::MicroBatch), &FamilyOptions::microBatches,
                   &PipelineSpec::microBatches);
    });
    connect(m_steps, &QSpinBox::valueChanged, this, [this](int value) {
        applyCount(m_steps, plural(value, Noun::Step), &FamilyOptions::steps, &PipelineSpec::steps);
    });
    connect(m_updates, &QCheckBox::toggled, this, [this](bool shown) {
        if (m_edits.asked() != nullptr && m_edits.asked()->family)
            m_edits.apply(m_updates, tr("Updates"), [=](Project& project) -> Result<void> {
                project.family->options.updates = shown;
                return {};
            });
        else
            m_edits.applyShape(m_updates, tr("Updates"), [=](PipelineSpec& spec) -> Result<void> {
                spec.updates = shown;
                return {};
            });
    });
    connect(m_segments, &QLineEdit::editingFinished, this, &ShapeFields::applySegments);
    connect(m_placement, &QLineEdit::editingFinished, this, &ShapeFields::applyPlacement);
}

/// The family that makes a project's schedule, or that its orders were made from.
std::optional<FamilyChoice> ShapeFields::familyOf(const Project& project) const
{
    return project.family ? project.family : m_edits.document()->identity().family;
}

void ShapeFields::showShape(const Project& project)
{
    const PipelineSpec& spec = project.draft.spec;
    const std::optional<FamilyChoice> from = familyOf(project);
    QString family = m_edits.document()->identity().called();
    if (project.family)
        family = ScheduleIdentity{project.family, {}, {}}.called();
    if (family.isEmpty())
        family = tr("own order");
    QString citation;
    // Those that were a family's keep its fields, so that none jumps.
    bool segments = !from || spec.segmentLengths.size() > 1;
    if (from) {
        if (const Result<const Family*> known = findFamily(from->id); known) {
            citation = text((*known)->citation);
            segments |= findParameter(**known, ParameterRole::Segments) != nullptr;
        }
    }
    m_family->setText(family);
    m_family->setToolTip(citation);
    m_devices->setValue(spec.devices);
    m_microBatches->setValue(spec.microBatches);
    m_steps->setValue(spec.steps);
    m_updates->setChecked(spec.updates);
    const bool needed = spec.steps > 1 || spec.updateRule != UpdateRule::Flush;
    m_updates->setEnabled(!needed);
    m_updates->setToolTip(needed ? tr("Several steps and asynchronous updates need U passes.")
                                 : tr("U passes in the schedule also of a single step"));
    m_edits.fieldOf(m_segments)->setShown(segments);
    const bool given = !project.family || !project.family->options.segmentLengths.empty();
    m_segments->setText(given ? listText(spec.segmentLengths) : QString());
    m_placement->setText(placementsText(spec));
    m_placement->setCursorPosition(0);
    m_placement->setReadOnly(project.family.has_value());
    m_placement->setFrame(!project.family.has_value());
    m_placement->setStyleSheet(
        project.family ? QStringLiteral("background: transparent; border: none;") : QString());
    m_placement->setToolTip(placementTip(spec, project.family.has_value()));
}

void ShapeFields::makeParameters(const std::string& id)
{
    m_parametersOf = id;
    m_parameters.clear();
    auto* fresh = new FieldForm(this);
    delete layout()->replaceWidget(m_parameterForm, fresh);
    m_parameterForm->deleteLater();
    m_parameterForm = fresh;
    const Result<const Family*> family = findFamily(id);
    for (std::size_t i = 0; family && i < (*family)->parameters.size(); ++i)
        m_parameters.push_back(makeParameter(*fresh, (*family)->parameters[i]));
    m_edits.addForm(fresh);
    fresh->setVisible(!m_parameters.empty());
}

/// The field that a parameter's type asks for. @param parameter  of the registry, which stays
ShapeFields::ParameterField ShapeFields::makeParameter(FieldForm& form, const Parameter& parameter)
{
    ParameterField field{std::string(parameter.name)};
    const QString title = parameterTitle(parameter), name = text(parameter.name);
    if (parameter.type == ParameterType::Flag) {
        field.check = form.addCheck(title, name);
        field.check->setToolTip(parameterTip(parameter));
        connect(field.check, &QCheckBox::clicked, this, [=, this, &parameter](bool on) {
            applyParameter(field.check, parameter, on ? 1 : 0);
        });
        return field;
    }
    if (parameter.type == ParameterType::Choice) {
        QStringList choices;
        for (const std::string_view choice : parameter.choices)
            choices << coreWords(choice);
        field.choice = form.addChoice(title, choices, name);
        field.choice->setToolTip(parameterTip(parameter));
        connect(field.choice, &QComboBox::activated, this, [=, this, &parameter](int index) {
            applyParameter(field.choice, parameter, index);
        });
        return field;
    }
    QDoubleSpinBox* box = form.addNumber(title, {}, parameter.integer() ? 0 : 3, name);
    field.box = box;
    const bool words = parameter.rule != nullptr;
    // One step below the least value stands for "not given" where the default depends on others.
    const double step = parameter.integer() ? 1 : 0.1;
    box->setSingleStep(step);
    box->setRange(parameter.minimum - (words ? step : 0), std::min(parameter.maximum, 1e9));
    if (words)
        box->setSpecialValueText(fallbackTitle(parameter));
    box->setToolTip(parameterTip(parameter));
    connect(box, &QDoubleSpinBox::valueChanged, this, [=, this, &parameter](double value) {
        const bool given = !words || value >= box->minimum() + step / 2;
        applyParameter(box, parameter, given ? std::optional(value) : std::nullopt);
    });
    return field;
}

void ShapeFields::applyParameter(QWidget* editor, const Parameter& parameter,
                                 std::optional<double> value)
{
    const std::string name(parameter.name);
    const QString what = value ? text(describe(parameter, *value))
                               : QStringLiteral("%1 %2").arg(text(name), fallbackTitle(parameter));
    const bool segments = parameter.role == ParameterRole::Segments;
    m_edits.apply(editor, what, [=](Project& project) -> Result<void> {
        FamilyOptions& options = project.family->options;
        std::erase_if(options.parameters, [&](const auto& one) { return one.first == name; });
        if (value)
            options.parameters.emplace_back(name, *value);
        // Lengths that were given are those of another number of segments.
        if (segments)
            options.segmentLengths.clear();
        return {};
    });
}

void ShapeFields::showParameters(const Project& project)
{
    const std::optional<FamilyChoice> from = familyOf(project);
    const std::string id = from ? from->id : std::string();
    if (id != m_parametersOf)
        makeParameters(id);
    const Result<const Family*> family = findFamily(id);
    for (std::size_t i = 0; family && i < m_parameters.size(); ++i) {
        const Parameter& parameter = (*family)->parameters[i];
        const auto& given = from->options.parameters;
        const bool known = std::any_of(given.begin(), given.end(), [&](const auto& one) {
            return one.first == parameter.name;
        });
        const double value = chosen(from->options, parameter);
        const ParameterField& field = m_parameters[i];
        QWidget* editor = field.editor();
        editor->setEnabled(project.family.has_value());
        editor->setToolTip(project.family ? parameterTip(parameter)
                                          : tr("The orders are your own now. “Reset to the family” "
                                               "in the menu Schedule brings the family back, with "
                                               "this field."));
        if (field.check != nullptr)
            field.check->setChecked(value != 0);
        else if (field.choice != nullptr)
            field.choice->setCurrentIndex(static_cast<int>(value));
        else
            field.box->setValue(known || parameter.rule == nullptr ? value : field.box->minimum());
    }
}

void ShapeFields::applyCount(QSpinBox* box, const QString& what, int FamilyOptions::*option,
                             int PipelineSpec::*count)
{
    if (m_edits.asked() == nullptr)
        return;
    const int value = box->value();
    if (m_edits.asked()->family)
        m_edits.apply(box, what, [=](Project& project) -> Result<void> {
            project.family->options.*option = value;
            return {};
        });
    else
        m_edits.applyShape(box, what, [=](PipelineSpec& spec) -> Result<void> {
            spec.*count = value;
            return {};
        });
}

void ShapeFields::applyDevices(int devices)
{
    const QString what = plural(devices, Noun::Device);
    if (m_edits.asked() != nullptr && m_edits.asked()->family)
        return applyCount(m_devices, what, &FamilyOptions::devices, nullptr);
    m_edits.applyShape(m_devices, what, [=](PipelineSpec& spec) -> Result<void> {
        for (Placement& route : spec.routes) {
            PW_TRY(Placement next, placementOn(route, spec.devices, devices));
            route = std::move(next);
        }
        spec.devices = devices;
        return {};
    });
}

void ShapeFields::applySegments()
{
    if (m_edits.asked() == nullptr)
        return;
    const Result<std::vector<int>> lengths = lengthsOf(m_segments->text());
    const auto& family = m_edits.asked()->family;
    const bool same = lengths && *lengths == (family ? family->options.segmentLengths
                                                     : m_edits.asked()->draft.spec.segmentLengths);
    if (same)
        return;
    const auto given = [&]() -> Result<std::vector<int>> {
        if (lengths && lengths->empty() && !m_edits.asked()->family)
            return std::vector<int>{1};
        return lengths;
    }();
    if (family)
        m_edits.apply(m_segments, tr("Segment lengths"), [=](Project& project) -> Result<void> {
            if (!given)
                return fail(given.error());
            FamilyOptions& options = project.family->options;
            options.segmentLengths = *given;
            // As many segments as lengths.
            if (!given->empty()) {
                const std::string count = segmentsName(project.family->id);
                std::erase_if(options.parameters,
                              [&count](const auto& one) { return one.first == count; });
                options.parameters.emplace_back(count, static_cast<double>(given->size()));
            }
            return {};
        });
    else
        m_edits.applyShape(m_segments, tr("Segment lengths"),
                           [=](PipelineSpec& spec) -> Result<void> {
                               if (!given)
                                   return fail(given.error());
                               spec.segmentLengths = *given;
                               return {};
                           });
}

void ShapeFields::applyPlacement()
{
    if (m_edits.asked() == nullptr || m_edits.asked()->family)
        return;
    const QString typed = m_placement->text();
    if (typed == placementsText(m_edits.asked()->draft.spec))
        return;
    m_edits.applyShape(m_placement, tr("Placement"), [=](PipelineSpec& spec) -> Result<void> {
        PW_TRY(std::vector<Placement> routes, placementsOf(typed, spec.devices));
        spec.routes = std::move(routes);
        return {};
    });
}

} // namespace pw::ui
