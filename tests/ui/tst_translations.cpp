// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/account.h"
#include "core/families/family.h"
#include "core/sim/memory.h"
#include "core/trace/records.h"
#include "core/trace/trace.h"
#include "tests/support/compared.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/alternatives/alternative.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/core_words.h"
#include "ui/keep/preferences_dialog.h"
#include "ui/keep/translations.h"
#include "ui/panels/explain_panel.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

#include <functional>

using namespace pw;
using namespace pw::ui;

namespace {

/// A sentence of a .ts file.
struct Message
{
    QString context;
    QString source;
    QString comment;
    QStringList forms; ///< several where the sentence counts
    bool counts = false;
    QString state; ///< "unfinished", "vanished"; empty: done
};

QString folder()
{
    return QStringLiteral(PW_SOURCE_DIR "/resources/translations");
}

Message readMessage(QXmlStreamReader& xml, const QString& context)
{
    Message message;
    message.context = context;
    message.counts = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
    while (xml.readNextStartElement()) {
        if (xml.name() == QLatin1String("source")) {
            message.source = xml.readElementText();
        } else if (xml.name() == QLatin1String("comment")) {
            message.comment = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            message.state = xml.attributes().value(QLatin1String("type")).toString();
            if (!message.counts)
                message.forms << xml.readElementText();
            else
                while (xml.readNextStartElement())
                    message.forms << xml.readElementText();
        } else {
            xml.skipCurrentElement();
        }
    }
    return message;
}

std::vector<Message> readMessages(const QString& path)
{
    std::vector<Message> all;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return all;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1String("message"))
            all.push_back(readMessage(xml, context));
    }
    return xml.hasError() ? std::vector<Message>() : all;
}

/// Speaks German as the .ts file does, so that the tests need no compiled one.
class SourceTranslator : public QTranslator
{
public:
    explicit SourceTranslator(const std::vector<Message>& messages)
    {
        for (const Message& message : messages)
            m_forms.insert({message.context, message.source}, message.forms);
    }

    QString translate(const char* context, const char* source, const char*,
                      int count) const override
    {
        const QStringList forms =
            m_forms.value({QString::fromUtf8(context), QString::fromUtf8(source)});
        return forms.isEmpty() ? QString() : forms.at(count == 1 || forms.size() < 2 ? 0 : 1);
    }
    bool isEmpty() const override { return m_forms.isEmpty(); }

private:
    QHash<std::pair<QString, QString>, QStringList> m_forms;
};

/// What has to come through a translation as it is: numbered places, markup, fields, file names.
QStringList fixedParts(const QString& sentence)
{
    static const QRegularExpression fixed(QStringLiteral(
        "%(?:L?\\d+|n)|</?[a-z]+|href=\"[^\"]*\"|\\{[a-zA-Z:,=-]*\\}|\\(\\*[^)]*\\)|--[a-z-]+"));
    QStringList parts;
    auto found = fixed.globalMatch(sentence);
    while (found.hasNext())
        parts << found.next().captured();
    parts.sort();
    return parts;
}

bool hasMnemonic(const QString& text)
{
    return !QKeySequence::mnemonic(text).isEmpty();
}

/// What is wrong with a form of a sentence; empty: nothing.
QString faultOf(const QString& source, const QString& form)
{
    const auto blank = [](const QString& text, qsizetype at) {
        return !text.isEmpty() && text.at(at).isSpace();
    };
    if (form.isEmpty())
        return QStringLiteral("is empty");
    if (fixedParts(source) != fixedParts(form))
        return QStringLiteral("has other places, fields or markup");
    if (blank(source, 0) != blank(form, 0) ||
        blank(source, source.size() - 1) != blank(form, form.size() - 1))
        return QStringLiteral("begins or ends with another blank");
    if (source.count(QLatin1Char('\n')) != form.count(QLatin1Char('\n')))
        return QStringLiteral("has other lines");
    if (hasMnemonic(source) != hasMnemonic(form))
        return QStringLiteral("has a key letter where there is none, or none where there is");
    return {};
}

