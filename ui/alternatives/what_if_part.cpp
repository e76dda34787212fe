// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/what_if_part.h"

#include "core/base/stop.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "ui/core_sentences.h"
#include "ui/panels/field_bar.h"
#include "ui/panels/number_rows.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

enum LinkChoice
{
    LinkAsItIs,
    LinkFactor,
    LinkTime
};

constexpr int mostWhatIfDevices = 1024;
constexpr int mostWhatIfMicroBatches = 4096;
constexpr double longestHopMs = 1e6;

bool familyTakes(const Family& family, std::string_view name)
{
    return std::any_of(family.parameters.begin(), family.parameters.end(),
                       [name](const Parameter& one) { return one.name == name; });
}

void setFamilyParameter(FamilyOptions& options, std::string_view name, double value)
{
    std::erase_if(options.parameters, [name](const auto& one) { return one.first == name; });
    options.parameters.emplace_back(std::string(name), value);
}

/// A family in the shape of an order.
FamilyOptions optionsLike(const WhatIfBase& base, const Family& family)
{
    if (base.family && base.family->id == family.id)
        return base.family->options;
    const PipelineSpec& spec = base.schedule.spec();
    FamilyOptions options;
    options.devices = spec.devices;
    options.microBatches = spec.microBatches;
    options.steps = spec.steps;
    options.updates = spec.updates;
    const auto follow = [&](std::string_view name, int value) {
        for (const Parameter& one : family.parameters)
            if (one.name == name && value > 1 && value <= one.maximum)
                setFamilyParameter(options, name, value);
    };
    if (spec.stages() % spec.devices == 0)
        follow("chunks", spec.stages() / spec.devices);
    follow("segments", spec.segments());
    return options;
}

} // namespace

WhatIfPart::WhatIfPart(QWidget* parent)
    : QWidget(parent)
    , m_fields(new FieldBar(8, this))
    , m_sentence(new QLabel(this))
{
    makeFields();
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setObjectName(QStringLiteral("what-if-sentence"));
    m_open->setObjectName(QStringLiteral("open-prediction"));
    m_keep->setObjectName(QStringLiteral("keep-prediction"));
    auto* words = new QHBoxLayout;
    words->addWidget(m_sentence, 1);
    words->addWidget(m_keep, 0, Qt::AlignTop);
    words->addWidget(m_open, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_fields);
    layout->addLayout(words);
    connectFields();
    m_fields->setEnabled(false);
    m_open->setEnabled(false);
    m_keep->setEnabled(false);
    m_sentence->setText(tr("Reading what there is …"));
}

void WhatIfPart::makeFields()
{
    QStringList families = {tr("as it is")};
    for (const Family& family : allFamilies())
        families << text(family.id);
    m_family = m_fields->addChoice(tr("Fa&mily"), families, QStringLiteral("family"));
    m_devices = m_fields->addCount(tr("&Devices"), 1, mostWhatIfDevices, 1,
                                   QStringLiteral("what-if-devices"));
    m_microBatches = m_fields->addCount(tr("Micro-&batches"), 1, mostWhatIfMicroBatches, 1,
                                        QStringLiteral("what-if-micro-batches"));
    const auto orUsual = [this](const QString& label, const QString& name, const QString& tip) {
        QSpinBox* box = m_fields->addCount(label, 0, mostWhatIfMicroBatches, 0, name);
        box->setSpecialValueText(tr("as it is"));
        box->setToolTip(tip);
        return box;
    };
    m_chunks = orUsual(tr("Ch&unks"), QStringLiteral("chunks"), tr("Stages of a device."));
    m_group = orUsual(tr("&k"), QStringLiteral("group"),
                      tr("Size of a group, where the family has groups: k of kFkB."));
    m_link = m_fields->addChoice(tr("L&ink"), {tr("as it is"), tr("times as slow"), tr("takes ms")},
                                 QStringLiteral("link"));
    m_linkValue =
        m_fields->addNumber(tr("B&y"), {}, 3, 0, longestHopMs, 2, QStringLiteral("link-value"));
    m_weightPart = m_fields->addNumber(tr("&W of BW"), tr("%"), 0, 0, 100, 0,
                                       QStringLiteral("weight-part"), tr("measured"));
    m_weightPart->setToolTip(tr("How much of BW is W, for orders with B and W where only BW was "
                                "measured."));
    m_open = new QPushButton(tr("&Open as a schedule"), this);
    m_open->setToolTip(tr("Opens the prediction with its costs in a tab of its own."));
    m_keep = new QPushButton(tr("Keep as a row"), this);
    m_keep->setToolTip(tr("The prediction stays in the table; the fields go on to another one."));
}

