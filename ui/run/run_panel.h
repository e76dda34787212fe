// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace pw::ui {

class RunSession;

/// What is run where, what stands in the way, and how far it is.
class RunPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RunPanel(RunSession& session, QWidget* parent = nullptr);

Q_SIGNALS:
    void connectionsAsked();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeFields();
    void makeCounts(QWidget* fields);
    QWidget* makeState();
    void fillConnections();
    void fillBackends();
    void takeFields();
    void showSession();
    void showChecks();
    void showProgress();
    void say(const QString& heading, const QString& text, bool refusal);

    RunSession& m_session;
    QComboBox* m_connection;
    QComboBox* m_backend;
    QComboBox* m_size;
    QSpinBox* m_iterations;
    QSpinBox* m_warmup;
    QCheckBox* m_measure;
    QLabel* m_heading;
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_run;
    QPushButton* m_stop;
    QPushButton* m_wait;
    QPushButton* m_calibrate;
    QTimer m_checking; ///< checks of large schedules are not made at every word
    bool m_filling = false;
    QString m_refusal; ///< the last one, until something else happens
};

} // namespace pw::ui
