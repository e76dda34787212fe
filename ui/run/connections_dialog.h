// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/connection.h"
#include "ui/run/connection_test.h"

#include <QDialog>

#include <map>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace pw::ui {

class SlurmFields;

/// Connections as a list with their fields beside it, and a test that says what is there.
class ConnectionsDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param connections  outlives this; changed when the dialog is accepted
    explicit ConnectionsDialog(Connections& connections, QWidget* parent = nullptr);

    void accept() override;

Q_SIGNALS:
    /// A connection was tested.
    void tested(const pw::ui::Connection& connection, const pw::ui::ConnectionReport& report);

private:
    QWidget* makeList();
    QWidget* makeFields();
    void fill(int row);
    void showRow();
    void takeFields();
    void add(const Connection& connection);
    void remove();
    void test();
    void showReport();
    QString freeName(const QString& wanted) const;

    Connections& m_connections;
    ConnectionTest m_test;
    std::vector<Connection> m_all;
    std::map<QString, ConnectionReport> m_reports; ///< by command line
    bool m_filling = false;
    QListWidget* m_list;
    QPushButton* m_remove;
    QPushButton* m_duplicate;
    QLineEdit* m_name;
    QLineEdit* m_command;
    QLabel* m_note;
    SlurmFields* m_slurm;
    QPushButton* m_testButton;
    QLabel* m_state;
    QPlainTextEdit* m_report;
    QLabel* m_refusal;
};

} // namespace pw::ui
