// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/live_words.h"

#include "ui/run/run_session.h"
#include "ui/timeline/time_scale.h"
#include "ui/window/main_window.h"

namespace pw::ui {

QString liveHeading(const ExecutorClient& client)
{
    QString text = client.outline() ? MainWindow::tr("Run on %1").arg(client.outline()->backend)
                                    : MainWindow::tr("Run");
    if (const IterationLanes& lanes = client.lanes(); lanes.lanes != nullptr) {
        text += lanes.iteration < 0 ? MainWindow::tr(" · warm-up")
                                    : MainWindow::tr(" · iteration %1").arg(lanes.iteration + 1);
        if (client.outline() && lanes.iteration >= 0)
            text += MainWindow::tr(" of %1").arg(client.outline()->iterations);
        if (lanes.complete)
            text +=
                MainWindow::tr(" · %1").arg(durationText(static_cast<double>(lanes.lanes->end())));
        else
            text += underWay(client.state()) ? MainWindow::tr(" · under way")
                                             : MainWindow::tr(" · cut off");
    } else {
        text += MainWindow::tr(" · nothing has run yet");
    }
    if (!underWay(client.state()))
        text += QStringLiteral(" · ") + name(client.state());
    return text;
}

QString liveWaiting(const RunSession& session)
{
    const ExecutorClient& client = session.client();
    switch (client.state()) {
    case RunState::Starting:
        return session.settings().measureFirst && session.backend() != QLatin1String("emulated")
                   ? MainWindow::tr("The executor measures what passes take. Then the run appears "
                                    "here as it happens.")
                   : MainWindow::tr("The executor gets ready. Then the run appears here as it "
                                    "happens.");
    case RunState::Idle:
    case RunState::Running:
        return MainWindow::tr("The first pass has not ended yet.");
    case RunState::Stopped:
        return MainWindow::tr("Stopped before the first pass.");
    case RunState::Finished:
    case RunState::Failed:
    case RunState::Lost:
        break;
    }
    return client.trouble().what.isEmpty() ? MainWindow::tr("No pass has come.")
                                           : client.trouble().what;
}

} // namespace pw::ui
