// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/links_dialog.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/model/longest_pass.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/number_table_view.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double latestPhaseMs = 3'600'000; // an hour
constexpr double mostGigabytes = 1e9;       // a second
constexpr double giga = 1e9;
constexpr int mostLinkedDevices = 128; ///< above, a table of all links is beyond people

enum LinkColumn
{
    Latency,
    Bandwidth
};

QString exactText(double value)
{
    return text(exactNumber(value));
}

/// The links of a table: from every device to every other.
DeviceId otherOf(int row, int devices, DeviceId from)
{
    const DeviceId at(row % (devices - 1));
    return at < from ? at : at + 1;
}

/// In GB/s. @return  nothing where the bytes of a message do not count
std::optional<double> bandwidthOf(const Link& link)
{
    return link.bytesPerSecond > 0 ? std::optional(link.bytesPerSecond / giga) : std::nullopt;
}

Result<double> numberIn(const QString& typed, double most, const QString& name, const QString& unit)
{
    const std::optional<double> number = numberOf(typed);
    if (!number || *number < 0 || *number > most)
        return fail(ErrorCode::BadValue, LinksDialog::tr("%1 is a number from 0 to %2 %3, not “%4”")
                                             .arg(name, shortNumber(most), unit, typed)
                                             .toStdString());
    return *number;
}

} // namespace

Result<std::vector<LinkPhase>> parseLinkTrace(const QString& typed)
{
    std::vector<LinkPhase> phases;
    const QStringList parts = typed.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        const int colon = static_cast<int>(part.indexOf(QLatin1Char(':')));
        const std::optional<double> start = numberOf(part.left(std::max(colon, 0)));
        const std::optional<double> slowdown = numberOf(part.mid(colon + 1));
        constexpr double mostSlowdown = 1e6;
        const bool good = colon > 0 && start && slowdown && *start >= 0 &&
                          *start <= latestPhaseMs && *slowdown >= 1 / mostSlowdown &&
                          *slowdown <= mostSlowdown;
        if (!good || (!phases.empty() && ticksFromMs(*start) <= phases.back().start))
            return fail(ErrorCode::BadValue,
                        LinksDialog::tr("the network over time is rising milliseconds, each with a "
                                        "factor behind a colon, as in 0:1, 20:5, 60:1; not “%1”")
                            .arg(part.trimmed())
                            .toStdString());
        phases.push_back({ticksFromMs(*start), *slowdown});
    }
    return phases;
}

QString linkTraceText(const std::vector<LinkPhase>& trace)
{
    QStringList parts;
    for (const LinkPhase& phase : trace)
        parts << QStringLiteral("%1:%2").arg(exactText(msFromTicks(phase.start)),
                                             exactText(phase.slowdown));
    return parts.join(QStringLiteral(", "));
}

LinksDialog::LinksDialog(const Project& project, QWidget* parent)
    : CostDialog(tr("Links"), parent)
    , m_project(project)
    , m_before(costsOf(project))
    , m_same(new QRadioButton(tr("&The same between all devices"), this))
    , m_each(new QRadioButton(tr("&Each link its own"), this))
    , m_latency(new QLineEdit(this))
    , m_bandwidth(new QLineEdit(this))
    , m_trace(new QLineEdit(this))
{
    fillTable();
    m_view = new NumberTableView(*m_table, this);
    m_view->setAccessibleName(tr("Latency and bandwidth of every link"));
    m_view->horizontalHeader()->setMinimumHeight(2 * fontMetrics().lineSpacing() + 8);
    m_view->horizontalHeader()->setStretchLastSection(true);
    fillFields();
    layOut();

    const bool each = !m_before.links.empty() && listed();
    (each ? m_each : m_same)->setChecked(true);
    m_each->setEnabled(listed());
    if (!listed())
        m_each->setToolTip(devices() < 2
                               ? tr("One device has no links.")
                               : tr("A table of the links between more than %1 devices is too "
                                    "long; --model gives nodes with links of their own.")
                                     .arg(mostLinkedDevices));
    for (QLineEdit* field : {m_latency, m_bandwidth, m_trace})
        connect(field, &QLineEdit::textChanged, this, &LinksDialog::look);
    connect(m_same, &QRadioButton::toggled, this, &LinksDialog::look);
    connect(m_table, &NumberTable::edited, this, &LinksDialog::look);
    connect(m_view, &NumberTableView::told, this, &LinksDialog::setNote);
    connect(buttons()->button(QDialogButtonBox::Apply), &QPushButton::clicked, this,
            &LinksDialog::applyLinks);
    look();
}

int LinksDialog::devices() const
{
    return m_project.draft.spec.devices;
}

/// Whether the links of so many devices are a table.
bool LinksDialog::listed() const
{
    return devices() > 1 && devices() <= mostLinkedDevices;
}

/// The link of a row of the table, as it was before.
const Link& LinksDialog::linkOf(int row) const
{
    if (m_before.links.empty())
        return m_before.link;
    const DeviceId from(row / (devices() - 1));
    const DeviceId to = otherOf(row, devices(), from);
    const int link = from * devices() + to;
    return m_before.links[static_cast<std::size_t>(link)];
}

void LinksDialog::fillTable()
{
    QStringList rows;
    for (const DeviceId from : Ids<DeviceId>(listed() ? devices() : 0))
        for (int row = 0; row < devices() - 1; ++row)
            rows << tr("%1 → %2").arg(from).arg(otherOf(row, devices(), from));
    m_table = new NumberTable({{.title = tr("Latency"),
                                .unit = tr("ms"),
                                .name = tr("the latency"),
                                .tip = tr("What a message of no bytes takes"),
                                .most = longestPassMs},
                               {.title = tr("Bandwidth"),
                                .unit = tr("GB/s"),
                                .name = tr("the bandwidth"),
                                .tip = tr("Empty: a message takes its latency, whatever its size"),
                                .most = mostGigabytes,
                                .optional = true}},
                              rows, this);
    for (int row = 0; row < m_table->rowCount(); ++row) {
        m_table->setValue(row, Latency, msFromTicks(linkOf(row).latency));
        m_table->setValue(row, Bandwidth, bandwidthOf(linkOf(row)));
    }
}

