// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/model_dialog.h"

#include "core/base/text.h"
#include "core/cost/accelerator.h"
#include "core/cost/origin_costs.h"
#include "core/edit/fit_costs.h"
#include "core/io/model_file.h"
#include "core/model/known_sizes.h"
#include "core/plan/plan_words.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/models/number_table.h"
#include "ui/presentation.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace pw::ui {

namespace {

/// Bytes of an activation, a weight, a gradient and the optimizer's of a parameter.
struct Precision
{
    const char* title;
    int element, weight, gradient, optimizer;
};

constexpr std::array<Precision, 3> precisions = {
    {{QT_TRANSLATE_NOOP("pw::ui::ModelDialog", "16 bit, gradients and master in 32"), 2, 2, 4, 12},
     {QT_TRANSLATE_NOOP("pw::ui::ModelDialog", "16 bit, gradients too"), 2, 2, 2, 12},
     {QT_TRANSLATE_NOOP("pw::ui::ModelDialog", "32 bit"), 4, 4, 4, 8}}};

bool has(const TransformerModel& model, const Precision& precision)
{
    return model.elementBytes == precision.element && model.weightBytes == precision.weight &&
           model.gradientBytes == precision.gradient && model.optimizerBytes == precision.optimizer;
}

/// "1.7 B", "345 M"
QString countText(double count)
{
    if (count >= 1e9)
        return ModelDialog::tr("%1 billion").arg(shortNumber(count / 1e9));
    return ModelDialog::tr("%1 million").arg(shortNumber(count / 1e6));
}

} // namespace

ModelDialog::ModelDialog(const Project& project, QWidget* parent)
    : CostDialog(tr("Times and bytes from a model and a machine"), parent)
    , m_spec(project.draft.spec)
    , m_recomputeIn(recomputeInOf(project))
    , m_engine(project.origin ? project.origin->engine : EngineMemory())
    , m_model(project.origin ? project.origin->model : *findModel("gpt-1.7b"))
    , m_costs(Costs())
    , m_preset(new QComboBox(this))
    , m_precision(new QComboBox(this))
    , m_recompute(new QComboBox(this))
    , m_machine(new QComboBox(this))
    , m_split(new QComboBox(this))
    , m_stages(new QTableWidget(this))
    , m_summary(new QLabel(this))
{
    const CostOrigin given = project.origin.value_or(CostOrigin());
    auto* fields = new QWidget(this);
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 8, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    makeFields(*form);
    for (const Accelerator& device : accelerators())
        m_machine->addItem(text(device.title), text(device.name));
    m_machine->setCurrentIndex(std::max(0, m_machine->findData(text(given.hardware))));
    m_split->addItems({QStringLiteral("even"), QStringLiteral("ends")});
    m_split->setCurrentText(text(given.split));
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(fields);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(fields->minimumSizeHint().width() +
                          scroll->verticalScrollBar()->sizeHint().width() + 8);

    m_stages->setColumnCount(8);
    m_stages->setHorizontalHeaderLabels({tr("device"), tr("layers"), tr("F\nms"), tr("B\nms"),
                                         tr("W\nms"), tr("R\nms"), tr("activation\nMiB"),
                                         tr("weights …\nMiB")});
    m_stages->horizontalHeaderItem(7)->setToolTip(tr("Weights, gradients and optimizer"));
    m_stages->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_stages->setSelectionMode(QAbstractItemView::ContiguousSelection);
    m_stages->setAccessibleName(tr("What comes out for every stage"));
    m_stages->verticalHeader()->setDefaultSectionSize(std::max(24, fontMetrics().height() + 8));
    m_stages->setMinimumWidth(66 * fontMetrics().averageCharWidth());
    m_summary->setTextFormat(Qt::RichText); // figures of our own
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setObjectName(QStringLiteral("summary"));
    m_summary->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_summary->setMinimumHeight(4 * fontMetrics().lineSpacing());
    auto* right = new QVBoxLayout;
    right->addWidget(m_stages, 1);
    right->addWidget(m_summary);
    auto* upper = new QHBoxLayout;
    upper->addWidget(scroll);
    upper->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(upper, 1);
    layout->addWidget(reasonLine());
    layout->addWidget(buttons());
    resize(150 * fontMetrics().averageCharWidth(), 40 * fontMetrics().lineSpacing());

    connect(m_preset, &QComboBox::activated, this, &ModelDialog::choosePreset);
    for (QComboBox* box : {m_precision, m_recompute})
        connect(box, &QComboBox::activated, this, &ModelDialog::fieldEdited);
    connect(m_machine, &QComboBox::currentIndexChanged, this, &ModelDialog::preview);
    connect(m_split, &QComboBox::editTextChanged, this, &ModelDialog::preview);
    connect(buttons()->button(QDialogButtonBox::Apply), &QPushButton::clicked, this,
            &ModelDialog::applyModel);
    showModel();
    preview();
    m_preset->setFocus();
}