/// Texts that a widget has no room for. @param looked  is raised by the texts that were looked at
QStringList cutTexts(const QWidget& window, int& looked)
{
    QStringList cut;
    const auto look = [&](const QWidget& widget, const QString& text, int needed) {
        if (!widget.isVisibleTo(&window) || text.isEmpty())
            return;
        ++looked;
        if (widget.width() + 1 < needed)
            cut << QStringLiteral("“%1” has %2 of %3 px").arg(text).arg(widget.width()).arg(needed);
    };
    const QList<QLabel*> labels = window.findChildren<QLabel*>();
    for (const QLabel* label : labels)
        if (!label->wordWrap() && label->textFormat() != Qt::RichText && label->pixmap().isNull() &&
            label->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored)
            look(*label, label->text(), label->minimumSizeHint().width());
    const QList<QAbstractButton*> buttons = window.findChildren<QAbstractButton*>();
    for (const QAbstractButton* button : buttons)
        if (!button->text().isEmpty())
            look(*button, button->text(), button->minimumSizeHint().width());
    const QList<QScrollArea*> areas = window.findChildren<QScrollArea*>();
    for (const QScrollArea* area : areas)
        // Those behind a tab have no size yet.
        if (!area->visibleRegion().isEmpty() && area->widgetResizable() &&
            area->horizontalScrollBar()->maximum() > 0)
            cut << QStringLiteral("%1 is %2 px too narrow")
                       .arg(QString::fromLatin1(area->widget()->metaObject()->className()))
                       .arg(area->horizontalScrollBar()->maximum());
    return cut;
}

} // namespace

