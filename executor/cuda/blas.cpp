// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/blas.h"

#include "executor/cuda/cuda_error.h"
#include "executor/model/ops.h"

#include <limits>
#include <string>

namespace pw::exec::cuda {

namespace {

cudaDataType_t typeOf(Type type)
{
    return type == Type::Float32 ? CUDA_R_32F : CUDA_R_16BF;
}

int size(std::int64_t value)
{
    if (value > std::numeric_limits<int>::max())
        throw DeviceError("a matrix has " + std::to_string(value) +
                          " rows or columns, more than cuBLAS takes");
    return static_cast<int>(value);
}

} // namespace

void Blas::HandleEnd::operator()(cublasHandle_t handle) const noexcept
{
    cublasDestroy(handle);
}

void Blas::MemoryEnd::operator()(void* memory) const noexcept
{
    cudaFree(memory);
}

Blas::Blas(cudaStream_t stream, int multiprocessors, Products products)
    : m_stream(stream)
{
    // A workspace of its own: handles that share one may give other bits when they run together.
    constexpr std::size_t workspaceBytes = std::size_t{32} << 20;
    void* workspace = nullptr;
    check("cudaMalloc", cudaMalloc(&workspace, workspaceBytes));
    m_workspace.reset(workspace);
    cublasHandle_t handle = nullptr;
    check("cublasCreate", cublasCreate(&handle));
    m_handle.reset(handle);
    check("cublasSetStream", cublasSetStream(handle, stream));
    check("cublasSetWorkspace", cublasSetWorkspace(handle, workspace, workspaceBytes));
    // Parts of a sum that several blocks form are added in 32 bits too, whatever the element.
    const int math = products == Products::Tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH;
    check("cublasSetMathMode",
          cublasSetMathMode(handle, static_cast<cublasMath_t>(
                                        math | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)));
    check("cublasSetSmCountTarget", cublasSetSmCountTarget(handle, multiprocessors));
}

Blas::~Blas() = default;

void Blas::abandon() noexcept
{
    static_cast<void>(m_handle.release());
    static_cast<void>(m_workspace.release());
}

void Blas::multiply(Type type, Factor a, Factor b, Product out)
{
    if (out.rows <= 0 || out.columns <= 0 || out.count <= 0)
        return;
    if (out.inner <= 0) {
        if (out.adds)
            return;
        const std::size_t element = out.type == Type::Float32 ? 4 : 2;
        for (int i = 0; i < out.count; ++i) {
            auto* const to =
                static_cast<char*>(out.data) + static_cast<std::size_t>(i * out.next) * element;
            check("cudaMemset2DAsync",
                  cudaMemset2DAsync(to, static_cast<std::size_t>(out.stride) * element, 0,
                                    static_cast<std::size_t>(out.columns) * element,
                                    static_cast<std::size_t>(out.rows), m_stream));
        }
        return;
    }
    // Rows here are columns to cuBLAS: it sees every matrix transposed, and (a · b)ᵀ = bᵀ · aᵀ.
    const auto way = [](const Factor& factor) {
        return factor.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    };
    const float one = 1;
    const float kept = out.adds ? 1 : 0;
    const cudaDataType_t in = typeOf(type);
    const int m = size(out.columns);
    const int n = size(out.rows);
    const int k = size(out.inner);
    if (out.count == 1) {
        check("cublasGemmEx", cublasGemmEx(m_handle.get(), way(b), way(a), m, n, k, &one, b.data,
                                           in, size(b.stride), a.data, in, size(a.stride), &kept,
                                           out.data, typeOf(out.type), size(out.stride),
                                           CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
        return;
    }
    check("cublasGemmStridedBatchedEx",
          cublasGemmStridedBatchedEx(m_handle.get(), way(b), way(a), m, n, k, &one, b.data, in,
                                     size(b.stride), b.next, a.data, in, size(a.stride), a.next,
                                     &kept, out.data, typeOf(out.type), size(out.stride), out.next,
                                     out.count, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

} // namespace pw::exec::cuda
