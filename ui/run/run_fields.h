// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QSpinBox;

namespace pw::ui {

class RunSession;

/// What is run where: connection, backend, model, how often. Shows what the session has and changes
/// it there.
class RunFields : public QWidget
{
    Q_OBJECT

public:
    /// @param session  outlives the fields
    explicit RunFields(RunSession& session, QWidget* parent = nullptr);

    /// Shows the session as it is now.
    void showSession();

Q_SIGNALS:
    void connectionsAsked();
    /// The session has other settings now.
    void edited();

private:
    void makeChoices();
    void makeCounts();
    void arrange();
    void fillConnections();
    void fillBackends();
    void takeFields();

    RunSession& m_session;
    QComboBox* m_connection;
    QComboBox* m_backend;
    QComboBox* m_size;
    QSpinBox* m_iterations;
    QSpinBox* m_warmup;
    QCheckBox* m_measure;
    bool m_filling = false; ///< fields are being filled, not edited
};

} // namespace pw::ui
