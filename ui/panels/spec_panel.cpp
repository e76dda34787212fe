// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/spec_panel.h"

#include "core/base/text.h"
#include "core/edit/fit_costs.h"
#include "core/edit/reshape.h"
#include "core/io/costs_file.h"
#include "core/io/schedule_text.h"
#include "ui/document/background.h"
#include "ui/models/number_table.h"
#include "ui/panels/field_form.h"
#include "ui/panels/links_dialog.h"
#include "ui/panels/model_dialog.h"
#include "ui/panels/spec_text.h"
#include "ui/panels/stage_table_dialog.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr int mostDevices = 65'536;
constexpr double longestMs = 3'600'000; // an hour, as project files have it
constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double mostMebibytes = mebibyte * 1024; // a pebibyte

/// Times in milliseconds to the nanosecond, with three decimals or as many as they need.
class TimeBox : public QDoubleSpinBox
{
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    QString textFromValue(double value) const override
    {
        QString text = QLocale::c().toString(value, 'f', decimals());
        const qsizetype point = text.indexOf(QLatin1Char('.'));
        while (point >= 0 && text.size() > point + 4 && text.endsWith(QLatin1Char('0')))
            text.chop(1);
        return text;
    }
};

void prepare(QAbstractSpinBox* box, const QString& name)
{
    box->setObjectName(name);
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    box->setLocale(QLocale::c());
    calm(box);
}

} // namespace

