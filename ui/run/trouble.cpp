// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/trouble.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <csignal>
#include <initializer_list>

namespace pw::ui {

namespace {

struct TroubleWords
{
    Q_DECLARE_TR_FUNCTIONS(Trouble)
};

QStringList linesOf(const QString& text)
{
    QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (QString& line : lines)
        line = line.trimmed();
    lines.removeAll(QString());
    return lines;
}

bool anyOf(const QString& text, std::initializer_list<const char*> parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](const char* part) {
        return text.contains(QLatin1String(part), Qt::CaseInsensitive);
    });
}

/// The host of an ssh command line, as it is typed.
QString hostOf(const QStringList& words)
{
    const qsizetype at = sshDestination(words);
    return at < words.size() ? words[at] : TroubleWords::tr("the host");
}

constexpr int endedBySignal = 128;
constexpr int mostSignals = 64;
constexpr int sshFailed = 255;
constexpr int notFound = 127;
constexpr int notExecutable = 126;
constexpr int wrongUsage = 2;

Trouble ofSsh(const ProcessEnd& end)
{
    const QString host = hostOf(end.words);
    const QString& said = end.errors;
    if (anyOf(said, {"Host key verification failed", "REMOTE HOST IDENTIFICATION HAS CHANGED"}))
        return {TroubleKind::HostKey,
                TroubleWords::tr("The key of %1 is not known, or has changed.").arg(host),
                TroubleWords::tr(
                    "Connect once with ssh in a terminal: it shows the key and asks. Where it "
                    "has changed, ask who runs the machine.")};
    if (anyOf(said, {"Could not resolve hostname", "Name or service not known"}))
        return {TroubleKind::UnknownHost, TroubleWords::tr("There is no host %1.").arg(host),
                TroubleWords::tr("Check the name, or give it an entry in ~/.ssh/config.")};
    if (anyOf(said, {"Permission denied", "Too many authentication failures"}))
        return {TroubleKind::Key, TroubleWords::tr("%1 does not take your key.").arg(host),
                TroubleWords::tr(
                    "The studio never asks for a password (ssh runs with BatchMode). Set a key "
                    "up once: ssh-keygen, then ssh-copy-id %1; one with a pass phrase is "
                    "unlocked with ssh-add.")
                    .arg(host)};
    if (anyOf(said, {"Connection refused"}))
        return {TroubleKind::Refused,
                TroubleWords::tr("%1 is there, but its ssh server does not run.").arg(host),
                TroubleWords::tr("Start sshd there, or give the port with -p.")};
    if (anyOf(said, {"timed out", "No route to host", "Network is unreachable", "not responding"}))
        return {TroubleKind::Link, TroubleWords::tr("%1 does not answer.").arg(host),
                TroubleWords::tr(
                    "Check the network, a VPN or a firewall in between, and whether the machine "
                    "is on.")};
    if (anyOf(said, {"Connection closed", "Connection reset", "Broken pipe",
                     "closed by remote host", "client_loop", "lost connection"}))
        return {
            TroubleKind::Link, TroubleWords::tr("The connection to %1 broke.").arg(host),
            TroubleWords::tr("What had come by then is kept. Run it again when the link is back.")};
    return {TroubleKind::Failed, TroubleWords::tr("ssh to %1 failed.").arg(host), lastLines(said)};
}

/// Pipewright's own words, or those of its executor for PyTorch, about a command line that it does
/// not know.
bool isUsage(const QString& said)
{
    static const QRegularExpression ours(QStringLiteral("^pipewright[\\w.-]*( [\\w-]+)?: "),
                                         QRegularExpression::MultilineOption);
    return ours.match(said).hasMatch() || anyOf(said, {"unrecognized arguments", "invalid choice"});
}

