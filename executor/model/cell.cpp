// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/cell.h"

#include "core/base/assert.h"

#include <numeric>
#include <utility>

namespace pw::exec {

CellLayout::CellLayout(const GptModel& model, const StageContent& content,
                       const std::vector<int>& segmentTokens, int segment)
    : m_layers(content.layers)
    , m_rows(static_cast<std::int64_t>(model.samples) *
             segmentTokens[static_cast<std::size_t>(segment)])
    , m_keys(segmentTokens.begin(), segmentTokens.begin() + segment + 1)
    , m_attention{.samples = model.samples,
                  .heads = model.heads,
                  .headSize = model.headSize(),
                  .queries = m_keys.back(),
                  .keys = m_keys}
{
    constexpr Bytes floatBytes = 4;
    constexpr bool stashed = true;
    constexpr bool held = true;
    const Bytes element = model.element == Element::Float32 ? floatBytes : floatBytes / 2;
    const std::int64_t h = model.hidden;
    const bool last = static_cast<std::size_t>(segment) + 1 == segmentTokens.size();

    add(content.embedding ? m_rows : 0, 1, sizeof(std::int32_t), stashed, held);
    add(m_rows, h, element, !content.embedding, held);
    for (int layer = 0; layer < m_layers; ++layer) {
        // The order of LayerTensor. Later segments need keys, values and the place for their
        // gradients even while the rest of the cell is to be recomputed.
        add(m_rows, h, element, !stashed, held);
        add(1, m_rows, floatBytes, !stashed, held);
        add(m_rows, h, element, !stashed, held);
        add(m_rows, h, element, !stashed, held);
        add(m_rows, 2 * h, element, !last, held);
        if (model.flashAttention)
            add(1, m_rows * model.heads, floatBytes, !stashed, !held);
        else
            add(m_rows * model.heads, m_attention.keyCount(), element, !stashed, !held);
        add(last ? 0 : m_rows, 2 * h, element, stashed, !held, true);
        add(m_rows, h, element, !stashed, held);
        add(m_rows, h, element, !stashed, held);
        add(1, m_rows, floatBytes, !stashed, held);
        add(m_rows, h, element, !stashed, held);
        add(m_rows, model.ffnWidth(), element, !stashed, held);
        add(m_rows, model.ffnWidth(), element, !stashed, held);
    }
    const std::int64_t outputRows = content.outputs > 0 ? m_rows : 0;
    add(outputRows, h, element, !stashed, held);
    add(content.outputs > 0 ? 1 : 0, m_rows, floatBytes, !stashed, held);
    add(outputRows, h, element, !stashed, held);
    add(outputRows, model.vocabulary, element, !stashed, held);
}

void CellLayout::add(std::int64_t rows, std::int64_t columns, Bytes elementBytes, bool stashed,
                     bool held, bool sum)
{
    m_tensors.push_back({rows, columns, rows * columns * elementBytes, stashed, held, sum});
}

int CellLayout::firstToken() const
{
    return std::accumulate(m_keys.begin(), m_keys.end() - 1, 0);
}

Bytes CellLayout::activation() const
{
    Bytes bytes = 0;
    for (const CellTensor& tensor : m_tensors)
        bytes += tensor.bytes;
    return bytes;
}

Bytes CellLayout::stash() const
{
    Bytes bytes = 0;
    for (const CellTensor& tensor : m_tensors)
        bytes += tensor.stashed ? tensor.bytes : 0;
    return bytes;
}

Bytes CellLayout::heldForWeight() const
{
    Bytes bytes = 0;
    for (const CellTensor& tensor : m_tensors)
        bytes += tensor.heldForWeight ? tensor.bytes : 0;
    return bytes;
}

void Cell::put(std::size_t tensor, Buffer buffer)
{
    PW_ASSERT(buffer.bytes() == (*m_layout)[tensor].bytes);
    // The old memory goes first: both together would count as more than the cell has.
    m_buffers[tensor].reset();
    buffer.relabel(MemoryUse::Activations);
    m_buffers[tensor] = std::move(buffer);
}

void Cell::takeForForward()
{
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        const CellTensor& tensor = (*m_layout)[i];
        if (tensor.bytes == 0 || m_buffers[i] || (m_recomputed && !tensor.stashed))
            continue;
        m_buffers[i] = Buffer(*m_ops, tensor.bytes, MemoryUse::Activations);
        if (tensor.sum)
            m_ops->zero(m_buffers[i].data(), tensor.bytes);
    }
}

void Cell::takeRest()
{
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        const CellTensor& tensor = (*m_layout)[i];
        if (tensor.bytes > 0 && !m_buffers[i])
            m_buffers[i] = Buffer(*m_ops, tensor.bytes, MemoryUse::Activations);
    }
}

void Cell::takeForNow(std::size_t first, std::size_t last)
{
    for (std::size_t i = first; i < last; ++i) {
        const CellTensor& tensor = (*m_layout)[i];
        if (tensor.bytes > 0 && !m_buffers[i])
            m_buffers[i] = Buffer(*m_ops, tensor.bytes, MemoryUse::Workspace);
    }
}

void Cell::leave(std::size_t first, std::size_t last, std::vector<Buffer>& out)
{
    for (std::size_t i = first; i < last; ++i) {
        if (m_buffers[i] && m_buffers[i].use() == MemoryUse::Workspace)
            out.push_back(std::move(m_buffers[i]));
    }
}

void Cell::holdForWeight()
{
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        if (!m_buffers[i])
            continue;
        if ((*m_layout)[i].heldForWeight)
            m_buffers[i].relabel(MemoryUse::HeldForWeight);
        else
            m_buffers[i].reset();
    }
}

std::vector<Buffer> Cell::takeAll()
{
    return std::exchange(m_buffers, std::vector<Buffer>(m_buffers.size()));
}

void Cell::putAll(std::vector<Buffer> buffers)
{
    PW_ASSERT(buffers.size() == m_buffers.size());
    m_buffers = std::move(buffers);
}

void Cell::exchange(std::size_t tensor, Buffer& other)
{
    Buffer& own = m_buffers[tensor];
    PW_ASSERT(own.bytes() == other.bytes());
    // Equal sizes change places, so nothing is counted anew.
    const MemoryUse ownUse = own.use();
    const MemoryUse otherUse = other.use();
    const Bytes bytes = own.bytes();
    void* ownData = own.surrender();
    void* otherData = other.surrender();
    own = Buffer(*m_ops, otherData, bytes, ownUse);
    other = Buffer(*m_ops, ownData, bytes, otherUse);
}

} // namespace pw::exec
