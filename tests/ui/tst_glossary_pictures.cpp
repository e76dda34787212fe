// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/help/glossary.h"
#include "ui/help/glossary_picture.h"
#include "ui/help/glossary_sketches.h"
#include "ui/help/manual_view.h"

#include <QTest>
#include <QTextBlock>

#include <set>

using namespace pw;
using namespace pw::ui;

class TestGlossaryPictures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_glossary_pictures"); }

    /// All that a schedule can show.
    void wordsHaveTheirPictures()
    {
        int pictured = 0;
        for (const GlossaryWord& word : glossaryWords()) {
            if (glossarySketch(word.word.toStdString()) == nullptr)
                continue;
            const QImage picture = glossaryPicture(word.word, 360, 2);
            QVERIFY2(!picture.isNull(), qPrintable(word.word));
            QCOMPARE(picture.width(), 720);
            std::set<QRgb> colors;
            for (int y = 0; y < picture.height(); y += 3)
                for (int x = 0; x < picture.width(); x += 3)
                    colors.insert(picture.pixel(x, y));
            QVERIFY2(colors.size() > 3, qPrintable(word.word));
            ++pictured;
        }
        QVERIFY2(pictured >= 70, qPrintable(QString::number(pictured)));
    }

    void whatNoScheduleShowsHasNone()
    {
        QVERIFY(glossaryPicture(QStringLiteral("no such word"), 360, 1).isNull());
        QVERIFY(glossaryPicture(QString(), 360, 1).isNull());
    }

    /// The whole is pale but for what the word is about.
    void thePictureIsAboutTheWord()
    {
        const QImage forward = glossaryPicture(QStringLiteral("F"), 360, 1);
        const QImage backward = glossaryPicture(QStringLiteral("B"), 360, 1);
        QCOMPARE(forward.size(), backward.size());
        QVERIFY(forward != backward);
        // In the middle of the first pass, which is an F.
        const auto saturation = [](const QImage& image) {
            return image.pixelColor(4, 4).hslSaturationF() *
                   static_cast<float>(std::abs(image.pixelColor(4, 4).lightnessF() - 1));
        };
        QVERIFY(saturation(forward) > 1.5F * saturation(backward));
    }

    void theGlossaryShowsThem()
    {
        ManualView view;
        view.resize(800, 600);
        for (const HelpPage& page : helpPages())
            if (page.name == QLatin1String("glossary"))
                view.showPage(page, QStringLiteral("lifespan"));
        int pictures = 0;
        for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part)
                if (const QTextImageFormat image = part.fragment().charFormat().toImageFormat();
                    image.isValid()) {
                    QVERIFY(!view.document()
                                 ->resource(QTextDocument::ImageResource, QUrl(image.name()))
                                 .value<QImage>()
                                 .isNull());
                    ++pictures;
                }
        QVERIFY(pictures >= 70);
        QVERIFY(view.textCursor().block().text().startsWith(QStringLiteral("lifespan:")));
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestGlossaryPictures)
#include "tst_glossary_pictures.moc"