/// Whether the program is not where it is looked for: by the code of shells or by words about it.
bool isLost(const ProcessEnd& end)
{
    const bool coded = end.code == notFound || end.code == notExecutable;
    const QStringList lines = linesOf(end.errors);
    if (coded && lines.isEmpty())
        return true;
    return std::any_of(lines.begin(), lines.end(), [&](const QString& line) {
        if (anyOf(line, {"could not find an executable", "could not find the executable"}))
            return true;
        const bool worded =
            anyOf(line, {"not found", "No such file or directory", "Permission denied",
                         "Exec format error", "cannot execute"});
        // Of a library or a file of data something else is wrong.
        const bool named =
            std::any_of(end.words.begin(), end.words.end(), [&](const QString& word) {
                const QString name = QFileInfo(word).fileName();
                return !name.isEmpty() && !name.startsWith(QLatin1Char('-')) &&
                       line.contains(name + QLatin1Char(':'));
            });
        return coded ? worded || named : worded && named;
    });
}

/// What words about an end say of its reason, as a sentence; empty: nothing that is known here.
QString reasonIn(const QString& said)
{
    if (anyOf(said, {"DUE TO TIME LIMIT"}))
        return TroubleWords::tr("Its time in the queue was over: ask for more.");
    if (anyOf(said, {"DUE TO PREEMPTION"}))
        return TroubleWords::tr("The queue gave its place to another job: run it again.");
    if (anyOf(said, {"out of memory", "OutOfMemory", "bad_alloc", "Cannot allocate memory",
                     "oom-kill", "oom_kill"}))
        return TroubleWords::tr("Memory ran out there: choose a smaller model.");
    if (anyOf(said, {"No space left on device"}))
        return TroubleWords::tr("The disk there is full.");
    return {};
}

/// An end with a code that says nothing by itself: by the last line that the program said.
Trouble ofWords(const ProcessEnd& end)
{
    QStringList lines = linesOf(end.errors);
    // Rules that launchers draw around their words.
    lines.removeIf([](const QString& line) {
        return std::none_of(line.cbegin(), line.cend(),
                            [](QChar one) { return one.isLetterOrNumber(); });
    });
    if (lines.isEmpty())
        return {
            TroubleKind::Failed,
            TroubleWords::tr("The program ended with exit code %1 and said nothing.").arg(end.code),
            TroubleWords::tr("Try the command line of the connection in a terminal.")};
    const QString last = lines.takeLast();
    QStringList advice;
    if (const QString reason = reasonIn(end.errors); !reason.isEmpty())
        advice << reason;
    if (!lines.isEmpty())
        advice << TroubleWords::tr("Before that: %1")
                      .arg(lines.mid(std::max<qsizetype>(0, lines.size() - 2))
                               .join(QStringLiteral(" / ")));
    return {TroubleKind::Failed,
            TroubleWords::tr("The program ended with exit code %1: %2")
                .arg(QString::number(end.code), last),
            advice.join(QLatin1Char('\n'))};
}

Trouble ofCrash(int signal, const QString& errors)
{
    QString advice = lastLines(errors);
    const QString reason = reasonIn(errors);
    if (reason.isEmpty() && signal == SIGKILL)
        advice = TroubleWords::tr(
                     "The system kills programs when memory runs out: try a smaller model.") +
                 (advice.isEmpty() ? QString() : QStringLiteral("\n") + advice);
    return {TroubleKind::Crashed,
            (TroubleWords::tr("The executor ended by %1.").arg(signalText(signal)) +
             QLatin1Char(' ') + reason)
                .trimmed(),
            advice};
}

} // namespace

qsizetype sshDestination(const QStringList& words)
{
    // Options of one letter that take a value.
    const QString valued = QStringLiteral("BbcDEeFIiJLlmOopQRSWw");
    qsizetype at = 1;
    for (; at < words.size() && words[at].startsWith(QLatin1Char('-')); ++at)
        if (words[at].size() == 2 && valued.contains(words[at][1]))
            ++at;
    return std::min(at, words.size());
}