SpecPanel::SpecPanel(QWidget* parent)
    : QWidget(parent)
    , m_shape(new FieldForm(this))
    , m_parameterForm(new FieldForm(this))
    , m_shapeMore(new FieldForm(this))
    , m_equal(new FieldForm(this))
    , m_equalMore(new FieldForm(this))
    , m_tables(new FieldForm(this))
    , m_limits(new FieldForm(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(3);
    makeShape();
    makeCosts();
    connectShape();
    connectCosts();
    for (FieldForm* form : {m_shape, m_equal, m_equalMore, m_shapeMore, m_limits})
        for (const auto& field : form->fields())
            field->editor->installEventFilter(this);
    setEnabled(false);
}

SpecPanel::~SpecPanel()
{
    // A field that loses the focus says its value; nobody is left to hear it.
    m_showing = true;
    hide();
}

QSpinBox* SpecPanel::addCount(FieldForm& form, const QString& label, int most, const QString& name)
{
    auto* box = new QSpinBox(this);
    box->setRange(1, most);
    prepare(box, name);
    form.add(label, box);
    return box;
}

QDoubleSpinBox* SpecPanel::addTime(FieldForm& form, const QString& label, const QString& name)
{
    auto* box = new TimeBox(this);
    box->setRange(0, longestMs);
    box->setDecimals(6);
    box->setSingleStep(0.1);
    prepare(box, name);
    form.add(label, box, tr("ms"));
    return box;
}

QLineEdit* SpecPanel::addLine(FieldForm& form, const QString& label, const QString& unit,
                              const QString& name, bool wide)
{
    auto* line = new QLineEdit(this);
    line->setObjectName(name);
    line->setAlignment(Qt::AlignRight);
    calm(line);
    form.add(label, line, unit, wide);
    return line;
}

QToolButton* SpecPanel::makeAction(const QString& label, const QString& tip,
                                   void (SpecPanel::*run)())
{
    auto* button = new QToolButton(this);
    button->setText(label);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setMinimumHeight(std::max(24, fontMetrics().height() + 8));
    connect(button, &QToolButton::clicked, this, run);
    m_actions.push_back(button);
    return button;
}

void SpecPanel::colorActions()
{
    for (QToolButton* action : m_actions) {
        QPalette palette = action->palette();
        palette.setColor(QPalette::Active, QPalette::ButtonText, color(Role::Accent));
        palette.setColor(QPalette::Inactive, QPalette::ButtonText, color(Role::Accent));
        action->setPalette(palette);
    }
}

void SpecPanel::makeShape()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    m_family = new QLabel(this);
    m_family->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_family->setWordWrap(true);
    m_family->setMinimumHeight(24);
    m_shape->add(tr("Family"), m_family, {}, true);
    m_devices = addCount(*m_shape, tr("&Devices"), mostDevices, QStringLiteral("devices"));
    m_microBatches =
        addCount(*m_shape, tr("&Micro-batches"), 1'000'000, QStringLiteral("micro-batches"));
    m_microBatches->setToolTip(tr("Of one optimizer step"));
    m_segments =
        addLine(*m_shapeMore, tr("Se&gment lengths"), {}, QStringLiteral("segment-lengths"), false);
    m_segments->setPlaceholderText(tr("equal"));
    m_segments->setToolTip(tr("Relative lengths of a sequence's segments, with commas between"));
    m_steps = addCount(*m_shapeMore, tr("Optimizer &steps"), 1'000, QStringLiteral("steps"));
    m_updates = new QCheckBox(tr("shown"), this);
    m_updates->setObjectName(QStringLiteral("updates"));
    m_updates->setMinimumHeight(24);
    m_updates->setToolTip(tr("U passes in the schedule also of a single step"));
    m_shapeMore->add(tr("&Updates U"), m_updates);
    m_placement = addLine(*m_shapeMore, tr("&Placement"), {}, QStringLiteral("placement"), true);
    for (FieldForm* form : {m_shape, m_parameterForm, m_shapeMore})
        column->addWidget(form);
    column->addSpacing(8);
}

void SpecPanel::makeCosts()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    m_costsFrom = new QLabel(this);
    m_costsFrom->setWordWrap(true);
    m_costsFrom->setForegroundRole(QPalette::PlaceholderText);
    m_costsFrom->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_costsFrom->setObjectName(QStringLiteral("costs-from"));
    m_costsRefusal = new QLabel(this);
    m_costsRefusal->setWordWrap(true);
    m_costsRefusal->setObjectName(QStringLiteral("refusal"));
    m_costsRefusal->hide();

    m_forward = addTime(*m_equal, tr("&Forward F"), QStringLiteral("forward"));
    m_forward->setToolTip(tr("Of one micro-batch on a device's whole share of the model"));
    m_backward = addTime(*m_equal, tr("Input &backward B"), QStringLiteral("backward"));
    m_weight = addTime(*m_equal, tr("&Weight backward W"), QStringLiteral("weight"));
    m_backward->setToolTip(tr("The unsplit backward BW takes B + W"));
    m_weight->setToolTip(m_backward->toolTip());
    m_hop = addTime(*m_equal, tr("Lin&k"), QStringLiteral("hop"));
    m_hop->setToolTip(tr("A message between two devices"));
    m_activation = new QDoubleSpinBox(this);
    m_activation->setRange(0, mostMebibytes);
    m_activation->setDecimals(1);
    prepare(m_activation, QStringLiteral("activation"));
    m_activation->setToolTip(tr("What one micro-batch keeps on a device's share of the model"));
    m_equal->add(tr("&Activation"), m_activation, tr("MiB"));

    m_more = new QToolButton(this);
    m_more->setText(tr("More"));
    m_more->setToolTip(tr("Overlapped pairs, updates, and what is kept of an activation"));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setArrowType(Qt::RightArrow);
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->setMinimumHeight(24);
    m_pair = addTime(*m_equalMore, tr("&Overlapped F+BW"), QStringLiteral("pair"));
    // One step below 0 stands for the sum.
    m_pair->setRange(-m_pair->singleStep(), longestMs);
    m_pair->setSpecialValueText(tr("the sum"));
    m_update = addTime(*m_equalMore, tr("U&pdate U"), QStringLiteral("update"));
    const auto percent = [this](const QString& label, const QString& name, const QString& tip) {
        auto* box = new QDoubleSpinBox(this);
        box->setRange(0, 100);
        box->setDecimals(1);
        prepare(box, name);
        box->setToolTip(tip);
        m_equalMore->add(label, box, QStringLiteral("%"));
        return box;
    };
    m_kept = percent(tr("Kept &until W"), QStringLiteral("kept-for-weight"),
                     tr("Part of an activation that is still held between B and W"));
    m_stash = percent(tr("Sta&sh for R"), QStringLiteral("stash"),
                      tr("Part of an activation that F leaves where an R pass computes it again"));
    m_equalMore->hide();

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

    m_cap = addLine(*m_limits, tr("Memory &cap"), tr("GiB"), QStringLiteral("memory-cap"), false);
    m_cap->setPlaceholderText(tr("none"));
    m_cap->setToolTip(tr("Of every device, or one number for each with commas between"));

    column->addWidget(m_costsFrom);
    for (QWidget* part : std::initializer_list<QWidget*>{m_equal, m_tables, m_limits, m_more,
                                                         m_equalMore, m_costsRefusal})
        column->addWidget(part);
    column->addWidget(makeAction(tr("From model and machine…"),
                                 tr("Times and bytes of a transformer on a machine"),
                                 &SpecPanel::openModel));
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(makeAction(tr("Stage table…"), tr("Times and bytes of every stage"),
                              &SpecPanel::openStageTable));
    row->addWidget(makeAction(tr("Costs file…"), tr("What “pipewright calibrate” measured"),
                              &SpecPanel::openCostsFile));
    row->addWidget(makeAction(tr("Links…"),
                              tr("Latency and bandwidth of messages, and the network over time"),
                              &SpecPanel::openLinks));
    row->addStretch(1);
    column->addLayout(row);
    m_takeEqual = makeAction(tr("Back to equal stages"),
                             tr("One time for every stage; the mean, where they differ"),
                             &SpecPanel::takeEqualStages);
    column->addWidget(m_takeEqual);
    colorActions();
}