void WhatIfPart::connectFields()
{
    const auto again = [this] { predictAgain(); };
    for (QComboBox* box : {m_family, m_link})
        connect(box, &QComboBox::currentIndexChanged, this, again);
    for (QSpinBox* box : {m_devices, m_microBatches, m_chunks, m_group})
        connect(box, &QSpinBox::valueChanged, this, again);
    for (QDoubleSpinBox* box : {m_linkValue, m_weightPart})
        connect(box, &QDoubleSpinBox::valueChanged, this, again);
    connect(m_link, &QComboBox::currentIndexChanged, this, &WhatIfPart::showLinkFields);
    connect(m_open, &QPushButton::clicked, this, &WhatIfPart::openRequested);
    connect(m_keep, &QPushButton::clicked, this, &WhatIfPart::keepRequested);
    showLinkFields();
}

void WhatIfPart::showLinkFields()
{
    m_linkValue->setEnabled(m_link->currentIndex() != LinkAsItIs);
    m_linkValue->setSuffix(m_link->currentIndex() == LinkTime ? tr(" ms") : tr(" ×"));
}

void WhatIfPart::setBase(std::shared_ptr<const WhatIfBase> base, ComparedPtr before)
{
    m_base = std::move(base);
    m_before = std::move(before);
    m_filling = true;
    const PipelineSpec& spec = m_base->schedule.spec();
    m_devices->setValue(spec.devices);
    m_microBatches->setValue(spec.microBatches);
    m_filling = false;
    m_fields->setEnabled(true);
    predictAgain();
}

void WhatIfPart::setProblem(const QString& why)
{
    m_fields->refuse(why);
    m_sentence->clear();
    Q_EMIT predicted();
}

/// The family that the fields mean.
Result<FamilyChoice> WhatIfPart::family() const
{
    const bool own = m_family->currentIndex() == 0;
    if (own && !m_base->family)
        return fail(ErrorCode::BadValue,
                    tr("No family makes exactly this order, so it has no other shape: choose a "
                       "family.")
                        .toStdString());
    PW_TRY(const Family* found,
           findFamily(own ? m_base->family->id : m_family->currentText().toStdString()));
    const Family& family = *found;
    FamilyChoice choice{std::string(family.id), optionsLike(*m_base, family)};
    choice.options.devices = m_devices->value();
    choice.options.microBatches = m_microBatches->value();
    for (const auto& [box, name] : {std::pair(m_chunks, "chunks"), std::pair(m_group, "group")}) {
        if (box->value() == 0)
            continue;
        if (!familyTakes(family, name))
            return fail(ErrorCode::BadValue, tr("%1 has no %2: choose a family that has.")
                                                 .arg(text(family.title), text(name))
                                                 .toStdString());
        setFamilyParameter(choice.options, name, box->value());
    }
    return choice;
}

Result<WhatIf> WhatIfPart::asked() const
{
    WhatIf what;
    if (m_link->currentIndex() == LinkFactor)
        what.linkFactor = m_linkValue->value();
    else if (m_link->currentIndex() == LinkTime)
        what.hop = ticksFromMs(m_linkValue->value());
    if (m_weightPart->value() > 0)
        what.weightPart = m_weightPart->value() / 100;
    const PipelineSpec& spec = m_base->schedule.spec();
    const bool shaped = m_devices->value() != spec.devices ||
                        m_microBatches->value() != spec.microBatches || m_chunks->value() > 0 ||
                        m_group->value() > 0;
    if (m_family->currentIndex() == 0 && !shaped)
        return what;
    PW_TRY(FamilyChoice choice, family());
    what.family = std::move(choice);
    return what;
}

