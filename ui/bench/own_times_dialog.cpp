// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/own_times_dialog.h"

#include "core/model/longest_pass.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <cmath>

namespace pw::ui {

namespace {

constexpr double bytesOfMebibyte = 1024.0 * 1024;
constexpr double mostMebibytes = 1e6;

QDoubleSpinBox* ownNumber(QFormLayout& form, const QString& label, const QString& name,
                          const QString& unit, double value, double least, double most)
{
    auto* box = new QDoubleSpinBox(form.parentWidget());
    box->setObjectName(name);
    box->setRange(least, most);
    box->setDecimals(3);
    box->setSuffix(QLatin1Char(' ') + unit);
    box->setAlignment(Qt::AlignRight);
    box->setValue(value);
    form.addRow(label, box);
    return box;
}

Ticks ticksOf(const QDoubleSpinBox& box)
{
    return static_cast<Ticks>(std::llround(box.value() * static_cast<double>(ticksPerMs)));
}

} // namespace

OwnTimesDialog::OwnTimesDialog(const UniformCosts& before, QWidget* parent)
    : QDialog(parent)
    , m_before(before)
{
    setWindowTitle(tr("Own times"));
    auto* about = new QLabel(tr("What all stages of a device take and hold together, for one "
                                "micro-batch. A stage has its part of it."),
                             this);
    about->setWordWrap(true);
    auto* fields = new QWidget(this);
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    constexpr double least = 0.001;
    m_forward = ownNumber(*form, tr("&Forward, F"), QStringLiteral("forward"), tr("ms"),
                          msFromTicks(before.forward), least, longestPassMs);
    m_backward = ownNumber(*form, tr("&Backward for the input, B"), QStringLiteral("backward"),
                           tr("ms"), msFromTicks(before.backward), least, longestPassMs);
    m_weight = ownNumber(*form, tr("Backward for the &weights, W"), QStringLiteral("weight"),
                         tr("ms"), msFromTicks(before.weight), least, longestPassMs);
    m_hop = ownNumber(*form, tr("&Message between devices"), QStringLiteral("hop"), tr("ms"),
                      msFromTicks(before.hop), 0, longestPassMs);
    m_activation =
        ownNumber(*form, tr("&Activation"), QStringLiteral("activation"), tr("MiB"),
                  static_cast<double>(before.activation) / bytesOfMebibyte, 0, mostMebibytes);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(fields);
    layout->addWidget(buttons);
}

UniformCosts OwnTimesDialog::costs() const
{
    UniformCosts costs = m_before;
    costs.forward = ticksOf(*m_forward);
    costs.backward = ticksOf(*m_backward);
    costs.weight = ticksOf(*m_weight);
    costs.hop = ticksOf(*m_hop);
    costs.activation = static_cast<Bytes>(std::llround(m_activation->value() * bytesOfMebibyte));
    costs.pair.reset();
    costs.memoryCap = 0;
    return costs;
}

} // namespace pw::ui
