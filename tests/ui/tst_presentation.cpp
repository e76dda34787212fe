// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/house_style.h"
#include "ui/panels/quiet_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QRadioButton>
#include <QSpinBox>
#include <QStyleOption>
#include <QTableWidget>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

using namespace pw;
using namespace pw::ui;

namespace {

/// @source WCAG 2.1, contrast ratio
double contrast(const QColor& one, const QColor& other)
{
    const auto luminance = [](const QColor& color) {
        const auto linear = [](double c) {
            return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
               0.0722 * linear(color.blueF());
    };
    const double a = luminance(one) + 0.05;
    const double b = luminance(other) + 0.05;
    return std::max(a, b) / std::min(a, b);
}

/// The pixel of a picture that stands out most against its first one.
double strongest(const QImage& picture)
{
    double most = 1;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            most = std::max(most, contrast(picture.pixelColor(x, y), picture.pixelColor(0, 0)));
    return most;
}

void addGrounds()
{
    QTest::addColumn<bool>("light");
    QTest::newRow("light") << true;
    QTest::newRow("dark") << false;
}

} // namespace

class TestPresentation : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { applyGround(*qApp, Ground::Light); }

    void onlyBarsOfToolsAreDressedAgain()
    {
        QToolBar tools, tabs;
        dressTools(tools);
        applyGround(*qApp, Ground::Dark);
        const QString dark = tools.styleSheet();
        applyGround(*qApp, Ground::Light);
        QVERIFY(!dark.isEmpty() && dark != tools.styleSheet());
        QCOMPARE(tabs.styleSheet(), QString());
    }

    void linksCanBeReadOnTheGroundOfTheMoment_data() { addGrounds(); }
    void linksCanBeReadOnTheGroundOfTheMoment()
    {
        QFETCH(bool, light);
        // The window changes its ground while labels are there.
        applyGround(*qApp, light ? Ground::Dark : Ground::Light);
        QLabel label(QStringLiteral("<a href=\"x\">MMMMMM</a>"));
        label.show();
        applyGround(*qApp, light ? Ground::Light : Ground::Dark);
        QVERIFY(strongest(label.grab().toImage()) >= 4.5);
        QCOMPARE(label.text(), QStringLiteral("<a href=\"x\">MMMMMM</a>"));
    }

    void fieldsHaveALineThatIsSeen_data() { addGrounds(); }
    void fieldsHaveALineThatIsSeen()
    {
        QFETCH(bool, light);
        applyGround(*qApp, light ? Ground::Light : Ground::Dark);
        QWidget parent;
        parent.resize(200, 120);
        QSpinBox spin(&parent);
        QLineEdit line(&parent);
        QComboBox combo(&parent);
        combo.setEditable(true);
        int y = 6;
        for (QWidget* field : {static_cast<QWidget*>(&spin), static_cast<QWidget*>(&line),
                               static_cast<QWidget*>(&combo)}) {
            field->setGeometry(20, y, 160, 28);
            y += 36;
        }
        parent.show();
        parent.setFocus();
        const QImage picture = parent.grab().toImage();
        for (const QWidget* field : {static_cast<QWidget*>(&spin), static_cast<QWidget*>(&line),
                                     static_cast<QWidget*>(&combo)}) {
            const int middle = field->geometry().center().y();
            double most = 1;
            for (int x = 19; x < 23; ++x)
                most = std::max(
                    most, contrast(picture.pixelColor(x, middle), picture.pixelColor(10, middle)));
            QVERIFY2(most >= 1.45,
                     qPrintable(QStringLiteral("%1: %2")
                                    .arg(QLatin1String(field->metaObject()->className()))
                                    .arg(most)));
        }
    }

