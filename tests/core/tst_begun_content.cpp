// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/begun_content.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <optional>
#include <string>
#include <utility>

using namespace pw;

namespace {

constexpr std::size_t held = 100;

/// A source that has its bytes.
class OwnSource : public ByteSource
{
public:
    explicit OwnSource(std::string bytes)
        : m_bytes(std::move(bytes))
        , m_rest(m_bytes)
    {
    }
    std::size_t read(char* buffer, std::size_t size) override { return m_rest.read(buffer, size); }

private:
    std::string m_bytes;
    MemorySource m_rest;
};

std::string bytesOf(std::size_t size)
{
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i)
        bytes += static_cast<char>('a' + i % 23);
    return bytes;
}

/// In pieces of any size.
std::string all(ByteSource& source, std::size_t piece)
{
    std::string text, buffer(piece, '\0');
    while (const std::size_t count = source.read(buffer.data(), buffer.size()))
        text.append(buffer, 0, count);
    return text;
}

} // namespace

/// A content that is begun several times is opened once.
class TestBegunContent : public QObject
{
    Q_OBJECT

private:
    /// A content that says how often it was opened.
    BegunContent begun(std::string bytes)
    {
        m_opened = 0;
        m_failure.clear();
        return std::move(*BegunContent::open(
            [this, bytes]() -> Result<std::unique_ptr<ByteSource>> {
                ++m_opened;
                return std::make_unique<OwnSource>(m_opened == 1 ? bytes : m_later.value_or(bytes));
            },
            held, m_failure));
    }

    int m_opened = 0;
    std::string m_failure;
    std::optional<std::string> m_later; ///< what is there when it is opened again

private slots:
    void init() { m_later.reset(); }

    void everySourceHasAllOfIt_data()
    {
        QTest::addColumn<std::size_t>("size");
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{1}, held - 1, held, held + 1, held + 2, 90 * held})
            QTest::newRow(QByteArray::number(quint64(size)).constData()) << size;
    }
    void everySourceHasAllOfIt()
    {
        QFETCH(const std::size_t, size);
        const std::string bytes = bytesOf(size);
        const BegunContent content = begun(bytes);
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, held, 1000 * held}) {
            const auto source = content.source();
            QCOMPARE(all(*source, piece), bytes);
        }
        QCOMPARE(m_opened, size <= held ? 1 : 4);
        QVERIFY(m_failure.empty());
    }

    void lookingAtItOpensItOnce()
    {
        const std::string bytes = bytesOf(50 * held);
        const BegunContent content = begun(bytes);
        for (int i = 0; i < 9; ++i)
            QCOMPARE(headOf(*content.source(), held), bytes.substr(0, held));
        QCOMPARE(all(*content.source(), held), bytes);
        QCOMPARE(m_opened, 1);
    }

    /// Sources are read in turn, and each is where it is.
    void sourcesDoNotDisturbEachOther()
    {
        const std::string bytes = bytesOf(50 * held);
        std::optional<BegunContent> content = begun(bytes);
        const auto one = content->source(), other = content->source();
        content.reset();
        const std::string first = headOf(*one, 3 * held), second = headOf(*other, 2 * held);
        QCOMPARE(first + all(*one, 11), bytes);
        QCOMPARE(second + all(*other, 13), bytes);
    }

    /// A file may be shorter, or gone, when it is opened again.
    void whatCannotBeReadAgainEnds()
    {
        const std::string bytes = bytesOf(50 * held);
        m_later = bytes.substr(0, held / 2);
        const BegunContent content = begun(bytes);
        QCOMPARE(all(*content.source(), held), bytes);
        QCOMPARE(all(*content.source(), held), bytes.substr(0, held + 1));
        QVERIFY(m_failure.empty());
        std::string failure;
        int opened = 0;
        const Result<BegunContent> gone = BegunContent::open(
            [&]() -> Result<std::unique_ptr<ByteSource>> {
                if (++opened > 1)
                    return fail(ErrorCode::Io, "it is gone");
                return std::make_unique<OwnSource>(bytes);
            },
            held, failure);
        QVERIFY(gone);
        QCOMPARE(all(*gone->source(), held), bytes);
        QCOMPARE(all(*gone->source(), held), bytes.substr(0, held + 1));
        QCOMPARE(failure, std::string("it is gone"));
    }
};

PW_TEST(TestBegunContent)
#include "tst_begun_content.moc"
