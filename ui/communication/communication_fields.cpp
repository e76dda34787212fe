// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/communication_fields.h"

#include "core/io/model_file.h"
#include "ui/communication/communication_page.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include <utility>

namespace pw::ui {

namespace comms = pw::communication;

namespace {

/// The choice behind those of `comms::ReceivePlace`.
constexpr int placesOfFile = 4;
constexpr double bytesOfKib = 1024;

} // namespace

CommunicationFields::CommunicationFields(std::shared_ptr<const Schedule> schedule, Costs given,
                                         bool file, QWidget* parent)
    : FieldBar(6, parent)
    , m_schedule(std::move(schedule))
    , m_given(std::move(given))
{
    addPlaces(file);
    addMessages();
    addWeights();
    addExperts();
    enablePlaces();
    connect(this, &CommunicationFields::placesChanged, this, &CommunicationFields::enablePlaces);
}

void CommunicationFields::addPlaces(bool file)
{
    m_receives = addChoice(CommunicationPage::tr("&Receives"),
                           {CommunicationPage::tr("as sent"), CommunicationPage::tr("at use"),
                            CommunicationPage::tr("early by"), CommunicationPage::tr("deferred")},
                           QStringLiteral("receives"));
    m_receives->setToolTip(CommunicationPage::tr(
        "Where a receive is posted: where the device has come to when the message leaves, as "
        "PyTorch does; directly before the pass that needs it; some passes before it; or as "
        "PyTorch's defer_pp_recv."));
    if (file) {
        m_receives->addItem(CommunicationPage::tr("as the file"));
        m_receives->setCurrentIndex(placesOfFile);
    }
    m_early = addCount(CommunicationPage::tr("Pa&sses"), 0, 999, 1, QStringLiteral("early"));
    m_early->setToolTip(
        CommunicationPage::tr("How many passes before its use a receive is posted."));
    m_sends =
        addChoice(CommunicationPage::tr("Se&nds are awaited"),
                  {CommunicationPage::tr("at the end"), CommunicationPage::tr("at its backward"),
                   CommunicationPage::tr("none"), CommunicationPage::tr("at once")},
                  QStringLiteral("send-waits"));
    m_sends->setToolTip(
        CommunicationPage::tr("Where a device waits for what it sends and gives its buffer back. "
                              "None: as soon as it has left."));
    for (QComboBox* box : {m_receives, m_sends})
        connect(box, &QComboBox::currentIndexChanged, this, &CommunicationFields::placesChanged);
    connect(m_early, &QSpinBox::valueChanged, this, &CommunicationFields::placesChanged);
}

void CommunicationFields::addMessages()
{
    m_communicators = addChoice(CommunicationPage::tr("Co&mmunicators"),
                                {CommunicationPage::tr("one"), CommunicationPage::tr("a direction"),
                                 CommunicationPage::tr("an edge"), CommunicationPage::tr("a pair")},
                                QStringLiteral("communicators"));
    m_communicators->setToolTip(CommunicationPage::tr(
        "Messages of a communicator travel one after the other, in the order of posting."));
    m_hop = addNumber(CommunicationPage::tr("&Message"), CommunicationPage::tr("ms"), 4, 0, 1e6,
                      msFromTicks(m_given.link.latency), QStringLiteral("hop"));
    m_hop->setEnabled(m_given.links.empty());
    const Bytes known = m_given.forwardMessage.empty() ? 0 : m_given.forwardMessage.front();
    m_size = addNumber(CommunicationPage::tr("Si&ze"), CommunicationPage::tr("KiB"), 1, 0, 1e9,
                       static_cast<double>(known) / bytesOfKib, QStringLiteral("size"),
                       CommunicationPage::tr("not known"));
    m_size->setEnabled(known == 0);
    m_eager = addNumber(CommunicationPage::tr("E&ager to"), CommunicationPage::tr("KiB"), 1, -1,
                        1e9, -1, QStringLiteral("eager"), CommunicationPage::tr("none"));
    m_eager->setToolTip(CommunicationPage::tr(
        "Messages of at most this size leave before their receive is posted."));
    connect(m_communicators, &QComboBox::currentIndexChanged, this,
            &CommunicationFields::timesChanged);
    for (QDoubleSpinBox* box : {m_hop, m_size, m_eager})
        connect(box, &QDoubleSpinBox::valueChanged, this, &CommunicationFields::timesChanged);
}

void CommunicationFields::addWeights()
{
    m_sharded = addSwitch(CommunicationPage::tr("Weights"), CommunicationPage::tr("s&harded"),
                          QStringLiteral("sharded"));
    m_sharded->setToolTip(
        CommunicationPage::tr("Stages are gathered before their passes, gradients are reduced."));
    m_lookAhead =
        addCount(CommunicationPage::tr("&Look ahead"), 0, 64, 0, QStringLiteral("look-ahead"));
    m_lookAhead->setSpecialValueText(CommunicationPage::tr("full"));
    m_lookAhead->setToolTip(CommunicationPage::tr("Stages whose gather is started ahead."));
    m_gather = addNumber(CommunicationPage::tr("&Gather"), CommunicationPage::tr("ms"), 4, 0, 1e6,
                         0.5, QStringLiteral("gather"));
    m_gather->setToolTip(
        CommunicationPage::tr("Time of one stage's gather, and of its reduction."));
    connect(m_sharded, &QCheckBox::toggled, this, &CommunicationFields::placesChanged);
    connect(m_lookAhead, &QSpinBox::valueChanged, this, &CommunicationFields::placesChanged);
    connect(m_gather, &QDoubleSpinBox::valueChanged, this, &CommunicationFields::timesChanged);
    if (m_schedule->spec().routeCount() > 1) {
        m_exchanges =
            addChoice(CommunicationPage::tr("Gra&dients"),
                      {CommunicationPage::tr("at the end"), CommunicationPage::tr("when done"),
                       CommunicationPage::tr("own order"), CommunicationPage::tr("none")},
                      QStringLiteral("exchanges"));
        m_exchanges->setToolTip(CommunicationPage::tr(
            "When the copies of a stage exchange their gradients: at the end, as soon as those "
            "of a stage are done, or as each device comes to it."));
        connect(m_exchanges, &QComboBox::currentIndexChanged, this,
                &CommunicationFields::placesChanged);
    }
}

void CommunicationFields::addExperts()
{
    QStringList models = {CommunicationPage::tr("none")};
    for (const LanguageModel& model : modelPresets()) {
        if (model.experts.count > 0)
            models << text(model.dense.name);
    }
    m_experts = addChoice(CommunicationPage::tr("E&xperts"), models, QStringLiteral("experts"));
    m_experts->setToolTip(CommunicationPage::tr(
        "Passes of this model's layers on H100, in parts: attention and MLP computed, tokens "
        "dispatched and combined. Overlapped pairs hide the exchanges."));
    m_expertGroup =
        addCount(CommunicationPage::tr("Spread o&ver"), 1, 4096, 8, QStringLiteral("expert-group"));
    m_expertGroup->setToolTip(
        CommunicationPage::tr("Accelerators that the experts are spread over."));
    connect(m_experts, &QComboBox::currentIndexChanged, this, &CommunicationFields::timesChanged);
    connect(m_expertGroup, &QSpinBox::valueChanged, this, &CommunicationFields::timesChanged);
}

/// Fields that have a meaning with the others as they are.
void CommunicationFields::enablePlaces()
{
    m_early->setEnabled(m_receives->currentIndex() == static_cast<int>(comms::ReceivePlace::Early));
    m_lookAhead->setEnabled(m_sharded->isChecked());
    m_gather->setEnabled(m_sharded->isChecked());
    m_sends->setEnabled(!asFile());
    m_sharded->setEnabled(!asFile());
}

bool CommunicationFields::asFile() const
{
    return m_receives->currentIndex() == placesOfFile;
}

comms::Lowering CommunicationFields::lowering() const
{
    comms::Lowering chosen;
    chosen.receives = static_cast<comms::ReceivePlace>(m_receives->currentIndex());
    chosen.early = m_early->value();
    chosen.sends = static_cast<comms::SendWait>(m_sends->currentIndex());
    chosen.sharded = m_sharded->isChecked();
    chosen.lookAhead = m_lookAhead->value();
    if (m_exchanges != nullptr)
        chosen.exchanges = static_cast<comms::ExchangePlace>(m_exchanges->currentIndex());
    return chosen;
}

comms::Transport CommunicationFields::transport() const
{
    comms::Transport transport;
    transport.communicators = static_cast<comms::Communicators>(m_communicators->currentIndex());
    if (m_eager->value() >= 0)
        transport.eagerBytes = static_cast<Bytes>(m_eager->value() * bytesOfKib);
    const auto stages = static_cast<std::size_t>(m_schedule->spec().stages());
    transport.gather.assign(stages, ticksFromMs(m_gather->value()));
    transport.reduce = transport.gather;
    return transport;
}

Costs CommunicationFields::costs() const
{
    Costs costs = m_given;
    if (m_given.links.empty())
        costs.link.latency = ticksFromMs(m_hop->value());
    if (m_size->isEnabled() && m_size->value() > 0) {
        const auto bytes = static_cast<Bytes>(m_size->value() * bytesOfKib);
        costs.forwardMessage.assign(costs.forward.size(), bytes);
        costs.backwardMessage.assign(costs.forward.size(), bytes);
    }
    return costs;
}

StageLayers CommunicationFields::layers()
{
    m_expertGroup->setEnabled(m_experts->currentIndex() > 0);
    refuse({});
    if (m_experts->currentIndex() <= 0)
        return {};
    const PipelineSpec& spec = m_schedule->spec();
    const auto model = loadModel(m_experts->currentText().toStdString());
    const auto device = findAccelerator("h100");
    if (!model || !device)
        return {};
    if (model->dense.layers < spec.stages()) {
        refuse(CommunicationPage::tr("%1 has %2 layers, the schedule %3 stages.")
                   .arg(m_experts->currentText())
                   .arg(model->dense.layers)
                   .arg(spec.stages()));
        return {};
    }
    plan::Configuration configuration;
    configuration.pipelineParallel = spec.devices;
    configuration.expertParallel = configuration.dataParallel = m_expertGroup->value();
    plan::Cluster cluster;
    cluster.device = *device;
    cluster.devices = configuration.devices();
    return comms::stageLayers(*model, configuration, cluster, spec.stages());
}

} // namespace pw::ui
