// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/pages/page.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace pw::ui {

/// Questions to the store of runs, in SQL. The store is only read, and an answer that takes longer
/// than ten seconds is given up.
class QueryPage : public Page
{
    Q_OBJECT

public:
    static constexpr std::size_t mostRows = 5000;

    /// @param store  path of the store
    explicit QueryPage(const QString& store, QWidget* parent = nullptr);

    QString title() const override { return tr("SQL"); }
    QString detail() const override { return m_store; }
    QString whyNoFigure() const override { return tr("A table is not a figure."); }
    PageDetails details() const override;

    void setQuestion(const QString& sql);
    /// Asks what is in the field.
    void ask();
    QString sentence() const;
    const QTableWidget& table() const { return *m_table; }

Q_SIGNALS:
    /// The answer is there, or why there is none.
    void answered();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QString m_store;
    QComboBox* m_examples;
    QPlainTextEdit* m_sql;
    QPushButton* m_ask;
    QLabel* m_sentence;
    QTableWidget* m_table;
};

} // namespace pw::ui