ModelDialog::~ModelDialog()
{
    // A field that loses the focus says its value; nobody is left to hear it.
    m_filling = true;
    hide();
}

void ModelDialog::addNumber(QFormLayout& form, const QString& label, int TransformerModel::*member,
                            int least, int most, const QString& tip)
{
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setAlignment(Qt::AlignRight);
    box->setLocale(QLocale::c());
    box->setKeyboardTracking(false);
    box->setToolTip(tip);
    box->setMinimumHeight(24);
    form.addRow(label, box);
    m_numbers.push_back({member, box});
    connect(box, &QSpinBox::valueChanged, this, &ModelDialog::fieldEdited);
}

void ModelDialog::addFlag(QFormLayout& form, const QString& label, bool TransformerModel::*member,
                          const QString& tip)
{
    auto* box = new QCheckBox(label, this);
    box->setToolTip(tip);
    box->setMinimumHeight(24);
    form.addRow(QString(), box);
    m_flags.push_back({member, box});
    connect(box, &QCheckBox::toggled, this, &ModelDialog::fieldEdited);
}

void ModelDialog::makeFields(QFormLayout& form)
{
    for (const LanguageModel& model : modelPresets())
        m_preset->addItem(text(model.dense.name));
    m_preset->addItem(tr("from a file…"));
    form.addRow(tr("&Model"), m_preset);
    constexpr int many = 1'000'000;
    addNumber(form, tr("&Layers"), &TransformerModel::layers, 1, many, {});
    addNumber(form, tr("&Hidden size"), &TransformerModel::hidden, 1, many, {});
    addNumber(form, tr("Hea&ds"), &TransformerModel::heads, 1, many,
              tr("Attention heads; they divide the hidden size"));
    addNumber(form, tr("&Key heads"), &TransformerModel::kvHeads, 0, many,
              tr("Heads of keys and values"));
    addNumber(form, tr("MLP &width"), &TransformerModel::ffn, 0, 10 * many, {});
    m_numbers[3].box->setSpecialValueText(tr("as heads"));
    m_numbers[4].box->setSpecialValueText(tr("4 × hidden"));
    addNumber(form, tr("Se&quence"), &TransformerModel::sequence, 1, 100 * many,
              tr("Tokens of a sample"));
    addNumber(form, tr("&Vocabulary"), &TransformerModel::vocabulary, 1, 100 * many, {});
    addNumber(form, tr("Micro-&batch"), &TransformerModel::microBatch, 1, many,
              tr("Samples in a micro-batch"));
    addNumber(form, tr("&Tensor parallel"), &TransformerModel::tensorParallel, 1, 1024,
              tr("Accelerators that make one device of the pipeline"));
    addNumber(form, tr("Data &parallel"), &TransformerModel::dataParallel, 1, 100'000,
              tr("Replicas of the whole pipeline; their gradients are summed once a step"));
    for (const Precision& precision : precisions)
        m_precision->addItem(tr(precision.title));
    form.addRow(tr("P&recision"), m_precision);
    m_recompute->addItems({tr("nothing"), tr("attention scores"), tr("all but a layer's input")});
    m_recompute->setToolTip(tr("What a layer forgets after F and computes again"));
    form.addRow(tr("Rec&ompute"), m_recompute);
    addFlag(form, tr("&Flash attention"), &TransformerModel::flashAttention,
            tr("Scores are never stored"));
    addFlag(form, tr("&Gated MLP"), &TransformerModel::gatedMlp,
            tr("Three matrices in the MLP instead of two (SwiGLU)"));
    addFlag(form, tr("Tied &embedding"), &TransformerModel::tiedEmbedding,
            tr("The output layer uses the embedding's weights"));
    addFlag(form, tr("Sequence parallel"), &TransformerModel::sequenceParallel,
            tr("What tensor parallelism does not split by heads is split by tokens"));
    addFlag(form, tr("Distributed optimizer"), &TransformerModel::distributedOptimizer,
            tr("Each replica holds its part of the optimizer's bytes"));
    form.addRow(tr("M&achine"), m_machine);
    m_split->setEditable(true);
    m_split->setInsertPolicy(QComboBox::NoInsert);
    m_split->setToolTip(tr("Layers of the stages: even; ends (one less at both ends); counts such "
                           "as 7,8,8,7; or a layout such as E|t*8|t*8L"));
    form.addRow(tr("Layer &split"), m_split);
    for (QComboBox* box : {m_preset, m_precision, m_recompute, m_machine, m_split}) {
        box->setMinimumHeight(24);
        // Long titles are read in the list; the table beside the fields needs the room.
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(18);
    }
}

