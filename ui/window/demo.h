// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>
#include <QProcessEnvironment>
#include <QString>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <vector>

namespace pw::ui {

class DemoBar;
class MainWindow;

/// Settings, runs and copies of a demonstration, in a folder that goes away with it: nothing of the
/// person's own is read or written. To be made before the window is.
class DemoHome
{
public:
    DemoHome();

    bool good() const { return m_folder.isValid(); }
    /// The surroundings that the program was started in, for one that is started from it.
    const QProcessEnvironment& outside() const { return m_outside; }

private:
    QProcessEnvironment m_outside;
    QTemporaryDir m_folder;
};

/// Shows each use of the studio by itself, a quarter of a minute each: a schedule is designed, run,
/// a trace is read, and a lesson begins. A bar says what is seen; Esc and its button stop it at any
/// moment, and the window stays as it is then.
class Demo : public QObject
{
    Q_OBJECT

public:
    enum class Use
    {
        Design,
        Run,
        Replay,
        Teach
    };
    static constexpr int uses = 4;

    /// @param pace  how much faster than for people, 1 for them
    explicit Demo(MainWindow& window, double pace = 1);
    ~Demo() override;

    void start();
    /// Nothing more happens by itself.
    void stop();
    bool running() const { return m_running; }
    /// That is shown, or was at last.
    Use use() const { return m_steps[m_at].use; }
    /// All of it, for people.
    int milliseconds() const;
    const DemoBar& bar() const { return *m_bar; }

Q_SIGNALS:
    void shown(pw::ui::Demo::Use use);
    void ended();
    /// The person wants the studio itself.
    void studioAsked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Step
    {
        Use use = Use::Design;
        int milliseconds = 0; ///< until the next
        QString says;
        std::function<void()> does;
    };

    void addDesign();
    void addRun();
    void addReplay();
    void addTeach();
    void showStep(std::size_t at);
    void nextUse();
    void showFamily(const QString& id);
    void openTrace();
    void beginLevel();
    void place();

    MainWindow& m_window;
    double m_pace;
    std::vector<Step> m_steps;
    std::size_t m_at = 0; ///< the step that is shown
    bool m_running = false;
    QTimer m_due;
    QTimer m_hand; ///< places passes of the lesson
    DemoBar* m_bar;
    QTemporaryDir m_traces;
    std::int64_t m_kept = 0;   ///< the run that its trace became; 0: none yet
    bool m_keptWanted = false; ///< its step has begun, and it was not there
};

} // namespace pw::ui