void SpecPanel::connectShape()
{
    connect(m_devices, &QSpinBox::valueChanged, this, &SpecPanel::applyDevices);
    connect(m_microBatches, &QSpinBox::valueChanged, this, [this](int value) {
        applyCount(m_microBatches, tr("%1 micro-batches").arg(value), &FamilyOptions::microBatches,
                   &PipelineSpec::microBatches);
    });
    connect(m_steps, &QSpinBox::valueChanged, this, [this](int value) {
        applyCount(m_steps, tr("%1 optimizer steps").arg(value), &FamilyOptions::steps,
                   &PipelineSpec::steps);
    });
    connect(m_updates, &QCheckBox::toggled, this, [this](bool shown) {
        if (m_document && m_document->wanted().family)
            apply(m_updates, tr("Updates"), [=](Project& project) -> Result<void> {
                project.family->options.updates = shown;
                return {};
            });
        else
            applyShape(m_updates, tr("Updates"), [=](PipelineSpec& spec) -> Result<void> {
                spec.updates = shown;
                return {};
            });
    });
    connect(m_segments, &QLineEdit::editingFinished, this, &SpecPanel::applySegments);
    connect(m_placement, &QLineEdit::editingFinished, this, &SpecPanel::applyPlacement);
}

void SpecPanel::connectCosts()
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
    connect(m_cap, &QLineEdit::editingFinished, this, &SpecPanel::applyCap);
    connect(m_more, &QToolButton::toggled, this, [this](bool open) {
        m_more->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_equalMore->setVisible(open);
    });
}

void SpecPanel::setDocument(ScheduleDocument* document)
{
    for (const QMetaObject::Connection& connection : m_connections)
        disconnect(connection);
    m_connections.clear();
    m_asked = nullptr;
    m_document = document;
    ++m_session;
    setEnabled(document != nullptr);
    if (document == nullptr)
        return;
    m_connections = {
        connect(document, &ScheduleDocument::resultChanged, this,
                [this] {
                    m_asked = nullptr;
                    showProject();
                }),
        connect(document, &ScheduleDocument::computingChanged, this, &SpecPanel::showProject),
        connect(document, &ScheduleDocument::refused, this, [this](const QString& why) {
            if (m_asked)
                refuse(m_asked, sentence({ErrorCode::BadValue, why.toStdString()}));
        })};
    showProject();
}

// --- showing

void SpecPanel::showProject()
{
    if (!m_document)
        return;
    m_showing = true;
    for (FieldForm* form : {m_shape, m_parameterForm, m_shapeMore, m_equal, m_equalMore, m_limits})
        form->clearRefusals();
    m_costsRefusal->hide();
    const Project& project = m_document->wanted();
    showShape(project);
    showParameters(project);
    showCosts(project);
    m_showing = false;
}

