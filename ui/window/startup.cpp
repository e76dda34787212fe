// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/startup.h"

#include "core/base/display_text.h"
#include "core/base/man_page.h"
#include "core/io/file_problem.h"
#include "core/system/files.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/export/handout.h"
#include "ui/export/play_film.h"
#include "ui/export/render.h"
#include "ui/keep/own_families.h"
#include "ui/keep/samples.h"
#include "ui/keep/translations.h"
#include "ui/presentation.h"
#include "ui/program_folder.h"
#include "ui/window/demo.h"
#include "ui/window/main_window.h"
#include "ui/window/session.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QHashFunctions>
#include <QIcon>
#include <QProcess>
#include <QStatusBar>
#include <QTextStream>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string_view>

namespace pw::ui {

namespace {

enum Exit
{
    good = 0,
    wrong = 1,
    usage = 2
};

struct StartupWords
{
    Q_DECLARE_TR_FUNCTIONS(Startup)
};

/// The options, and what was given for them.
struct CommandLine
{
    CommandLine();
    QList<QCommandLineOption> options() const
    {
        return {render,  style,    width, dpi,  charts, byMicroBatch, devices, microBatches,
                handout, language, film,  demo, man,    help,         version};
    }

    static QString filesTaken()
    {
        return StartupWords::tr(
            "A project, schedule text, PyTorch's schedule CSV, or the traces of one "
            "run.");
    }

    QCommandLineParser parser;
    QCommandLineOption render{
        QStringLiteral("render"),
        StartupWords::tr("Makes a figure of IN, a file or a family, and ends. "
                         "OUT ends in .svg, .pdf or .png. Needs no display.")};
    QCommandLineOption style{QStringLiteral("style"),
                             StartupWords::tr("paper (default), light or dark."),
                             QStringLiteral("STYLE")};
    QCommandLineOption width{
        QStringLiteral("width"),
        StartupWords::tr("Width of a figure in millimetres (default 178, two columns)."),
        QStringLiteral("MM")};
    QCommandLineOption dpi{QStringLiteral("dpi"), StartupWords::tr("Of a PNG (default 300)."),
                           QStringLiteral("N")};
    QCommandLineOption charts{QStringLiteral("charts"),
                              StartupWords::tr("With memory and bubbles below the lanes.")};
    QCommandLineOption byMicroBatch{
        QStringLiteral("by-micro-batch"),
        StartupWords::tr("Colours stand for the micro-batch, not the kind.")};
    QCommandLineOption devices{QStringLiteral("devices"),
                               StartupWords::tr("Devices of a family (default 4)."),
                               QStringLiteral("P")};
    QCommandLineOption microBatches{QStringLiteral("micro-batches"),
                                    StartupWords::tr("Micro-batches of a family (default 2 P)."),
                                    QStringLiteral("M")};
    QCommandLineOption handout{
        QStringLiteral("handout"),
        StartupWords::tr("Writes a lesson, an id or a file, as a PDF to hand out, with the "
                         "solutions behind, and ends: --handout LESSON OUT.")};
    QCommandLineOption language{QStringLiteral("language"),
                                StartupWords::tr("Of a handout (default en)."),
                                QStringLiteral("CODE")};
    QCommandLineOption film{
        QStringLiteral("film"),
        StartupWords::tr("Writes how IN, a file or a family, is played, and ends: --film IN OUT. "
                         "OUT ends in .gif, or in .mp4 where ffmpeg is installed.")};
    QCommandLineOption demo{
        QStringLiteral("demo"),
        StartupWords::tr("Shows by itself, in a minute, what the studio is for. Esc stops it; "
                         "nothing of yours is read or changed.")};
    QCommandLineOption man{QStringLiteral("man"),
                           StartupWords::tr("This text as a page of the manual, in roff.")};
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")},
                            StartupWords::tr("This text.")};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")},
                               StartupWords::tr("The version.")};
};

CommandLine::CommandLine()
{
    parser.setApplicationDescription(
        StartupWords::tr("The studio for schedules of pipeline-parallel training.\n\n"
                         "  pipewright-studio [FILE…]             opens files\n"
                         "  pipewright-studio --render IN OUT     makes a figure\n"
                         "  pipewright-studio --handout LESSON OUT\n"
                         "  pipewright-studio --film IN OUT\n"
                         "  pipewright-studio --demo              shows what it is for"));
    parser.addPositionalArgument(QStringLiteral("FILE"), filesTaken(), QStringLiteral("[FILE…]"));
    parser.addOptions(options());
}

