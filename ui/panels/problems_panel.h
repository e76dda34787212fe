// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"

#include <QAbstractTableModel>
#include <QPointer>
#include <QWidget>

#include <vector>

class QLabel;
class QTreeView;

namespace pw::ui {

/// What keeps a draft from being a schedule: where, and a sentence.
class ProblemModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Where,
        What,
        columnCount_
    };

    using QAbstractTableModel::QAbstractTableModel;

    void show(const ScheduleDocument* document);
    /// The pass that a row is about; of a missing one, the nearest of its micro-batch on the
    /// device; invalid where there is none.
    SpanRef spanOf(int row, const ScheduleDocument& document) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        DeviceId device;
        std::int64_t position = -1;
        Pass pass;
        QString where;
        QString what;
    };

    std::vector<Row> m_rows;
};

/// The problems of a document as a list; the chosen one is shown in the timeline.
class ProblemsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemsPanel(QWidget* parent = nullptr);

    void setDocument(ScheduleDocument* document);
    /// Chooses the row behind the current one, and after the last the first.
    void chooseNext();
    /// Whether anything is listed.
    bool any() const { return m_model->rowCount() > 0; }
    QTreeView* list() const { return m_list; }

Q_SIGNALS:
    /// A row was chosen. @param span  what it is about; invalid: nothing that is there
    void chosen(pw::ui::SpanRef span, const QString& sentence);

private:
    void showProblems();
    void choose(int row);

    QPointer<ScheduleDocument> m_document;
    QMetaObject::Connection m_connection;
    ProblemModel* m_model;
    QLabel* m_none;
    QTreeView* m_list;
};

} // namespace pw::ui