void SpecPanel::showShape(const Project& project)
{
    const PipelineSpec& spec = project.draft.spec;
    QString family = tr("own order");
    QString citation;
    bool segments = !project.family;
    if (project.family) {
        if (const Result<const Family*> known = findFamily(project.family->id); known) {
            family = text((*known)->title);
            citation = text((*known)->citation);
            segments = std::any_of((*known)->parameters.begin(), (*known)->parameters.end(),
                                   [](const Parameter& p) { return p.name == "segments"; });
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
    fieldOf(m_segments)->setShown(segments);
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

void SpecPanel::makeParameters(const std::string& id)
{
    m_parametersOf = id;
    m_parameters.clear();
    auto* fresh = new FieldForm(this);
    delete layout()->replaceWidget(m_parameterForm, fresh);
    m_parameterForm->deleteLater();
    m_parameterForm = fresh;
    const Result<const Family*> family = findFamily(id);
    for (std::size_t i = 0; family && i < (*family)->parameters.size(); ++i) {
        const Parameter& parameter = (*family)->parameters[i];
        auto* box = new QDoubleSpinBox(fresh);
        const bool words = !parameter.fallbackText.empty();
        // One step below the least value stands for "not given" where the default depends on
        // others.
        const double step = parameter.integer ? 1 : 0.1;
        box->setDecimals(parameter.integer ? 0 : 3);
        box->setSingleStep(step);
        box->setRange(parameter.minimum - (words ? step : 0), std::min(parameter.maximum, 1e9));
        if (words)
            box->setSpecialValueText(fallbackTitle(parameter));
        prepare(box, text(parameter.name));
        box->setToolTip(parameterTip(parameter));
        fresh->add(parameterTitle(parameter), box);
        box->installEventFilter(this);
        const std::string name(parameter.name);
        connect(box, &QDoubleSpinBox::valueChanged, this, [=, this](double value) {
            apply(box, QStringLiteral("%1 %2").arg(text(name), shortNumber(value)),
                  [=](Project& project) -> Result<void> {
                      FamilyOptions& options = project.family->options;
                      std::erase_if(options.parameters,
                                    [&](const auto& one) { return one.first == name; });
                      if (!words || value >= box->minimum() + step / 2)
                          options.parameters.emplace_back(name, value);
                      // Lengths that were given are those of another number of segments.
                      if (name == "segments")
                          options.segmentLengths.clear();
                      return {};
                  });
        });
        m_parameters.push_back({name, box});
    }
    fresh->setVisible(!m_parameters.empty());
}

void SpecPanel::showParameters(const Project& project)
{
    const std::string id = project.family ? project.family->id : std::string();
    if (id != m_parametersOf)
        makeParameters(id);
    const Result<const Family*> family = findFamily(id);
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

void SpecPanel::showCosts(const Project& project)
{
    const auto* uniform = std::get_if<UniformCosts>(&project.costs);
    for (QWidget* part : std::initializer_list<QWidget*>{m_equal, m_more})
        part->setVisible(uniform != nullptr);
    m_equalMore->setVisible(uniform != nullptr && m_more->isChecked());
    m_tables->setVisible(uniform == nullptr);
    m_takeEqual->setVisible(uniform == nullptr);
    m_costsFrom->setText(costsFromText(project));
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
        m_cap->setText(capText({uniform->memoryCap}));
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
    m_cap->setText(capText(costs.memoryCap));
}

// --- changing

Field* SpecPanel::fieldOf(const QWidget* editor) const
{
    for (const FieldForm* form :
         {m_shape, m_parameterForm, m_shapeMore, m_equal, m_equalMore, m_limits})
        for (const auto& field : form->fields())
            if (field->editor == editor)
                return field.get();
    return nullptr;
}

void SpecPanel::refuse(const QWidget* editor, const QString& reason)
{
    if (Field* field = fieldOf(editor); field != nullptr)
        return field->refuse(reason);
    QPalette red = m_costsRefusal->palette();
    red.setColor(QPalette::WindowText, color(Role::Refusal));
    m_costsRefusal->setPalette(red);
    m_costsRefusal->setText(reason);
    m_costsRefusal->setVisible(!reason.isEmpty());
}

/// What is typed into one field during one visit is one step.
int SpecPanel::mergeOf(const QWidget* editor) const
{
    if (editor == nullptr)
        return 0;
    constexpr int fields = 256;
    return 1'000'000 + m_session * fields +
           static_cast<int>(qHash(editor->objectName()) % static_cast<unsigned>(fields));
}

void SpecPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        colorActions();
    QWidget::changeEvent(event);
}

bool SpecPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        ++m_session;
    return QWidget::eventFilter(watched, event);
}

bool SpecPanel::apply(QWidget* editor, const QString& what, const ProjectEdit& edit)
{
    if (m_showing || !m_document)
        return false;
    Project next = m_document->wanted();
    const PipelineSpec before = next.draft.spec;
    const auto changed = [&]() -> Result<void> {
        if (auto ok = edit(next); !ok)
            return ok;
        if (next.family) {
            const Result<const Family*> family = findFamily(next.family->id);
            if (!family)
                return fail(family.error());
            Result<PipelineSpec> spec = specOf(**family, next.family->options);
            if (!spec)
                return fail(spec.error());
            next.draft.spec = std::move(*spec);
            if (auto ok = fitCosts(next, before); !ok)
                return ok;
        }
        m_asked = editor;
        return m_document->change(std::move(next), what, mergeOf(editor));
    }();
    if (!changed) {
        showProject();
        refuse(editor, sentence(changed.error()));
    }
    return changed.has_value();
}

bool SpecPanel::applyShape(QWidget* editor, const QString& what, const ShapeEdit& edit)
{
    return apply(editor, what, [&](Project& project) -> Result<void> {
        PipelineSpec spec = project.draft.spec;
        if (auto ok = edit(spec); !ok)
            return ok;
        return reshape(project, std::move(spec));
    });
}

void SpecPanel::applyCount(QSpinBox* box, const QString& what, int FamilyOptions::*option,
                           int PipelineSpec::*count)
{
    if (!m_document)
        return;
    const int value = box->value();
    if (m_document->wanted().family)
        apply(box, what, [=](Project& project) -> Result<void> {
            project.family->options.*option = value;
            return {};
        });
    else
        applyShape(box, what, [=](PipelineSpec& spec) -> Result<void> {
            spec.*count = value;
            return {};
        });
}

void SpecPanel::applyDevices(int devices)
{
    const QString what = tr("%1 devices").arg(devices);
    if (m_document && m_document->wanted().family)
        return applyCount(m_devices, what, &FamilyOptions::devices, nullptr);
    applyShape(m_devices, what, [=](PipelineSpec& spec) -> Result<void> {
        for (Placement& route : spec.routes) {
            Result<Placement> next = placementOn(route, spec.devices, devices);
            if (!next)
                return fail(next.error());
            route = std::move(*next);
        }
        spec.devices = devices;
        return {};
    });
}

void SpecPanel::applySegments()
{
    if (!m_document || m_showing)
        return;
    const Result<std::vector<int>> lengths = lengthsOf(m_segments->text());
    const auto& family = m_document->wanted().family;
    const bool same =
        lengths && *lengths == (family ? family->options.segmentLengths
                                       : m_document->wanted().draft.spec.segmentLengths);
    if (same)
        return;
    const auto given = [&]() -> Result<std::vector<int>> {
        if (lengths && lengths->empty() && !m_document->wanted().family)
            return std::vector<int>{1};
        return lengths;
    }();
    if (family)
        apply(m_segments, tr("Segment lengths"), [=](Project& project) -> Result<void> {
            if (!given)
                return fail(given.error());
            FamilyOptions& options = project.family->options;
            options.segmentLengths = *given;
            // As many segments as lengths.
            if (!given->empty()) {
                std::erase_if(options.parameters,
                              [](const auto& one) { return one.first == "segments"; });
                options.parameters.emplace_back("segments", static_cast<double>(given->size()));
            }
            return {};
        });
    else
        applyShape(m_segments, tr("Segment lengths"), [=](PipelineSpec& spec) -> Result<void> {
            if (!given)
                return fail(given.error());
            spec.segmentLengths = *given;
            return {};
        });
}

void SpecPanel::applyPlacement()
{
    if (!m_document || m_showing || m_document->wanted().family)
        return;
    const QString typed = m_placement->text();
    if (typed == placementsText(m_document->wanted().draft.spec))
        return;
    applyShape(m_placement, tr("Placement"), [=](PipelineSpec& spec) -> Result<void> {
        Result<std::vector<Placement>> routes = placementsOf(typed, spec.devices);
        if (!routes)
            return fail(routes.error());
        spec.routes = std::move(*routes);
        return {};
    });
}

void SpecPanel::applyUniform(QWidget* box, const QString& what,
                             const std::function<void(UniformCosts&)>& edit)
{
    apply(box, what, [&](Project& project) -> Result<void> {
        if (auto* uniform = std::get_if<UniformCosts>(&project.costs); uniform != nullptr)
            edit(*uniform);
        return check(costsOf(project), project.draft.spec);
    });
}

void SpecPanel::applyCap()
{
    if (!m_document || m_showing)
        return;
    const QString typed = m_cap->text();
    // What is shown is rounded: leaving the field must not round the cap.
    if (typed == capText(costsOf(m_document->wanted()).memoryCap))
        return;
    apply(m_cap, tr("Memory cap"), [=](Project& project) -> Result<void> {
        Result<std::vector<Bytes>> caps = capsOf(typed, project.draft.spec.devices);
        if (!caps)
            return fail(caps.error());
        auto* uniform = std::get_if<UniformCosts>(&project.costs);
        const bool same =
            std::adjacent_find(caps->begin(), caps->end(), std::not_equal_to<>()) == caps->end();
        if (uniform != nullptr && same) {
            uniform->memoryCap = caps->empty() ? 0 : caps->front();
            return {};
        }
        // Caps of their own are a table's.
        Costs costs = costsOf(project);
        costs.memoryCap = std::move(*caps);
        project.costs = std::move(costs);
        return check(std::get<Costs>(project.costs), project.draft.spec);
    });
}

void SpecPanel::applyCosts(const SetCosts& costs, const QString& what)
{
    const bool done = apply(nullptr, what, [&](Project& project) -> Result<void> {
        project.costs = costs.costs;
        project.origin = costs.origin;
        return check(costsOf(project), project.draft.spec);
    });
    if (done)
        Q_EMIT told(tr("%1.").arg(what));
}

void SpecPanel::takeEqualStages()
{
    if (!m_document)
        return;
    const auto* costs = std::get_if<Costs>(&m_document->wanted().costs);
    if (costs == nullptr)
        return;
    const PipelineSpec& spec = m_document->wanted().draft.spec;
    const Result<UniformCosts> equal = uniformOf(*costs, spec);
    const QString why = equal ? QString() : text(equal.error().message);
    applyCosts(SetCosts{equal ? *equal : meanOf(*costs, spec)}, tr("Equal stages"));
    if (!equal)
        Q_EMIT told(tr("The mean of the stages, since they are not equal: %1. Undo brings the "
                       "table back.")
                        .arg(why));
}

// --- dialogs

void SpecPanel::open(CostDialog* dialog, const QString& what)
{
    connect(dialog, &CostDialog::applied, this,
            [this, what](const SetCosts& costs) { applyCosts(costs, what); });
    dialog->open();
}

void SpecPanel::openStageTable()
{
    if (m_document)
        open(new StageTableDialog(m_document->wanted(), this), tr("Stage table"));
}

void SpecPanel::openModel()
{
    if (m_document)
        open(new ModelDialog(m_document->wanted(), this), tr("Costs of a model and a machine"));
}

void SpecPanel::openLinks()
{
    if (m_document)
        open(new LinksDialog(m_document->wanted(), this), tr("Links"));
}

void SpecPanel::openCostsFile()
{
    if (!m_document)
        return;
    auto* chooser = new QFileDialog(this, tr("Open measured costs"), {}, tr("Costs (*.json)"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, &SpecPanel::readCostsFile);
    chooser->open();
}

void SpecPanel::readCostsFile(const QString& path)
{
    QPointer<SpecPanel> self(this);
    QPointer<ScheduleDocument> document(m_document);
    Q_EMIT told(tr("Reading %1 …").arg(QFileInfo(path).fileName()));
    workers().start([self, document, path] {
        auto file = std::make_shared<Result<CostsFile>>(loadCosts(path.toStdString()));
        QMetaObject::invokeMethod(
            qApp,
            [self, document, path, file] {
                if (!self || !document || self->m_document != document)
                    return;
                if (!*file)
                    return self->refuse(nullptr, sentence(file->error()));
                const Result<Costs> costs = costsOf(**file, document->project().draft.spec);
                if (!costs)
                    return self->refuse(nullptr, sentence(costs.error()));
                if (document->schedule() != nullptr) {
                    if (const auto known = check(**file, *document->schedule()); !known)
                        return self->refuse(nullptr, sentence(known.error()));
                }
                self->applyCosts(SetCosts{*costs},
                                 tr("Costs of %1").arg(QFileInfo(path).fileName()));
            },
            Qt::QueuedConnection);
    });
}

} // namespace pw::ui