    /// What has no room ends in dots, not in half a letter.
    void choicesWithoutRoomEndInDots()
    {
        QComboBox box;
        box.addItem(QStringLiteral("MMMMMMMMMMMMMMMMMMMMMMMM"));
        box.resize(120, box.sizeHint().height());
        box.show();
        QStyleOptionComboBox option;
        option.initFrom(&box);
        option.subControls = QStyle::SC_All;
        const QRect room = box.style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                       QStyle::SC_ComboBoxEditField, &box);
        const QImage picture = box.grab().toImage();
        const auto inked = [&](const QRect& part) {
            for (int x = part.left(); x <= part.right(); ++x)
                for (int y = part.top(); y <= part.bottom(); ++y)
                    if (contrast(picture.pixelColor(x, y), color(Role::Paper)) > 3)
                        return true;
            return false;
        };
        const QRect upper(room.left(), room.top() + 3, room.width(), room.height() / 2 - 3);
        QVERIFY(inked(upper));
        QVERIFY(!inked(QRect(room.right() - 6, upper.top(), 6, upper.height())));
    }

    void boxesAreSeenCheckedOrNot_data() { addGrounds(); }
    void boxesAreSeenCheckedOrNot()
    {
        QFETCH(bool, light);
        applyGround(*qApp, light ? Ground::Light : Ground::Dark);
        QCheckBox box;
        QRadioButton radio;
        QWidget parent;
        auto* layout = new QVBoxLayout(&parent);
        layout->addWidget(&box);
        layout->addWidget(&radio);
        parent.show();
        for (QAbstractButton* button :
             {static_cast<QAbstractButton*>(&box), static_cast<QAbstractButton*>(&radio)}) {
            const QImage without = button->grab().toImage();
            QVERIFY2(strongest(without) >= 3, button->metaObject()->className());
            button->setChecked(true);
            const QImage with = button->grab().toImage();
            QVERIFY(strongest(with) >= 3);
            QVERIFY(with != without);
        }
        // In lists, too.
        QListWidget list;
        list.setFrameShape(QFrame::NoFrame);
        auto* item = new QListWidgetItem(&list);
        item->setCheckState(Qt::Unchecked);
        list.resize(60, 40);
        list.show();
        QVERIFY(strongest(list.viewport()->grab().toImage()) >= 3);
        layout->removeWidget(&box);
        layout->removeWidget(&radio);
        box.setParent(nullptr);
        radio.setParent(nullptr);
    }

    /// A button that shows a menu has its arrow behind its text, in the middle of its height.
    void theArrowOfAMenuStandsBesideTheText()
    {
        applyGround(*qApp, Ground::Light);
        QMenu menu;
        QToolButton button;
        button.setText(QStringLiteral("xxxx"));
        button.setPopupMode(QToolButton::InstantPopup);
        const int without = button.sizeHint().width();
        button.setMenu(&menu);
        QVERIFY(button.sizeHint().width() >= without + 10);
        button.setAutoRaise(true);
        button.resize(button.sizeHint());
        const QImage image = button.grab().toImage();
        const QRgb ground = image.pixel(2, 2);
        QRect arrow;
        for (int x = image.width() - 15; x < image.width() - 2; ++x)
            for (int y = 2; y < image.height() - 2; ++y)
                if (contrast(image.pixelColor(x, y), QColor(ground)) > 1.5)
                    arrow |= QRect(x, y, 1, 1);
        QVERIFY(!arrow.isEmpty());
        QVERIFY2(std::abs(arrow.center().y() - image.height() / 2) <= 3,
                 qPrintable(QString::number(arrow.center().y())));
    }

    /// Tables have a style sheet of their own, and the ground of the window all the same.
    void tablesFollowTheGround()
    {
        applyGround(*qApp, Ground::Light);
        QTableWidget table(1, 1);
        makeQuiet(table);
        table.resize(300, 200);
        table.show();
        for (const Ground ground : {Ground::Dark, Ground::Light, Ground::Dark}) {
            applyGround(*qApp, ground);
            QCoreApplication::processEvents();
            const QImage image = table.viewport()->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() - 4, image.height() - 4),
                     QApplication::palette().color(QPalette::Base));
        }
    }

    void oneIsOneAndManyAreMany()
    {
        QCOMPARE(plural(1, Noun::Pass), QStringLiteral("1 pass"));
        QCOMPARE(plural(0, Noun::Pass), QStringLiteral("0 passes"));
        QCOMPARE(plural(64, Noun::Pass), QStringLiteral("64 passes"));
        QCOMPARE(plural(98304, Noun::Pass), QStringLiteral("98,304 passes"));
        QCOMPARE(plural(1, Noun::MicroBatch), QStringLiteral("1 micro-batch"));
        QCOMPARE(plural(0.9999, QStringLiteral("1"), Noun::MicroBatch),
                 QStringLiteral("1 micro-batch"));
        QCOMPARE(plural(0.5, QStringLiteral("0.5"), Noun::MicroBatch),
                 QStringLiteral("0.5 micro-batches"));
    }
};

PW_WINDOW_TEST(TestPresentation)
#include "tst_presentation.moc"