CostOrigin ModelDialog::origin() const
{
    return {m_model, m_machine->currentData().toString().toStdString(),
            m_split->currentText().trimmed().toStdString(), m_recomputeIn, m_engine};
}

/// Puts the model into the fields.
void ModelDialog::showModel()
{
    m_filling = true;
    for (const NumberField& field : m_numbers)
        field.box->setValue(m_model.dense.*field.member);
    for (const FlagField& field : m_flags)
        field.box->setChecked(m_model.dense.*field.member);
    const auto precision =
        std::find_if(precisions.begin(), precisions.end(),
                     [this](const Precision& one) { return has(m_model.dense, one); });
    const auto known = static_cast<int>(precisions.size());
    if (precision == precisions.end() && m_precision->count() == known)
        m_precision->addItem(tr("as the model says"));
    m_precision->setCurrentIndex(static_cast<int>(precision - precisions.begin()));
    m_recompute->setCurrentIndex(static_cast<int>(m_model.dense.recompute));
    const auto& presets = modelPresets();
    const auto preset = std::find(presets.begin(), presets.end(), m_model);
    const int file = static_cast<int>(presets.size());
    m_preset->setItemText(file, tr("from a file…"));
    if (preset != presets.end()) {
        m_preset->setCurrentIndex(static_cast<int>(preset - presets.begin()));
    } else {
        m_preset->setCurrentIndex(-1);
        m_preset->setPlaceholderText(text(m_model.dense.name));
    }
    m_filling = false;
}

void ModelDialog::choosePreset(int index)
{
    const auto& presets = modelPresets();
    if (index < 0)
        return;
    if (static_cast<std::size_t>(index) == presets.size())
        return openModel();
    m_model = presets[static_cast<std::size_t>(index)];
    showModel();
    preview();
}

void ModelDialog::openModel()
{
    showModel();
    auto* chooser = new QFileDialog(this, tr("Open a model"), {}, tr("Models (*.json)"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const Result<LanguageModel> model = readModelFile(path.toStdString());
        if (!model)
            return setReason(coreSentence(model.error().message));
        m_model = *model;
        showModel();
        preview();
    });
    chooser->open();
}

void ModelDialog::fieldEdited()
{
    if (m_filling)
        return;
    const LanguageModel before = m_model;
    for (const NumberField& field : m_numbers)
        m_model.dense.*field.member = field.box->value();
    for (const FlagField& field : m_flags)
        m_model.dense.*field.member = field.box->isChecked();
    m_model.dense.recompute = static_cast<RecomputePolicy>(m_recompute->currentIndex());
    if (const auto at = static_cast<std::size_t>(m_precision->currentIndex());
        at < precisions.size()) {
        m_model.dense.elementBytes = precisions[at].element;
        m_model.dense.weightBytes = precisions[at].weight;
        m_model.dense.gradientBytes = precisions[at].gradient;
        m_model.dense.optimizerBytes = precisions[at].optimizer;
    }
    const auto& presets = modelPresets();
    const bool preset = std::find(presets.begin(), presets.end(), before) != presets.end();
    if (preset && m_model != before)
        m_model.dense.name = tr("%1, changed").arg(text(before.dense.name)).toStdString();
    showModel();
    preview();
}

