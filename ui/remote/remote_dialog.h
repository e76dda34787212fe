// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/remote/remote_fetch.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QWidget;

namespace pw::ui {

class Connections;

/// Asks for a file of another machine, brings it, and shows how far that is; what went wrong stands
/// under the fields, and can be mended there.
class RemoteDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param connections  ways to machines; outlives this
    explicit RemoteDialog(const Connections& connections, QWidget* parent = nullptr);

    /// Fills the fields with a place, and brings it at once. What is no place is said.
    void begin(const QString& url);
    void reject() override;

Q_SIGNALS:
    void fetched(const pw::ui::FetchedFile& file);

private:
    QWidget* makeFields();
    QWidget* makeProgress();
    QString typed() const;
    void bring();
    void showProgress(qint64 got, qint64 all);
    void refuse(const QString& why);
    void showBusy(bool busy);

    const Connections& m_connections;
    RemoteFetch m_fetch;
    QWidget* m_fields;
    QComboBox* m_host;
    QLineEdit* m_path;
    QCheckBox* m_whole;
    QLabel* m_state;
    QProgressBar* m_bar;
    QLabel* m_refusal;
    QPushButton* m_open;
};

} // namespace pw::ui
