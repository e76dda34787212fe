// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/connections_dialog.h"

#include "ui/core_sentences.h"
#include "ui/presentation.h"
#include "ui/run/slurm_fields.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

ConnectionsDialog::ConnectionsDialog(Connections& connections, QWidget* parent)
    : QDialog(parent)
    , m_connections(connections)
    , m_all(connections.all())
{
    setWindowTitle(tr("Connections"));
    auto* both = new QHBoxLayout;
    both->setSpacing(fontMetrics().height());
    both->addWidget(makeList());
    both->addWidget(makeFields(), 1);
    m_refusal = new QLabel(this);
    m_refusal->setObjectName(QStringLiteral("refusal"));
    m_refusal->setWordWrap(true);
    setInk(m_refusal, Role::Refusal);
    m_refusal->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(both, 1);
    layout->addWidget(m_refusal);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectionsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ConnectionsDialog::reject);
    connect(&m_test, &ConnectionTest::ended, this, [this](const ConnectionReport& report) {
        m_reports[m_test.connection().command] = report;
        Q_EMIT tested(m_test.connection(), report);
        showReport();
    });
    fill(connections.currentIndex());
    const int em = fontMetrics().height();
    resize(em * 54, em * 30);
}

QWidget* ConnectionsDialog::makeList()
{
    auto* side = new QWidget(this);
    m_list = new QListWidget(side);
    m_list->setAccessibleName(tr("Connections"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
    auto* added = new QPushButton(tr("&Add"), side);
    added->setObjectName(QStringLiteral("add"));
    auto* torch = new QPushButton(QStringLiteral("&PyTorch"), side);
    torch->setObjectName(QStringLiteral("torch"));
    torch->setToolTip(tr("Adds PyTorch of this computer as an executor, and asks what it finds"));
    auto* slurm = new QPushButton(QStringLiteral("S&lurm"), side);
    slurm->setObjectName(QStringLiteral("slurm"));
    slurm->setToolTip(tr("Adds the cluster that this computer sends jobs to, and asks whether it "
                         "answers"));
    m_duplicate = new QPushButton(tr("D&uplicate"), side);
    m_duplicate->setObjectName(QStringLiteral("duplicate"));
    m_remove = new QPushButton(tr("&Remove"), side);
    m_remove->setObjectName(QStringLiteral("remove"));
    for (QPushButton* button : {added, torch, slurm, m_duplicate, m_remove})
        button->setAutoDefault(false);
    // In two rows, so that the list leaves the fields their room: what is added, and what is there.
    auto* buttons = new QGridLayout;
    int column = 0;
    for (QPushButton* button : {added, torch, slurm})
        buttons->addWidget(button, 0, column++);
    buttons->addWidget(m_duplicate, 1, 0);
    buttons->addWidget(m_remove, 1, 1);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    connect(m_list, &QListWidget::currentRowChanged, this, &ConnectionsDialog::showRow);
    connect(added, &QPushButton::clicked, this, [this] {
        add({tr("new node"), QStringLiteral("ssh node pipewright")});
    });
    connect(torch, &QPushButton::clicked, this, [this] {
        add(torchConnection());
        test();
    });
    connect(slurm, &QPushButton::clicked, this, [this] {
        add(slurmConnection(m_all.front()));
        test();
    });
    connect(m_duplicate, &QPushButton::clicked, this,
            [this] { add(m_all[static_cast<std::size_t>(m_list->currentRow())]); });
    connect(m_remove, &QPushButton::clicked, this, &ConnectionsDialog::remove);
    return side;
}

QWidget* ConnectionsDialog::makeFields()
{
    auto* fields = new QWidget(this);
    m_name = new QLineEdit(fields);
    m_name->setObjectName(QStringLiteral("name"));
    m_command = new QLineEdit(fields);
    m_command->setObjectName(QStringLiteral("command"));
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_note = new QLabel(fields);
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_slurm = new SlurmFields(fields);
    m_testButton = new QPushButton(tr("&Test"), fields);
    m_testButton->setObjectName(QStringLiteral("test"));
    m_testButton->setAutoDefault(false);
    m_state = new QLabel(fields);
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setWordWrap(true);
    m_report = new QPlainTextEdit(fields);
    m_report->setObjectName(QStringLiteral("report"));
    m_report->setAccessibleName(tr("What the test found"));
    m_report->setReadOnly(true);
    m_report->setFrameShape(QFrame::NoFrame);
    m_report->setPlaceholderText(tr("The test asks the executor for its version, its backends and "
                                    "its devices, and says what is missing."));
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Command line"), m_command);
    auto* row = new QHBoxLayout;
    row->addWidget(m_testButton);
    row->addWidget(m_state, 1);
    auto* layout = new QVBoxLayout(fields);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(form);
    layout->addWidget(m_note);
    layout->addWidget(m_slurm);
    layout->addLayout(row);
    layout->addWidget(m_report, 1);
    connect(m_name, &QLineEdit::textEdited, this, &ConnectionsDialog::takeFields);
    connect(m_command, &QLineEdit::textEdited, this, &ConnectionsDialog::takeFields);
    connect(m_slurm, &SlurmFields::edited, this, [this](const QString& command) {
        m_command->setText(command);
        takeFields();
    });
    connect(m_testButton, &QPushButton::clicked, this, &ConnectionsDialog::test);
    return fields;
}

void ConnectionsDialog::fill(int row)
{
    m_filling = true;
    m_list->clear();
    const int height = std::max(24, fontMetrics().height() * 7 / 4);
    for (const Connection& one : m_all) {
        m_list->addItem(one.name);
        m_list->item(m_list->count() - 1)->setSizeHint({0, height});
    }
    m_filling = false;
    m_list->setCurrentRow(row);
}

void ConnectionsDialog::showRow()
{
    const int row = m_list->currentRow();
    if (m_filling || row < 0)
        return;
    const Connection& one = m_all[static_cast<std::size_t>(row)];
    const bool local = row == 0;
    m_name->setText(one.name);
    m_command->setText(one.command);
    m_name->setReadOnly(local);
    m_command->setReadOnly(local);
    m_remove->setEnabled(!local);
    m_remove->setToolTip(local ? tr("This computer is always there.") : QString());
    m_note->setVisible(!m_slurm->showJob(one.command));
    m_note->setText(
        local
            ? tr("The pipewright program beside the studio, else the one on the path.")
            : tr("Ends with the program: ssh node pipewright, mpirun -np 4 pipewright, srun -n 4 "
                 "pipewright. ssh never asks here (BatchMode): set keys up first, with ssh-keygen "
                 "and ssh-copy-id."));
    showReport();
}

void ConnectionsDialog::takeFields()
{
    const int row = m_list->currentRow();
    if (row <= 0)
        return;
    Connection& one = m_all[static_cast<std::size_t>(row)];
    one = {m_name->text(), m_command->text()};
    if (sender() == m_command)
        m_note->setVisible(!m_slurm->showJob(one.command));
    m_list->item(row)->setText(one.name);
    m_refusal->hide();
    showReport();
}

QString ConnectionsDialog::freeName(const QString& wanted) const
{
    QString name = wanted;
    const auto taken = [&](const Connection& one) { return one.name == name; };
    for (int i = 2; std::any_of(m_all.begin(), m_all.end(), taken); ++i)
        name = QStringLiteral("%1 %2").arg(wanted).arg(i);
    return name;
}

void ConnectionsDialog::add(const Connection& connection)
{
    m_all.push_back({freeName(connection.name), connection.command});
    fill(static_cast<int>(m_all.size()) - 1);
    m_name->setFocus();
    m_name->selectAll();
}

void ConnectionsDialog::remove()
{
    const int row = m_list->currentRow();
    if (row <= 0)
        return;
    m_all.erase(m_all.begin() + row);
    fill(std::min(row, static_cast<int>(m_all.size()) - 1));
    m_refusal->hide();
}

void ConnectionsDialog::test()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    const Connection& one = m_all[static_cast<std::size_t>(row)];
    m_reports.erase(one.command);
    m_test.start(one);
    showReport();
}

void ConnectionsDialog::showReport()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    const QString& command = m_all[static_cast<std::size_t>(row)].command;
    const bool asking = m_test.running() && m_test.connection().command == command;
    m_testButton->setEnabled(!asking);
    const auto found = m_reports.find(command);
    if (asking || found == m_reports.end()) {
        setInk(m_state, Role::Text);
        m_state->setText(asking ? tr("Asking…") : QString());
        m_report->clear();
        return;
    }
    const ConnectionReport& report = found->second;
    setInk(m_state, report.good() ? Role::Text : Role::Refusal);
    if (report.good()) {
        m_state->setText(tr("Pipewright %1 answers.").arg(report.findings.program));
        m_report->setPlainText(report.text().section(QLatin1Char('\n'), 2));
    } else {
        m_state->setText(report.trouble.what);
        QStringList lines;
        if (!report.trouble.advice.isEmpty())
            lines << report.trouble.advice;
        if (!report.output.isEmpty() && !report.trouble.advice.contains(report.output))
            lines << QString() << tr("It said:") << report.output;
        m_report->setPlainText(lines.join(QLatin1Char('\n')));
    }
}

void ConnectionsDialog::accept()
{
    const std::vector<Connection> others(m_all.begin() + 1, m_all.end());
    if (const Result<void> done = m_connections.setOthers(others); !done) {
        m_refusal->setText(coreSentence(done.error().message));
        m_refusal->show();
        return;
    }
    const int row = m_list->currentRow();
    if (row >= 0)
        m_connections.setCurrentIndex(row);
    QDialog::accept();
}

} // namespace pw::ui