QString WhatIfPart::refusal() const
{
    return m_fields->refusal();
}

void WhatIfPart::predictAgain()
{
    if (m_filling || m_base == nullptr)
        return;
    const Result<WhatIf> what = asked();
    if (!what) {
        m_work.drop();
        return take(fail(what.error()));
    }
    m_work.begin([this, base = m_base, what = *what](const std::atomic<bool>& stop) {
        const StopScope scope(stop);
        auto made = std::make_shared<Result<Prediction>>(predict(*base, what));
        return LatestWork::Answer([this, made] { take(*made); });
    });
}

/// What the fields change, in words: the title of the row.
QString WhatIfPart::whatText() const
{
    QStringList parts;
    if (m_family->currentIndex() > 0)
        parts << m_family->currentText();
    const PipelineSpec& now = m_prediction->schedule.spec();
    const PipelineSpec& was = m_base->schedule.spec();
    if (now.devices != was.devices)
        parts << tr("%1 devices").arg(now.devices);
    if (now.microBatches != was.microBatches)
        parts << tr("%1 micro-batches").arg(now.microBatches);
    if (m_chunks->value() > 0)
        parts << tr("%1 chunks").arg(m_chunks->value());
    if (m_group->value() > 0)
        parts << tr("k = %1").arg(m_group->value());
    if (m_link->currentIndex() == LinkFactor)
        parts << tr("links %1 times as slow").arg(text(plainNumber(m_linkValue->value())));
    else if (m_link->currentIndex() == LinkTime)
        parts << tr("links of %1 ms").arg(text(plainNumber(m_linkValue->value())));
    return parts.isEmpty() ? tr("the same order, predicted") : parts.join(QStringLiteral(", "));
}

void WhatIfPart::take(const Result<Prediction>& made)
{
    m_fields->refuse(made ? QString() : coreSentence(made.error().message));
    m_open->setEnabled(made.has_value());
    m_keep->setEnabled(made.has_value());
    m_prediction = made ? std::make_shared<const Prediction>(*made) : nullptr;
    m_after = nullptr;
    if (made) {
        auto after = std::make_shared<Compared>();
        after->title = whatText();
        after->about = text(made->assumed);
        after->schedule = std::make_shared<const Schedule>(made->schedule);
        after->times = made->result;
        after->lanes = lanesOf(after->schedule, after->times);
        after->memory = wholePeak(*after->schedule, made->costs, after->times);
        after->costs = std::make_shared<const Costs>(made->costs);
        m_after = std::move(after);
    }
    m_sentence->setText(made ? sentenceOf(*m_after) : QString());
    Q_EMIT predicted();
}

QString WhatIfPart::sentenceOf(const Compared& after) const
{
    const auto total = [](const Compared& one) { return static_cast<double>(one.times.makespan); };
    QString sentence = tr("%1: %2 after %3, %4.")
                           .arg(after.title, text(timeText(after.times.makespan)),
                                text(timeText(m_before->times.makespan)),
                                lengthVerdict(total(after), total(*m_before)));
    const int before = m_base->schedule.spec().totalMicroBatches();
    const int now = m_prediction->schedule.spec().totalMicroBatches();
    if (before != now)
        sentence += tr(" A micro-batch takes %1 after %2.")
                        .arg(text(timeText(after.times.makespan / now)),
                             text(timeText(m_before->times.makespan / before)));
    if (const std::optional<double> off = m_base->residual())
        sentence +=
            tr(" The order as it is was measured and is predicted %1 %2: so far predictions "
               "can be off.")
                .arg(percentText(std::abs(*off)), *off >= 0 ? tr("longer") : tr("shorter"));
    if (!m_prediction->assumed.empty())
        sentence += tr(" Assumed: %1.").arg(text(m_prediction->assumed));
    return sentence;
}

QString WhatIfPart::sentence() const
{
    return m_sentence->text();
}

} // namespace pw::ui
