// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_fields.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/model_file.h"
#include "core/plan/plan_words.h"
#include "ui/core_sentences.h"
#include "ui/panels/field_bar.h"
#include "ui/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double decimalGb = 1e9;
constexpr int mostGpus = plan::mostDevices;
constexpr int shownRows = 40;

QSpinBox* freeCount(FieldBar& bar, const QString& label, const QString& name, const QString& tip)
{
    QSpinBox* box = bar.addCount(label, 0, mostGpus, 0, name);
    box->setSpecialValueText(PlanFields::tr("any"));
    box->setToolTip(tip);
    return box;
}

/// Which families a search tries of itself, and why not the others.
QString familiesTip()
{
    QStringList planned;
    for (const std::string_view family : plan::plannedFamilies())
        planned << text(family);
    QString tip = PlanFields::tr("Any tries %1.").arg(planned.join(QStringLiteral(", "))) +
                  QLatin1Char('\n') +
                  PlanFields::tr("The others where they are chosen, or where none of these fits:");
    for (const Sentence& one : plan::leftOutByReason())
        tip += QLatin1Char('\n') + coreSentence(one);
    return tip;
}

} // namespace

PlanFields::PlanFields(QWidget* parent)
    : QWidget(parent)
    , m_bar(new FieldBar(7, this))
    , m_more(new FieldBar(7, this))
    , m_narrow(new QToolButton(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_bar);
    layout->addWidget(m_more);
    makeBasics();
    makeDegrees();
    makeChoices();
    makeNarrow();
    makeOptions();
    connect(m_model, &QComboBox::currentTextChanged, this, &PlanFields::showModel);
    connect(m_hardware, &QComboBox::currentTextChanged, this, &PlanFields::showKinds);
    // The texts keep Return for themselves; what other fields leave comes here.
    for (const QComboBox* box : {m_model, m_hardware})
        connect(box->lineEdit(), &QLineEdit::returnPressed, this, &PlanFields::planAsked);
    showModel();
    showKinds();
}

void PlanFields::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
    Q_EMIT planAsked();
}

void PlanFields::makeBasics()
{
    QStringList models;
    for (const LanguageModel& model : modelPresets())
        models << text(model.dense.name);
    m_model = m_bar->addChoice(tr("&Model"), models, QStringLiteral("model"));
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setToolTip(tr("A preset, or the path of a model file."));
    m_model->setCurrentText(QStringLiteral("llama3-70b"));
    QStringList machines;
    for (const Accelerator& one : accelerators())
        machines << text(one.name);
    m_hardware = m_bar->addChoice(tr("A&ccelerator"), machines, QStringLiteral("hardware"));
    m_hardware->setEditable(true);
    m_hardware->setInsertPolicy(QComboBox::NoInsert);
    m_hardware->setToolTip(tr("One kind, or several with their numbers, in the order in which "
                              "pipelines go through them: h100:32,a100:32."));
    m_hardware->setCurrentText(QStringLiteral("h100"));
    QStringList precisions = {tr("as the model")};
    for (const std::string_view precision : precisionNames)
        precisions << text(precision);
    m_precision = m_bar->addChoice(tr("Precision"), precisions, QStringLiteral("precision"));
    m_precision->setToolTip(tr("Numbers that products with the layers' weights read. How sure the "
                               "times of an accelerator are differs from one to the other."));
    m_gpus = m_bar->addCount(tr("&GPUs"), 1, mostGpus, 64, QStringLiteral("gpus"));
    m_batch = m_bar->addCount(tr("Global &batch"), 1, 1 << 20, 256, QStringLiteral("global-batch"));
    m_batch->setToolTip(tr("Samples of an iteration, over all replicas."));
    m_sequence = m_bar->addCount(tr("Se&quence"), 1, 1 << 24, 8192, QStringLiteral("sequence"));
    m_sequence->setToolTip(tr("Tokens of a sample."));
}

void PlanFields::makeDegrees()
{
    m_memory = m_more->addNumber(tr("Memor&y"), tr("GiB"), 1, 0, 1e6, 0, QStringLiteral("memory"),
                                 tr("data sheet"));
    m_memory->setToolTip(tr("Of an accelerator: 80 for a card of 80 GB."));
    m_tensor = freeCount(*m_more, tr("Te&nsor"), QStringLiteral("tensor-parallel"),
                         tr("Devices that share every layer."));
    m_pipeline = freeCount(*m_more, tr("P&ipeline"), QStringLiteral("pipeline-parallel"),
                           tr("Devices in a pipeline."));
    m_data = freeCount(*m_more, tr("&Data"), QStringLiteral("data-parallel"), tr("Replicas."));
    m_context = freeCount(*m_more, tr("Conte&xt"), QStringLiteral("context-parallel"),
                          tr("Devices that share a sequence."));
    m_expert = freeCount(*m_more, tr("Ex&pert"), QStringLiteral("expert-parallel"),
                         tr("Devices that share the experts."));
    m_microBatch = freeCount(*m_more, tr("Micro-batch si&ze"), QStringLiteral("micro-batch-size"),
                             tr("Samples of a micro-batch."));
}

