// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/spec_panel.h"

#include "core/edit/fit_costs.h"
#include "core/io/costs_file.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/models/number_table.h"
#include "ui/panels/costs_fields.h"
#include "ui/panels/links_dialog.h"
#include "ui/panels/model_dialog.h"
#include "ui/panels/shape_fields.h"
#include "ui/panels/spec_text.h"
#include "ui/panels/stage_table_dialog.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

SpecPanel::SpecPanel(QWidget* parent)
    : QWidget(parent)
    , m_shape(new ShapeFields(m_edits, this))
    , m_costs(new CostsFields(m_edits, this))
    , m_refusal(new QLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 14, 8);
    column->setSpacing(3);
    column->addWidget(m_shape);
    column->addSpacing(8);
    column->addWidget(m_costs);
    m_refusal->setWordWrap(true);
    m_refusal->setObjectName(QStringLiteral("refusal"));
    m_refusal->hide();
    column->addWidget(m_refusal);
    column->addWidget(makeAction(tr("From model and machine…"),
                                 tr("Times and bytes of a transformer on a machine"),
                                 &SpecPanel::openModel));
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(makeAction(tr("Stage table…"), tr("Times and bytes of every stage"),
                              &SpecPanel::openStageTable));
    row->addWidget(makeAction(tr("Costs file…"), tr("What “pipewright costs calibrate” measured"),
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
    connect(&m_edits, &SpecEdits::stale, this, &SpecPanel::showProject);
    connect(&m_edits, &SpecEdits::refused, this, &SpecPanel::showRefusal);
    setEnabled(false);
}

SpecPanel::~SpecPanel()
{
    // A field that loses the focus says its value; nobody is left to hear it.
    m_edits.stop();
    hide();
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

void SpecPanel::setDocument(ScheduleDocument* document)
{
    setEnabled(document != nullptr);
    m_edits.setDocument(document);
}

void SpecPanel::showProject()
{
    m_refusal->hide();
    m_edits.fill([this](const Project& project) {
        m_shape->show(project);
        m_costs->show(project);
        m_takeEqual->setVisible(!equalStagesOf(project));
    });
}

void SpecPanel::showRefusal(const QString& reason)
{
    setInk(m_refusal, Role::Refusal);
    m_refusal->setText(reason);
    m_refusal->setVisible(!reason.isEmpty());
}

void SpecPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        colorActions();
    QWidget::changeEvent(event);
}

void SpecPanel::applyCosts(const SetCosts& costs, const QString& what)
{
    const bool done = m_edits.apply(nullptr, what, [&](Project& project) -> Result<void> {
        project.costs = costs.costs;
        project.origin = costs.origin;
        return check(costsOf(project), project.draft.spec);
    });
    if (done)
        Q_EMIT told(tr("%1.").arg(what));
}

void SpecPanel::takeEqualStages()
{
    if (m_edits.document() == nullptr)
        return;
    const auto* costs = std::get_if<Costs>(&m_edits.document()->wanted().costs);
    if (costs == nullptr)
        return;
    const PipelineSpec& spec = m_edits.document()->wanted().draft.spec;
    const Result<UniformCosts> equal = uniformOf(*costs, spec);
    const QString why = equal ? QString() : coreSentence(equal.error().message);
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
    if (m_edits.document() != nullptr)
        open(new StageTableDialog(m_edits.document()->wanted(), this), tr("Stage table"));
}

void SpecPanel::openModel()
{
    if (m_edits.document() != nullptr)
        open(new ModelDialog(m_edits.document()->wanted(), this),
             tr("Costs of a model and a machine"));
}

void SpecPanel::openLinks()
{
    if (m_edits.document() != nullptr)
        open(new LinksDialog(m_edits.document()->wanted(), this), tr("Links"));
}

void SpecPanel::openCostsFile()
{
    if (m_edits.document() == nullptr)
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
    QPointer<ScheduleDocument> document(m_edits.document());
    Q_EMIT told(tr("Reading %1 …").arg(QFileInfo(path).fileName()));
    workers().start([self, document, path] {
        auto file = std::make_shared<Result<CostsFile>>(loadCosts(path.toStdString()));
        QMetaObject::invokeMethod(
            qApp,
            [self, document, path, file] {
                if (!self || !document || self->m_edits.document() != document)
                    return;
                if (!*file)
                    return self->showRefusal(sentence(file->error()));
                const Result<Costs> costs = costsOf(**file, document->project().draft.spec);
                if (!costs)
                    return self->showRefusal(sentence(costs.error()));
                if (document->schedule() != nullptr) {
                    if (const auto known = check(**file, *document->schedule()); !known)
                        return self->showRefusal(sentence(known.error()));
                }
                self->applyCosts(SetCosts{*costs},
                                 tr("Costs of %1").arg(QFileInfo(path).fileName()));
            },
            Qt::QueuedConnection);
    });
}

} // namespace pw::ui