void ModelDialog::preview()
{
    const CostOrigin from = origin();
    m_costs = costsOf(from, m_spec);
    setReason(m_costs ? QString() : coreSentence(m_costs.error().message));
    const Result<LayerSplit> split = parseSplit(from.split, m_model.dense.layers, m_spec.stages());
    if (!m_costs || !split) {
        m_stages->setRowCount(0);
        m_summary->clear();
        return;
    }
    showStages(*m_costs, *split);
    m_summary->setText(summary(*m_costs));
}

void ModelDialog::showStages(const Costs& costs, const LayerSplit& split)
{
    const std::size_t segments = m_spec.segmentLengths.size();
    m_stages->setRowCount(m_spec.stages());
    for (const StageId stage : Ids<StageId>(m_spec.stages())) {
        const auto at = static_cast<std::size_t>(stage);
        const auto sum = [&](const std::vector<Ticks>& table) {
            Ticks whole = 0;
            for (std::size_t q = 0; q < segments && !table.empty(); ++q)
                whole += table[at * segments + q];
            return shortNumber(msFromTicks(whole));
        };
        Bytes activation = 0;
        for (std::size_t q = 0; q < segments; ++q)
            activation += costs.activation[at * segments + q].activation;
        const auto mebibytes = [](Bytes bytes) {
            return shortNumber(static_cast<double>(bytes) / (1024.0 * 1024.0));
        };
        QStringList devices;
        for (int route = 0; route < m_spec.routeCount(); ++route)
            devices << QString::number(m_spec.device(route, stage));
        const StageContent& content = split[at];
        QString layers = QString::number(content.layers);
        if (content.embedding)
            layers += tr(" + embedding");
        if (content.outputs > 0)
            layers += tr(" + output");
        const QStringList cells = {devices.join(QStringLiteral(", ")),
                                   layers,
                                   sum(costs.forward),
                                   sum(costs.backward),
                                   sum(costs.weight),
                                   sum(costs.recompute),
                                   mebibytes(activation),
                                   mebibytes(standingBytes(costs, stage))};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(column == 1 ? Qt::AlignLeft | Qt::AlignVCenter
                                               : Qt::AlignRight | Qt::AlignVCenter);
            m_stages->setItem(stage, column, item);
        }
        m_stages->setVerticalHeaderItem(stage, new QTableWidgetItem(tr("stage %1").arg(stage)));
    }
    m_stages->resizeColumnsToContents();
}

QString ModelDialog::summary(const Costs& costs) const
{
    QStringList lines;
    lines << tr("%1 parameters; %2 tokens in a micro-batch.")
                 .arg(countText(weightCount(m_model)),
                      QLocale::c().toString(static_cast<qlonglong>(tokensOfMicroBatch(m_model))));
    // Bytes that every device needs before the first micro-batch.
    std::vector<Bytes> needs;
    for (const StandingMemory& standing : standingMemory(costs, m_spec))
        needs.push_back(standing.with(0));
    const auto worst = std::max_element(needs.begin(), needs.end());
    if (!costs.memoryCap.empty() && worst != needs.end()) {
        const auto device = worst - needs.begin();
        const Bytes cap = costs.memoryCap[static_cast<std::size_t>(device)];
        lines << tr("Device %1 holds %2 of %3 before the first micro-batch.")
                     .arg(device)
                     .arg(text(byteText(*worst)), text(byteText(cap)));
        if (*worst > cap)
            lines.last() = QStringLiteral("<span style=\"color:%1\">%2</span>")
                               .arg(color(Role::Refusal).name(), lines.constLast());
    }
    if (m_spec.devices > 1 && !costs.forwardMessage.empty()) {
        const Ticks hop = nominalMessageTime(costs, m_spec, DeviceId(0), DeviceId(1),
                                             costs.forwardMessage.front());
        lines << tr("An activation of %1 takes %2 from device 0 to device 1.")
                     .arg(text(byteText(costs.forwardMessage.front())), text(timeText(hop)));
    }
    if (const auto planned = plannedOrigin(origin(), m_spec); planned) {
        QString times =
            coreSentence(plan::timesText(planned->cluster, origin().model)).toHtmlEscaped();
        times[0] = times[0].toUpper();
        lines << times + QLatin1Char('.');
    }
    return lines.join(QStringLiteral("<br>"));
}

void ModelDialog::applyModel()
{
    if (!m_costs)
        return;
    Q_EMIT applied(SetCosts{*m_costs, origin()});
    accept();
}

} // namespace pw::ui