void PlanFields::makeChoices()
{
    QStringList families = {tr("any")};
    for (const Family& family : allFamilies())
        families << text(family.id);
    m_family = m_more->addChoice(tr("F&amily"), families, QStringLiteral("family"));
    m_family->setToolTip(familiesTip());
    m_chunks =
        freeCount(*m_more, tr("Chun&ks"), QStringLiteral("chunks"), tr("Stages of a device."));
    QStringList policies = {tr("any")};
    for (const auto& policy : recomputePolicyNames)
        policies << text(policy);
    m_recompute = m_more->addChoice(tr("Recomp&ute"), policies, QStringLiteral("recompute"));
    m_offload = m_more->addChoice(tr("Offload"),
                                  {tr("none"), tr("what hides"), tr("all activations"), tr("any")},
                                  QStringLiteral("offload"));
    m_offload->setToolTip(tr("Activations that wait in the host's memory: as many as their copies "
                             "hide under the passes, all, or whatever is best."));
    m_zero = m_more->addChoice(tr("&ZeRO"),
                               {tr("as the model"), QStringLiteral("0"), QStringLiteral("1"),
                                QStringLiteral("2"), QStringLiteral("3")},
                               QStringLiteral("zero"));
    m_zero->setToolTip(tr("What replicas share: 1 optimizer, 2 gradients, 3 weights too. As the "
                          "model: 1 for those of today, else 0."));
    m_perNode = m_more->addCount(tr("GPUs a node"), 1, 1 << 10, 8, QStringLiteral("per-node"));
    m_network = m_more->addNumber(tr("Net&work"), tr("GB/s"), 1, 0, 1e6, 0,
                                  QStringLiteral("network"), tr("data sheet"));
    m_network->setToolTip(tr("From a node to the others, one direction."));
}

/// The switch of the fields that most searches do without.
void PlanFields::makeNarrow()
{
    m_narrow->setObjectName(QStringLiteral("narrow"));
    m_narrow->setCheckable(true);
    m_narrow->setAutoRaise(true);
    m_narrow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_narrow->setToolTip(tr("Degrees of parallelism, family, memory and more: what is set there is "
                            "not searched."));
    m_bar->add(QString(), m_narrow);
    connect(m_narrow, &QToolButton::toggled, this, &PlanFields::showNarrow);
    const QList<QSpinBox*> counts = m_more->findChildren<QSpinBox*>();
    for (QSpinBox* box : counts) {
        m_isSet.push_back([box, usual = box->value()] { return box->value() != usual; });
        connect(box, &QSpinBox::valueChanged, this, &PlanFields::showNarrow);
    }
    const QList<QDoubleSpinBox*> numbers = m_more->findChildren<QDoubleSpinBox*>();
    for (QDoubleSpinBox* box : numbers) {
        m_isSet.push_back([box, usual = box->value()] { return box->value() != usual; });
        connect(box, &QDoubleSpinBox::valueChanged, this, &PlanFields::showNarrow);
    }
    const QList<QComboBox*> choices = m_more->findChildren<QComboBox*>();
    for (QComboBox* box : choices) {
        m_isSet.push_back([box] { return box->currentIndex() > 0; });
        connect(box, &QComboBox::currentIndexChanged, this, &PlanFields::showNarrow);
    }
    showNarrow();
}