/// The one link of all devices: where each has its own, the first.
void LinksDialog::fillFields()
{
    const Link& first = devices() < 2 ? m_before.link : linkOf(0);
    m_latency->setText(exactText(msFromTicks(first.latency)));
    if (const auto known = bandwidthOf(first); known)
        m_bandwidth->setText(exactText(*known));
    m_trace->setText(linkTraceText(m_before.linkTrace));
    m_bandwidth->setPlaceholderText(tr("does not count"));
    m_trace->setPlaceholderText(tr("0:1, 20:5, 60:1"));
    m_trace->setToolTip(tr("From 20 ms to 60 ms a message takes five times as long."));
}

void LinksDialog::layOut()
{
    auto* grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    const auto row = [&](int at, const QString& label, QLineEdit* field, const QString& unit) {
        auto* name = new QLabel(label, this);
        name->setBuddy(field);
        field->setMinimumHeight(24);
        field->setAlignment(Qt::AlignRight);
        grid->addWidget(name, at, 0);
        grid->addWidget(field, at, 1);
        grid->addWidget(new QLabel(unit, this), at, 2);
    };
    grid->addWidget(m_same, 0, 0, 1, 3);
    row(1, tr("&Latency"), m_latency, tr("ms"));
    row(2, tr("&Bandwidth"), m_bandwidth, tr("GB/s"));
    grid->addWidget(m_each, 3, 0, 1, 3);
    auto* lower = new QGridLayout;
    auto* trace = new QLabel(tr("&Network over time"), this);
    trace->setBuddy(m_trace);
    lower->addWidget(trace, 0, 0);
    lower->addWidget(m_trace, 0, 1);
    m_trace->setMinimumHeight(24);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(grid);
    layout->addWidget(m_view, 1);
    layout->addLayout(lower);
    layout->addWidget(reasonLine());
    layout->addWidget(buttons());
    resize(58 * fontMetrics().averageCharWidth() + 40, 30 * fontMetrics().lineSpacing());
}

/// Equal stages stay equal stages as long as a message has one time.
Result<SetCosts> LinksDialog::result() const
{
    const Result<std::vector<LinkPhase>> trace = parseLinkTrace(m_trace->text());
    if (!trace)
        return fail(trace.error());
    Costs costs = m_before;
    costs.linkTrace = *trace;
    const auto devices = static_cast<std::size_t>(m_project.draft.spec.devices);
    if (m_same->isChecked()) {
        PW_TRY(const double latency,
               numberIn(m_latency->text(), longestPassMs, tr("the latency"), tr("ms")));
        Result<double> bandwidth = 0.0;
        if (!m_bandwidth->text().trimmed().isEmpty())
            bandwidth =
                numberIn(m_bandwidth->text(), mostGigabytes, tr("the bandwidth"), tr("GB/s"));
        if (!bandwidth)
            return fail(bandwidth.error());
        costs.link = {ticksFromMs(latency), *bandwidth * giga};
        costs.links.clear();
        const auto* uniform = std::get_if<UniformCosts>(&m_project.costs);
        if (uniform != nullptr && *bandwidth == 0 && trace->empty()) {
            UniformCosts next = *uniform;
            next.hop = costs.link.latency;
            return SetCosts{next};
        }
    } else {
        if (const QString wrong = m_table->firstReason(); !wrong.isEmpty())
            return fail(ErrorCode::BadValue, wrong.toStdString());
        costs.links.assign(devices * devices, Link{});
        for (int row = 0; row < m_table->rowCount(); ++row) {
            const int p = static_cast<int>(devices);
            const DeviceId from(row / (p - 1));
            const DeviceId to = otherOf(row, p, from);
            const int link = from * p + to;
            costs.links[static_cast<std::size_t>(link)] = {
                ticksFromMs(m_table->value(row, Latency).value_or(0)),
                m_table->value(row, Bandwidth).value_or(0) * giga};
        }
    }
    PW_DO(check(costs, m_project.draft.spec));
    return SetCosts{costs};
}

void LinksDialog::look()
{
    m_view->setEnabled(m_each->isChecked());
    m_latency->setEnabled(m_same->isChecked());
    m_bandwidth->setEnabled(m_same->isChecked());
    const Result<SetCosts> next = result();
    setReason(next ? QString() : coreSentence(next.error().message));
    if (!next)
        return;
    const bool tables = std::holds_alternative<Costs>(next->costs);
    const auto anyBandwidth = [](const Costs& costs) {
        return costs.link.bytesPerSecond > 0 ||
               std::any_of(costs.links.begin(), costs.links.end(),
                           [](const Link& link) { return link.bytesPerSecond > 0; });
    };
    if (tables && anyBandwidth(std::get<Costs>(next->costs)) && m_before.forwardMessage.empty())
        setNote(tr("A bandwidth counts once messages have bytes: see the stage table."));
    else if (tables && std::holds_alternative<UniformCosts>(m_project.costs))
        setNote(tr("The costs become a stage table, since equal stages have one time a message."));
    else
        setNote({});
}

void LinksDialog::applyLinks()
{
    const Result<SetCosts> next = result();
    if (!next)
        return;
    if (next->costs != m_project.costs)
        Q_EMIT applied(*next);
    accept();
}

} // namespace pw::ui