/// The manual's page, from what the help is made of.
std::string manualOf(const CommandLine& line)
{
    ManPage page("pipewright-studio", "the studio for schedules of pipeline-parallel training",
                 PW_VERSION);
    page.section("Synopsis");
    page.paragraph("`pipewright-studio` [options] [FILE…]");
    page.paragraph("`pipewright-studio` --render IN OUT [options]");
    page.paragraph("`pipewright-studio` --handout LESSON OUT [--language CODE]");
    page.paragraph("`pipewright-studio` --film IN OUT [--style light|dark]");
    page.paragraph("`pipewright-studio` --demo");
    page.section("Arguments");
    page.item("FILE", CommandLine::filesTaken().toStdString());
    page.section("Options");
    for (const QCommandLineOption& option : line.options()) {
        QStringList names;
        for (const QString& name : option.names())
            names += QLatin1String(name.size() == 1 ? "-" : "--") + name;
        const QString value = option.valueName();
        page.item(
            (names.join(QStringLiteral(", ")) + QLatin1String(value.isEmpty() ? "" : " ") + value)
                .toStdString(),
            option.description().toStdString());
    }
    page.section("See also");
    page.paragraph("`pipewright`(1)");
    return page.text();
}

int told(Exit code, const QString& sentence)
{
    // Names of files are in it, which come from anyone.
    QTextStream(code == good ? stdout : stderr)
        << QString::fromStdString(displayLines(sentence.toStdString())) << '\n';
    return code;
}

int misused(const QString& sentence)
{
    return told(
        usage,
        StartupWords::tr("pipewright-studio: %1\nTry: pipewright-studio --help").arg(sentence));
}

/// A number of an option within limits; the sentence says what is wrong with it.
struct Number
{
    QString wrong;
    double value = 0;
};

Number numberOf(const QCommandLineParser& parser, const QCommandLineOption& option, double least,
                double most, double fallback)
{
    Number number;
    number.value = fallback;
    if (!parser.isSet(option))
        return number;
    bool isNumber = false;
    const QString given = parser.value(option);
    number.value = given.toDouble(&isNumber);
    if (!isNumber || !(number.value >= least && number.value <= most))
        number.wrong = StartupWords::tr("--%1 takes a number from %2 to %3, not \"%4\"")
                           .arg(option.names().constFirst())
                           .arg(least)
                           .arg(most)
                           .arg(given);
    return number;
}

int renderAsked(const CommandLine& line)
{
    const QCommandLineParser& parser = line.parser;
    const QStringList words = parser.positionalArguments();
    if (words.size() != 2)
        return misused(StartupWords::tr("--render takes IN and OUT, %1 given").arg(words.size()));
    RenderRequest request;
    request.input = words[0];
    request.output = words[1];
    if (!figureFormatOf(request.output))
        return misused(
            StartupWords::tr("the name \"%1\" tells no format; it ends in .svg, .pdf or .png")
                .arg(request.output));
    const QString style =
        parser.isSet(line.style) ? parser.value(line.style) : QStringLiteral("paper");
    if (style == QLatin1String("light"))
        request.look.ground = FigureGround::Light;
    else if (style == QLatin1String("dark"))
        request.look.ground = FigureGround::Dark;
    else if (style != QLatin1String("paper"))
        return misused(
            StartupWords::tr("--style takes paper, light or dark, not \"%1\"").arg(style));
    const Number width = numberOf(parser, line.width, FigureLook::narrowest, FigureLook::widest,
                                  FigureLook::twoColumns);
    const Number dpi = numberOf(parser, line.dpi, 30, 1200, 300);
    constexpr double mostDevices = 65'536;
    constexpr double mostMicroBatches = 16'777'216;
    const Number devices = numberOf(parser, line.devices, 1, mostDevices, 0);
    const Number microBatches = numberOf(parser, line.microBatches, 1, mostMicroBatches, 0);
    for (const Number* one : {&width, &dpi, &devices, &microBatches})
        if (!one->wrong.isEmpty())
            return misused(one->wrong);
    request.look.widthMm = width.value;
    request.dpi = dpi.value;
    request.devices = static_cast<int>(devices.value);
    request.microBatches = static_cast<int>(microBatches.value);
    request.look.memory = request.look.bubbles = parser.isSet(line.charts);
    if (parser.isSet(line.byMicroBatch))
        request.look.colorBy = ColorBy::MicroBatch;
    if (const Result<void> done = pw::ui::render(request); !done)
        return told(wrong,
                    QStringLiteral("pipewright-studio: ") + coreSentence(done.error().message));
    return good;
}

int handoutAsked(const CommandLine& line)
{
    const QStringList words = line.parser.positionalArguments();
    if (words.size() != 2)
        return misused(
            StartupWords::tr("--handout takes LESSON and OUT, %1 given").arg(words.size()));
    const QString language =
        line.parser.isSet(line.language) ? line.parser.value(line.language) : QStringLiteral("en");
    if (const Result<void> done = writeHandout(words[0], language, words[1]); !done)
        return told(wrong,
                    QStringLiteral("pipewright-studio: ") + coreSentence(done.error().message));
    return good;
}