class TestTranslations : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;
    std::unique_ptr<SourceTranslator> m_german;

    void speakGerman()
    {
        m_german = std::make_unique<SourceTranslator>(
            readMessages(folder() + QStringLiteral("/pipewright_de.ts")));
        QVERIFY(QCoreApplication::installTranslator(m_german.get()));
    }

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void cleanup()
    {
        m_german.reset();
        setLanguageChoice({});
    }

    void everySentenceIsTranslated_data()
    {
        QTest::addColumn<QString>("path");
        const QFileInfoList files = QDir(folder()).entryInfoList({QStringLiteral("*.ts")});
        QVERIFY(!files.isEmpty());
        for (const QFileInfo& file : files)
            QTest::newRow(qPrintable(file.baseName())) << file.filePath();
    }
    void everySentenceIsTranslated()
    {
        QFETCH(const QString, path);
        const std::vector<Message> messages = readMessages(path);
        QVERIFY2(messages.size() > 1500, qPrintable(path));
        qsizetype forms = 0;
        int faults = 0;
        for (const Message& message : messages) {
            const auto say = [&](const QString& fault) {
                ++faults;
                qWarning("%s: “%s” %s", qPrintable(message.context), qPrintable(message.source),
                         qPrintable(fault));
            };
            if (!message.state.isEmpty())
                say(QStringLiteral("is ") + message.state);
            if (message.counts && forms == 0)
                forms = message.forms.size();
            if (message.forms.size() != (message.counts ? forms : 1))
                say(QStringLiteral("has %1 forms").arg(message.forms.size()));
            for (const QString& form : message.forms)
                if (const QString fault = faultOf(message.source, form); !fault.isEmpty())
                    say(QStringLiteral("%1: “%2”").arg(fault, form));
        }
        QCOMPARE(faults, 0);
        QVERIFY(forms > 0);
    }

    /// What the core calls things is in the list that is translated.
    void theWordsOfTheCoreAreTranslated()
    {
        speakGerman();
        const auto known = [this](std::string_view word) {
            const std::string copy(word);
            if (m_german->translate("Core", copy.c_str(), nullptr, -1).isEmpty())
                qWarning("ui/core_words.cpp does not have “%s”", copy.c_str());
            return !m_german->translate("Core", copy.c_str(), nullptr, -1).isEmpty();
        };
        bool all = true;
        const auto each = [&](int count, const std::function<std::string_view(int)>& word) {
            for (int i = 0; i < count; ++i)
                all = known(word(i)) && all;
        };
        each(trustCount, [](int i) { return name(static_cast<Trust>(i)); });
        each(activityKindCount, [](int i) { return name(static_cast<ActivityKind>(i)); });
        each(memoryUseCount, [](int i) { return name(static_cast<MemoryUse>(i)); });
        each(memoryKindCount, [](int i) { return name(static_cast<MemoryKind>(i)); });
        each(lossCauseCount, [](int i) { return name(static_cast<LossCause>(i)); });
        each(5, [](int i) { return name(static_cast<RunStatus>(i)); });
        QVERIFY(all);
        // A family may come without: it is shown as it is.
        for (const Family& family : allFamilies())
            known(family.summary);
        QCOMPARE(coreWords("nobody says this"), QStringLiteral("nobody says this"));
    }

    void aPassIsNamedAsTheCoreDoes()
    {
        PipelineSpec spec;
        spec.devices = 2;
        Pass pass;
        pass.kind = PassKind::B;
        pass.microBatch = 3;
        pass.stage = StageId(1);
        const auto same = [&] {
            QCOMPARE(passText(pass, spec), QString::fromStdString(describe(pass, spec)));
        };
        same();
        pass.kind = PassKind::U;
        same();
        spec.updateRule = UpdateRule::Stashed;
        same();
        speakGerman();
        QCOMPARE(passText(pass, spec), QStringLiteral("U nach Micro-Batch 3 auf Stufe 1"));
    }

    void numbersTakeTheirForm()
    {
        QCOMPARE(plural(1, Noun::Pass), QStringLiteral("1 pass"));
        QCOMPARE(plural(12288, Noun::Pass), QStringLiteral("12,288 passes"));
        speakGerman();
        QCOMPARE(plural(1, Noun::Device), QStringLiteral("1 Gerät"));
        QCOMPARE(plural(0, Noun::Device), QStringLiteral("0 Geräte"));
        QCOMPARE(plural(0.5, QStringLiteral("0.5"), Noun::Pass), QStringLiteral("0.5 Durchläufe"));
    }

    void theWindowSpeaksGerman()
    {
        speakGerman();
        MainWindow window;
        window.show();
        QStringList titles;
        const QList<QAction*> menus = window.menuBar()->actions();
        for (const QAction* menu : menus)
            titles << menu->text().remove(QLatin1Char('&'));
        QCOMPARE(titles.mid(0, 4), QStringList({"Datei", "Bearbeiten", "Ablaufplan", "Ansicht"}));
        QCOMPARE(window.commands().action(QStringLiteral("edit.undo"))->text(),
                 QStringLiteral("Rückgängig"));
    }

    void headingsOfRunsHaveRoom()
    {
        speakGerman();
        const MainWindow window;
        const auto* table = window.findChild<RunsPanel*>()->findChild<QTableView*>();
        const QHeaderView& header = *table->horizontalHeader();
        for (int column = 0; column < header.count(); ++column) {
            const QString words = table->model()->headerData(column, Qt::Horizontal).toString();
            QVERIFY2(header.sectionSize(column) >=
                         header.fontMetrics().horizontalAdvance(words) + 12,
                     qPrintable(words));
        }
    }

    /// What the core finds out about a schedule is said in the window's language, as a whole.
    void explanationsAndReasonsAreGerman()
    {
        speakGerman();
        MainWindow window;
        window.openFamily(QStringLiteral("1f1b"));
        window.commands().action(QStringLiteral("schedule.explain"))->trigger();
        const auto* panel = window.findChild<ExplainPanel*>();
        QVERIFY(panel != nullptr);
        QVERIFY2(panel->words().contains(QStringLiteral("Das Ganze dauert 33 ms: eine Kette von "
                                                        "22 Durchläufen")),
                 qPrintable(panel->words()));
        for (const char* english : {"The", "passes", "device", "micro-batch "})
            QVERIFY2(!panel->words().contains(QString::fromLatin1(english)),
                     qPrintable(panel->words()));
        Alternative best;
        best.makespan = 24 * ticksPerMs;
        Alternative slow;
        slow.makespan = 25 * ticksPerMs;
        std::vector<Alternative> rows{best, slow};
        orderAlternatives(rows, {});
        QCOMPARE(rows[1].reason, QStringLiteral("um 1 ms langsamer"));
        auto refused = std::make_shared<Ranked>();
        refused->candidate.family = &allFamilies().front();
        refused->refusal = said("device %1 has no entry %2", 3, 9);
        rows = {best, alternativeOf(refused)};
        orderAlternatives(rows, {});
        QVERIFY(!rows[1].reason.isEmpty());
        QVERIFY2(!rows[1].reason.contains(QStringLiteral("has no")), qPrintable(rows[1].reason));
    }

    /// A letter opens one thing of a menu, and one menu of the bar.
    void noTwoThingsOfAMenuHaveOneKey()
    {
        speakGerman();
        MainWindow window;
        window.openFamily(QStringLiteral("zb-v"));
        window.commands().action(QStringLiteral("learn.new-level"))->trigger();
        SchedulePage& schedule = window.openFamily(QStringLiteral("zb-v"));
        for (const char* page : {"schedule.bench", "schedule.alternatives", "schedule.plan",
                                 "schedule.what-if", "schedule.adaptive", "schedule.advice"}) {
            window.showPage(&schedule);
            window.commands().action(QString::fromLatin1(page))->trigger();
            QVERIFY2(window.page() != &schedule, page);
        }
        window.addPage(test::comparingPage());
        int clashes = 0;
        const auto look = [&](const QString& where, const QList<QAction*>& actions) {
            QHash<QKeySequence, QString> keys;
            for (const QAction* action : actions) {
                const QKeySequence key = QKeySequence::mnemonic(action->text());
                if (key.isEmpty())
                    continue;
                if (keys.contains(key)) {
                    ++clashes;
                    qWarning("%s: “%s” and “%s”", qPrintable(where), qPrintable(keys.value(key)),
                             qPrintable(action->text()));
                }
                keys.insert(key, action->text());
            }
        };
        look(QStringLiteral("the bar"), window.menuBar()->actions());
        const QList<QMenu*> menus = window.menuBar()->findChildren<QMenu*>();
        for (const QMenu* menu : menus)
            look(menu->title(), menu->actions());
        // A field beside the page has none of the letters of the bar either.
        QHash<QKeySequence, QString> bar;
        const QList<QAction*> titles = window.menuBar()->actions();
        for (const QAction* title : titles)
            bar.insert(QKeySequence::mnemonic(title->text()), title->text());
        const auto field = [&](const QString& text) {
            const QKeySequence key = QKeySequence::mnemonic(text);
            if (key.isEmpty() || !bar.contains(key))
                return;
            ++clashes;
            qWarning("the field “%s” and the menu “%s”", qPrintable(text),
                     qPrintable(bar.value(key)));
        };
        const QList<QLabel*> labels = window.findChildren<QLabel*>();
        for (const QLabel* label : labels)
            if (label->buddy() != nullptr)
                field(label->text());
        const QList<QAbstractButton*> buttons = window.findChildren<QAbstractButton*>();
        for (const QAbstractButton* button : buttons)
            field(button->text());
        QCOMPARE(clashes, 0);
    }

    void nothingIsCut_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"", "file.preferences", "file.export-figure", "run.connections",
                                    "schedule.model", "schedule.stage-table", "schedule.links",
                                    "run.settings", "schedule.bench", "learn.new-level"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void nothingIsCut()
    {
        QFETCH(const QString, command);
        speakGerman();
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openFamily(QStringLiteral("zb-v"));
        if (!command.isEmpty()) {
            QAction* action = window.commands().action(command);
            QVERIFY2(action != nullptr, qPrintable(command));
            action->trigger();
        }
        QTest::qWait(50);
        int looked = 0;
        QStringList cut = cutTexts(window, looked);
        QVERIFY(looked > 20);
        const QList<QDialog*> dialogs = window.findChildren<QDialog*>();
        for (QDialog* dialog : dialogs) {
            if (!dialog->isVisible())
                continue;
            cut << cutTexts(*dialog, looked);
            dialog->close();
        }
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    }

    /// The choice is kept, and the dialog says when it holds.
    void aLanguageIsChosen()
    {
        const std::vector<Language> known = languages();
        QVERIFY(!known.empty());
        PreferencesDialog dialog;
        dialog.show();
        auto* box = dialog.findChild<QComboBox*>(QStringLiteral("language"));
        auto* note = dialog.findChild<QLabel*>(QStringLiteral("nextStart"));
        QVERIFY(box != nullptr && note != nullptr && !note->isVisible());
        QCOMPARE(languageChoice(), QString());
        box->setCurrentIndex(box->findData(QStringLiteral("en")));
        QCOMPARE(languageChoice(), QStringLiteral("en"));
        QVERIFY(note->isVisible());
        box->setCurrentIndex(0);
        QCOMPARE(languageChoice(), QString());
    }
};

PW_WINDOW_TEST(TestTranslations)
#include "tst_translations.moc"
