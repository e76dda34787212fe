// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/adaptive/adaptive_fields.h"

#include "core/base/try.h"
#include "ui/panels/field_bar.h"
#include "ui/panels/links_dialog.h"

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace pw::ui {

namespace {

constexpr int mostAdaptiveIterations = 10'000;
constexpr double longestAdaptiveTime = 1e5; ///< ms
/// A network that others use now and then.
constexpr const char* usualNetwork = "0:1, 4000:4, 9000:1, 12000:10, 18000:2, 24000:1, 27000:6";

QString plain(double value)
{
    return QString::number(value, 'g', 12);
}

} // namespace

AdaptiveFields::AdaptiveFields(QWidget* parent)
    : QWidget(parent)
    , m_bar(new FieldBar(6, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_bar);
    const auto count = [this](const QString& label, int most, int value, const char* name,
                              const QString& tip) {
        QSpinBox* box = m_bar->addCount(label, 1, most, value, QString::fromLatin1(name));
        box->setToolTip(tip);
        connect(box, &QSpinBox::valueChanged, this, &AdaptiveFields::changed);
        return box;
    };
    const auto time = [this](const QString& label, double value, const char* name,
                             const QString& tip) {
        QDoubleSpinBox* box = m_bar->addNumber(label, tr("ms"), 3, 0, longestAdaptiveTime, value,
                                               QString::fromLatin1(name));
        box->setToolTip(tip);
        connect(box, &QDoubleSpinBox::valueChanged, this, &AdaptiveFields::changed);
        return box;
    };
    m_devices = count(tr("&Devices"), 256, 8, "devices", tr("Stages of the pipeline."));
    m_samples = count(tr("Samples a step"), 100'000, 128, "samples",
                      tr("Of one optimizer step, over all micro-batches."));
    m_held = count(tr("Samples held"), 1'000'000, 16, "held",
                   tr("Samples whose activations fit on a device: a larger k needs smaller "
                      "micro-batches."));
    m_mostGroup = count(tr("Largest &k"), 1024, 16, "most-k", tr("Larger ones are not tried."));
    m_iterations = count(tr("&Iterations"), mostAdaptiveIterations, 100, "iterations", {});
    m_every = count(tr("Measured every"), mostAdaptiveIterations, 5, "every",
                    tr("Iterations between two looks at the network."));
    m_forward = time(tr("F &a sample"), 1, "forward", tr("On one stage."));
    m_backward = time(tr("&BW a sample"), 2, "backward", tr("On one stage."));
    m_fixed = time(tr("Every pass +"), 1, "fixed",
                   tr("Whatever its size: launches, kernels that stay small."));
    m_message =
        time(tr("Link a sample"), 0.1, "message", tr("Over a link that nothing slows down."));
    m_latency = time(tr("Every message +"), 0.05, "latency", tr("Whatever its size."));
    m_trace = new QLineEdit(this);
    m_trace->setObjectName(QStringLiteral("network"));
    m_trace->setPlaceholderText(tr("0:1, 20:5, 60:1"));
    m_trace->setMinimumHeight(24);
    auto* name = new QLabel(tr("&Network over time"), this);
    name->setForegroundRole(QPalette::PlaceholderText);
    name->setBuddy(m_trace);
    auto* row = new QHBoxLayout;
    row->addWidget(name);
    row->addWidget(m_trace, 1);
    layout->insertLayout(0, row);
    m_trace->setText(QString::fromLatin1(usualNetwork));
    m_trace->setCursorPosition(0);
    m_trace->setToolTip(tr("0:1, 20:5 means: from 20 ms on a message takes five times as long."));
    connect(m_trace, &QLineEdit::textChanged, this, &AdaptiveFields::changed);
}

Result<AdaptiveAsked> AdaptiveFields::asked() const
{
    AdaptiveAsked asked;
    GroupingProblem& problem = asked.problem;
    problem.devices = m_devices->value();
    problem.samples = m_samples->value();
    problem.held = m_held->value();
    problem.mostGroup = m_mostGroup->value();
    problem.forward = ticksFromMs(m_forward->value());
    problem.backward = ticksFromMs(m_backward->value());
    problem.fixed = ticksFromMs(m_fixed->value());
    problem.message = ticksFromMs(m_message->value());
    problem.latency = ticksFromMs(m_latency->value());
    asked.iterations = m_iterations->value();
    asked.every = m_every->value();
    PW_TRY(std::vector<LinkPhase> trace, parseLinkTrace(m_trace->text()));
    problem.trace = std::move(trace);
    return asked;
}

QStringList AdaptiveFields::arguments(bool modelled) const
{
    QStringList words;
    const auto add = [&words](const char* name, const QString& value) {
        words << QStringLiteral("--") + QString::fromLatin1(name) << value;
    };
    add("devices", QString::number(m_devices->value()));
    add("global-batch", QString::number(m_samples->value()));
    add("memory-limit", QString::number(m_held->value()));
    add("most-k", QString::number(m_mostGroup->value()));
    add("iterations", QString::number(m_iterations->value()));
    add("every", QString::number(m_every->value()));
    add("message", plain(m_message->value()));
    add("latency", plain(m_latency->value()));
    QString trace = m_trace->text();
    trace.remove(QLatin1Char(' '));
    if (!trace.isEmpty())
        add("link-trace", trace);
    if (modelled) {
        add("forward", plain(m_forward->value()));
        add("backward", plain(m_backward->value()));
        add("weight", QStringLiteral("0"));
        add("fixed", plain(m_fixed->value()));
    }
    return words;
}

void AdaptiveFields::setDevices(int devices)
{
    m_devices->setValue(devices);
    m_held->setValue(2 * devices);
    m_samples->setValue(16 * devices);
}

void AdaptiveFields::refuse(const QString& reason)
{
    m_bar->refuse(reason);
}

QString AdaptiveFields::refusal() const
{
    return m_bar->refusal();
}

} // namespace pw::ui