QString signalText(int number)
{
    const std::initializer_list<std::pair<int, QString>> names = {
        {SIGSEGV, TroubleWords::tr("segmentation fault")},
        {SIGABRT, TroubleWords::tr("abort")},
        {SIGKILL, TroubleWords::tr("kill")},
        {SIGBUS, TroubleWords::tr("bus error")},
        {SIGILL, TroubleWords::tr("illegal instruction")},
        {SIGFPE, TroubleWords::tr("arithmetic error")},
        {SIGTERM, TroubleWords::tr("terminate")},
        {SIGPIPE, TroubleWords::tr("nobody reads")},
        {SIGHUP, TroubleWords::tr("hang up")},
        {SIGINT, TroubleWords::tr("interrupt")}};
    for (const auto& [known, name] : names)
        if (known == number)
            return TroubleWords::tr("signal %1 (%2)").arg(number).arg(name);
    return TroubleWords::tr("signal %1").arg(number);
}

QString inOneLine(const Trouble& trouble)
{
    QString all;
    const QStringList parts = linesOf(trouble.what + QLatin1Char('\n') + trouble.advice);
    for (const QString& part : parts) {
        if (!all.isEmpty())
            all += all.back().isPunct() ? QStringLiteral(" ") : QStringLiteral(". ");
        all += part;
    }
    return all;
}

QString lastLines(const QString& text, int most)
{
    const QStringList lines = linesOf(text);
    return lines.mid(std::max<qsizetype>(0, lines.size() - most)).join(QLatin1Char('\n'));
}

Trouble troubleOf(const ProcessEnd& end)
{
    const QString program = end.words.isEmpty() ? QString() : end.words.front();
    if (!end.started)
        return {TroubleKind::NotFound, TroubleWords::tr("%1 cannot be started.").arg(program),
                TroubleWords::tr(
                    "%1 Check the command line of the connection; the whole path of the program "
                    "always works.")
                    .arg(end.errors.isEmpty() ? QString() : end.errors + QLatin1Char('.'))
                    .trimmed()};
    if (end.tooMuch)
        return {TroubleKind::Garbage, TroubleWords::tr("What answers there is not Pipewright."),
                TroubleWords::tr(
                    "It wrote without end. The command line has to end with the pipewright "
                    "program.")};
    const bool ssh = QFileInfo(program).fileName() == QLatin1String("ssh");
    if (end.timedOut)
        return {TroubleKind::TimedOut, TroubleWords::tr("No answer in time."),
                ssh ? TroubleWords::tr("Try the same command in a terminal: ssh %1")
                          .arg(hostOf(end.words))
                    : TroubleWords::tr(
                          "Try the same command in a terminal. A queue of a cluster may have no "
                          "free nodes.")};
    if (end.crashed)
        return ofCrash(end.code, end.errors);
    if (ssh && end.code == sshFailed)
        return ofSsh(end);
    if (end.code != 0 && (ssh || end.code == notFound || end.code == notExecutable) && isLost(end))
        return {
            TroubleKind::NoProgram,
            ssh ? TroubleWords::tr("%1 has no program pipewright on its path.")
                      .arg(hostOf(end.words))
                : TroubleWords::tr("There is no program pipewright where the command line looks."),
            TroubleWords::tr(
                "Build it there (./run in the repository) and write its whole path into the "
                "connection.")};
    if (end.code == wrongUsage && isUsage(end.errors))
        return {TroubleKind::Version,
                TroubleWords::tr("The Pipewright there does not understand this studio."),
                TroubleWords::tr("Use the same version of Pipewright at both ends.") +
                    QLatin1Char('\n') + linesOf(end.errors).constFirst()};
    if (end.code > endedBySignal && end.code <= endedBySignal + mostSignals)
        return ofCrash(end.code - endedBySignal, end.errors);
    if (end.code != 0)
        return ofWords(end);
    return {};
}

} // namespace pw::ui