/// Fields that are away say how many of them are set.
void PlanFields::showNarrow()
{
    const auto set =
        std::count_if(m_isSet.begin(), m_isSet.end(), [](const auto& isSet) { return isSet(); });
    m_more->setVisible(m_narrow->isChecked());
    m_narrow->setArrowType(m_narrow->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    m_narrow->setText(set == 0 ? tr("Narrow the search…")
                               : tr("Narrow the search… (%1 set)").arg(set));
}

bool PlanFields::narrowShown() const
{
    return m_narrow->isChecked();
}

void PlanFields::setNarrowShown(bool shown)
{
    m_narrow->setChecked(shown);
}

/// The sequence that a model was made for.
void PlanFields::showModel()
{
    const int known = m_model->findText(m_model->currentText());
    if (known < 0)
        return; // a path that is being typed
    if (const auto model = loadModel(m_model->currentText().toStdString()); model)
        m_sequence->setValue(model->dense.sequence);
}

/// Kinds with numbers say how many GPUs there are.
void PlanFields::showKinds()
{
    int sum = 0;
    if (const auto groups = plan::parseKinds(m_hardware->currentText().toStdString()); groups) {
        for (const plan::Cluster& group : *groups)
            sum += group.devices;
    }
    if (sum > 0)
        m_gpus->setValue(sum);
    m_gpus->setEnabled(sum == 0);
    m_gpus->setToolTip(sum > 0 ? tr("As many as the kinds have together.") : QString());
}

/// What the fields say in the place of a data sheet.
Result<void> PlanFields::replaceDeviceFields(Accelerator& device) const
{
    device.devicesPerNode = m_perNode->value();
    if (m_network->value() > 0)
        device.nodeBandwidth = m_network->value() * decimalGb;
    if (m_memory->value() <= 0)
        return {};
    device.memory = m_memory->value() * plan::gibibyte;
    if (device.memory <= device.reserved)
        return fail(ErrorCode::BadValue,
                    tr("Memory: %1 GiB is not above the %2 GiB that context and libraries take.")
                        .arg(m_memory->value())
                        .arg(device.reserved / plan::gibibyte)
                        .toStdString());
    return {};
}

Result<plan::Cluster> PlanFields::askedCluster() const
{
    Result<std::vector<plan::Cluster>> groups =
        plan::parseKinds(m_hardware->currentText().toStdString());
    if (!groups)
        return fail(groups.error().code,
                    tr("Accelerator: %1").arg(coreSentence(groups.error().message)).toStdString());
    if (groups->front().devices == 0)
        groups->front().devices = m_gpus->value();
    int devices = 0;
    for (const plan::Cluster& group : *groups)
        devices += group.devices;
    for (plan::Cluster& group : *groups) {
        PW_DO(replaceDeviceFields(group.device));
        group.constants = plan::constantsFor(group.device, devices);
    }
    return plan::clusterOfGroups(std::move(*groups));
}

Result<PlanAsked> PlanFields::asked() const
{
    PW_TRY(LanguageModel model, loadModel(m_model->currentText().trimmed().toStdString()));
    model.dense.sequence = m_sequence->value();
    if (m_precision->currentIndex() > 0)
        setPrecision(model.dense, static_cast<Precision>(m_precision->currentIndex() - 1));
    PW_DO(checkShape(model));
    PlanAsked all;
    PW_TRY(plan::Cluster cluster, askedCluster());
    all.cluster = std::move(cluster);
    plan::Wish& wish = all.wish;
    wish.rows = shownRows;
    wish.globalBatch = m_batch->value();
    wish.tensorParallel = m_tensor->value();
    wish.pipelineParallel = m_pipeline->value();
    wish.dataParallel = m_data->value();
    wish.contextParallel = m_context->value();
    wish.expertParallel = m_expert->value();
    wish.microBatchSize = m_microBatch->value();
    wish.chunks = m_chunks->value();
    if (m_family->currentIndex() > 0)
        wish.family = m_family->currentText().toStdString();
    if (m_recompute->currentIndex() > 0)
        wish.recompute = static_cast<RecomputePolicy>(m_recompute->currentIndex() - 1);
    constexpr int offloadSearched = 3;
    if (m_offload->currentIndex() == offloadSearched)
        wish.offload.reset();
    else
        wish.offload = static_cast<plan::OffloadPolicy>(m_offload->currentIndex());
    plan::setUsualTraining(wish, model);
    if (m_zero->currentIndex() > 0)
        wish.zero = m_zero->currentIndex() - 1;
    all.model = std::move(model);
    return all;
}

// A refusal stands below all fields that are there.
void PlanFields::refuse(const QString& reason)
{
    m_bar->refuse(narrowShown() ? QString() : reason);
    m_more->refuse(narrowShown() ? reason : QString());
}

QString PlanFields::refusal() const
{
    return m_bar->refusal() + m_more->refusal();
}

QString headlineOf(const PlanAsked& asked)
{
    return text(plan::headline(asked.model, asked.cluster, asked.wish)) + QStringLiteral(" · ") +
           coreSentence(plan::timesText(asked.cluster, asked.model));
}

} // namespace pw::ui
