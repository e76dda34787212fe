// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace pw::ui {

class RunFields;
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
    QWidget* makeState();
    void showSession();
    void showChecks();
    void showProgress();
    void say(const QString& heading, const QString& text, bool refusal);

    RunSession& m_session;
    RunFields* m_fields;
    QLabel* m_heading;
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_run;
    QPushButton* m_stop;
    QPushButton* m_wait;
    QPushButton* m_calibrate;
    QTimer m_checking; ///< checks of large schedules are not made at every word
    QString m_refusal; ///< the last one, until something else happens
};

} // namespace pw::ui