int filmAsked(const CommandLine& line)
{
    const QCommandLineParser& parser = line.parser;
    const QStringList words = parser.positionalArguments();
    if (words.size() != 2)
        return misused(StartupWords::tr("--film takes IN and OUT, %1 given").arg(words.size()));
    const QString style =
        parser.isSet(line.style) ? parser.value(line.style) : QStringLiteral("light");
    if (style != QLatin1String("light") && style != QLatin1String("dark"))
        return misused(
            StartupWords::tr("--style of a film is light or dark, not \"%1\"").arg(style));
    RenderRequest request;
    request.input = words[0];
    const Number devices = numberOf(parser, line.devices, 1, 1024, 0);
    const Number microBatches = numberOf(parser, line.microBatches, 1, 100'000, 0);
    for (const Number* one : {&devices, &microBatches})
        if (!one->wrong.isEmpty())
            return misused(one->wrong);
    request.devices = static_cast<int>(devices.value);
    request.microBatches = static_cast<int>(microBatches.value);
    const Result<FigureContent> content = contentOf(request);
    FilmLook look;
    look.ground = style == QLatin1String("dark") ? Ground::Dark : Ground::Light;
    const Result<void> done =
        content ? writeFilm(PlayFilm(content->lanes, content->title, look, content->annotations),
                            words[1])
                : Result<void>(fail(content.error()));
    if (!done)
        return told(wrong,
                    QStringLiteral("pipewright-studio: ") + coreSentence(done.error().message));
    return good;
}

/// Says what an exception was about and goes on: what was being done is given up, and the work of
/// the user is not.
class StudioApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::bad_alloc&) {
            tellGivenUp(StartupWords::tr("out of memory"));
        } catch (const std::exception& problem) {
            tellGivenUp(QString::fromUtf8(problem.what()));
        }
        return false;
    }
};

/// Goes with the window; from its end a person goes on to the studio itself.
void beginDemo(MainWindow& window, const DemoHome& home)
{
    auto* demo = new Demo(window);
    QObject::connect(demo, &Demo::studioAsked, &window, [&window, &home] {
        QProcess studio;
        studio.setProgram(QCoreApplication::applicationFilePath());
        studio.setProcessEnvironment(home.outside());
        studio.startDetached();
        window.close();
    });
    demo->start();
}

} // namespace

int runStudio(int argc, char** argv)
{
    sys::failPastLargestFile();
    // What needs no window needs no display either; Qt asks for one when the application is made.
    const bool windowless = std::any_of(argv + 1, argv + argc, [](const char* given) {
        const std::string_view word = given;
        return word == "--render" || word == "--handout" || word == "--film" || word == "--help" ||
               word == "-h" || word == "--version" || word == "-v" || word == "--man";
    });
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    if (windowless) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Remarks of Qt on the place it runs in are none of the caller's,
        // and the order of fonts in a PDF is to be the same every time.
        QHashSeed::setDeterministicGlobalSeed();
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    }
    // Qt has a --style of its own.
    int given = windowless ? 1 : argc;
    usePluginsOfProgram();
    StudioApplication application(given, argv);
    QApplication::setOrganizationName(QStringLiteral("pipewright"));
    QApplication::setApplicationName(QStringLiteral("studio"));
    QApplication::setApplicationDisplayName(QStringLiteral("Pipewright"));
    QApplication::setApplicationVersion(QStringLiteral(PW_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("pipewright-studio"));

    loadTranslation(application);
    const QStringList familyProblems = useOwnFamilies();
    CommandLine line;
    if (!line.parser.parse(windowless ? arguments : QApplication::arguments()))
        return misused(line.parser.errorText());
    if (line.parser.isSet(line.help))
        return told(good, line.parser.helpText().trimmed());
    if (line.parser.isSet(line.man)) {
        QTextStream(stdout) << QString::fromStdString(manualOf(line));
        return good;
    }
    if (line.parser.isSet(line.version))
        return told(good, QStringLiteral("pipewright-studio " PW_VERSION));
    if (line.parser.isSet(line.render))
        return renderAsked(line);
    if (line.parser.isSet(line.handout))
        return handoutAsked(line);
    if (line.parser.isSet(line.film))
        return filmAsked(line);

    std::optional<DemoHome> demoHome;
    if (line.parser.isSet(line.demo)) {
        if (!line.parser.positionalArguments().isEmpty())
            return misused(StartupWords::tr("--demo takes no file"));
        demoHome.emplace();
        if (!demoHome->good())
            return told(wrong, StartupWords::tr("pipewright-studio: no folder can be made among "
                                                "the temporary files"));
    }
    initResources();
    applyGround(application, chosenGround());
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/pipewright.svg")));
    MainWindow window;
    restoreLayout(window);
    if (!familyProblems.isEmpty())
        window.statusBar()->showMessage(familyProblems.front());
    beginSession(window, line.parser.positionalArguments());
    if (demoHome)
        beginDemo(window, *demoHome);
    return QApplication::exec();
}

} // namespace pw::ui
