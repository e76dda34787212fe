// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/everywhere.cuh"

namespace pw::exec::cuda {

namespace {

template<typename From, typename To, int Lanes>
struct Convert
{
    static constexpr int lanes = Lanes;
    Rows<From> from;
    Rows<To> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float value[Lanes];
        load<Lanes>(from.at(row, column), value);
        store<Lanes>(out.at(row, column), value);
    }
};

template<typename T, int Lanes>
struct AddTwo
{
    static constexpr int lanes = Lanes;
    Rows<T> a;
    Rows<T> b;
    Rows<T> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float left[Lanes];
        float right[Lanes];
        load<Lanes>(a.at(row, column), left);
        load<Lanes>(b.at(row, column), right);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            left[i] += right[i];
        store<Lanes>(out.at(row, column), left);
    }
};

template<typename T, int Lanes>
struct AddBias
{
    static constexpr int lanes = Lanes;
    Rows<T> x;
    const float* bias;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float value[Lanes];
        float added[Lanes];
        load<Lanes>(x.at(row, column), value);
        load<Lanes>(bias + column, added);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            value[i] += added[i];
        store<Lanes>(x.at(row, column), value);
    }
};

template<typename T, int Lanes>
struct Affine
{
    static constexpr int lanes = Lanes;
    Rows<T> normalized;
    const float* scale;
    const float* shift;
    Rows<T> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float value[Lanes];
        float factor[Lanes];
        float summand[Lanes];
        load<Lanes>(normalized.at(row, column), value);
        load<Lanes>(scale + column, factor);
        load<Lanes>(shift + column, summand);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            value[i] = value[i] * factor[i] + summand[i];
        store<Lanes>(out.at(row, column), value);
    }
};

// GELU in its tanh form, x/2 · (1 + tanh u) with u = √(2/π) · (x + 0.044715 x³): as
// (1 + tanh u) / 2 is 1 / (1 + e^−2u), nothing cancels where x is far below 0.
constexpr float geluRoot = 0.7978845608028654F;
constexpr float geluCube = 0.044715F;

__device__ inline float geluGate(float x)
{
    const float u = geluRoot * (x + geluCube * (x * x * x));
    return 1.0F / (1.0F + expf(-2.0F * u));
}

template<typename T, int Lanes>
struct Gelu
{
    static constexpr int lanes = Lanes;
    Rows<T> x;
    Rows<T> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float value[Lanes];
        load<Lanes>(x.at(row, column), value);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            value[i] *= geluGate(value[i]);
        store<Lanes>(out.at(row, column), value);
    }
};

/// What follows a product in one go: bits are those of one after the other.
template<typename T, int Lanes>
struct AddBiasAndGelu
{
    static constexpr int lanes = Lanes;
    Rows<T> x;
    const float* bias;
    Rows<T> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float value[Lanes];
        float added[Lanes];
        load<Lanes>(x.at(row, column), value);
        load<Lanes>(bias + column, added);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            value[i] = roundedTo<T>(value[i] + added[i]);
        store<Lanes>(x.at(row, column), value);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            value[i] *= geluGate(value[i]);
        store<Lanes>(out.at(row, column), value);
    }
};

template<typename T, int Lanes>
struct AddBiasAndResidual
{
    static constexpr int lanes = Lanes;
    Rows<T> x;
    const float* bias;
    Rows<T> residual;
    Rows<T> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float value[Lanes];
        float added[Lanes];
        float kept[Lanes];
        load<Lanes>(x.at(row, column), value);
        load<Lanes>(bias + column, added);
        load<Lanes>(residual.at(row, column), kept);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            kept[i] += roundedTo<T>(value[i] + added[i]);
        store<Lanes>(out.at(row, column), kept);
    }
};

template<typename T, int Lanes>
struct GeluBackward
{
    static constexpr int lanes = Lanes;
    Rows<T> gradient;
    Rows<T> x;
    Rows<T> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float slope[Lanes];
        float value[Lanes];
        load<Lanes>(gradient.at(row, column), slope);
        load<Lanes>(x.at(row, column), value);
#pragma unroll
        for (int i = 0; i < Lanes; ++i) {
            const float v = value[i];
            const float gate = geluGate(v);
            const float inner = geluRoot * (1.0F + 3.0F * geluCube * (v * v));
            slope[i] *= gate + 2.0F * v * gate * (1.0F - gate) * inner;
        }
        store<Lanes>(out.at(row, column), slope);
    }
};

/// First weights: what random.h says for the host, to the bit.
struct Drawn
{
    static constexpr int lanes = 1;
    float* out;
    std::uint64_t key;
    float deviation;

    __device__ static std::uint64_t scrambled(std::uint64_t x)
    {
        x += 0x9e3779b97f4a7c15U;
        x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31U);
    }
    __device__ void operator()(std::int64_t /*row*/, std::int64_t column) const
    {
        constexpr float unit = 1.7320508F / 65536.0F;
        const std::uint64_t word = scrambled(key + static_cast<std::uint64_t>(column));
        const auto sum = static_cast<int>((word & 0xffffU) + ((word >> 16U) & 0xffffU) +
                                          ((word >> 32U) & 0xffffU) + (word >> 48U));
        out[column] = deviation * (static_cast<float>(sum - 2 * 0xffff) * unit);
    }
};

struct ScaledBy
{
    static constexpr int lanes = 1;
    float* x;
    double factor;

    __device__ void operator()(std::int64_t, std::int64_t at) const
    {
        x[at] = static_cast<float>(static_cast<double>(x[at]) * factor);
    }
};

/// Numbers that one block sums.
constexpr std::int64_t squaresOfPart = std::int64_t{1} << 16;

__global__ void __launch_bounds__(blockThreads)
    sumSquares(const float* x, std::int64_t count, double* parts)
{
    __shared__ double ofThread[blockThreads];
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * squaresOfPart;
    const std::int64_t end = begin + squaresOfPart < count ? begin + squaresOfPart : count;
    double sum = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += blockThreads)
        sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    ofThread[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned width = blockThreads / 2; width > 0; width /= 2) {
        if (threadIdx.x < width)
            ofThread[threadIdx.x] += ofThread[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        parts[blockIdx.x] = ofThread[0];
}

} // namespace

void launchToFloat(View from, FloatView out, cudaStream_t stream)
{
    if (empty(from))
        return;
    View floats = viewOf(out);
    flatten(from, floats);
    const bool wideRows = wide(from) && dividedBy16(out.data);
    if (from.type == Type::Float32 && wideRows)
        launchEverywhere(from.rows, from.columns, Convert<float, float, 4>{from, floats}, stream);
    else if (from.type == Type::Float32)
        launchEverywhere(from.rows, from.columns, Convert<float, float, 1>{from, floats}, stream);
    else if (wideRows)
        launchEverywhere(from.rows, from.columns, Convert<__nv_bfloat16, float, 8>{from, floats},
                         stream);
    else
        launchEverywhere(from.rows, from.columns, Convert<__nv_bfloat16, float, 1>{from, floats},
                         stream);
}

void launchFromFloat(FloatView from, View out, cudaStream_t stream)
{
    if (empty(out))
        return;
    View floats = viewOf(from);
    flatten(out, floats);
    const bool wideRows = wide(out) && dividedBy16(from.data);
    if (out.type == Type::Float32 && wideRows)
        launchEverywhere(out.rows, out.columns, Convert<float, float, 4>{floats, out}, stream);
    else if (out.type == Type::Float32)
        launchEverywhere(out.rows, out.columns, Convert<float, float, 1>{floats, out}, stream);
    else if (wideRows)
        launchEverywhere(out.rows, out.columns, Convert<float, __nv_bfloat16, 8>{floats, out},
                         stream);
    else
        launchEverywhere(out.rows, out.columns, Convert<float, __nv_bfloat16, 1>{floats, out},
                         stream);
}

void launchAdd(View a, View b, View out, cudaStream_t stream)
{
    if (empty(out))
        return;
    flatten(a, b, out);
    launchTyped<AddTwo>(out.type, wide(a) && wide(b) && wide(out), out.rows, out.columns, stream, a,
                        b, out);
}

void launchAddBias(View x, const float* bias, cudaStream_t stream)
{
    if (empty(x))
        return;
    launchTyped<AddBias>(x.type, wide(x) && dividedBy16(bias), x.rows, x.columns, stream, x, bias);
}

void launchAddBiasAndResidual(View x, const float* bias, View residual, View out,
                              cudaStream_t stream)
{
    if (empty(out))
        return;
    const bool wideRows = wide(x) && wide(residual) && wide(out) && dividedBy16(bias);
    launchTyped<AddBiasAndResidual>(out.type, wideRows, out.rows, out.columns, stream, x, bias,
                                    residual, out);
}

void launchAddBiasAndGelu(View x, const float* bias, View out, cudaStream_t stream)
{
    if (empty(out))
        return;
    launchTyped<AddBiasAndGelu>(out.type, wide(x) && wide(out) && dividedBy16(bias), out.rows,
                                out.columns, stream, x, bias, out);
}

void launchAffine(View normalized, const float* scale, const float* shift, View out,
                  cudaStream_t stream)
{
    if (empty(out))
        return;
    const bool wideRows = wide(normalized) && wide(out) && dividedBy16(scale) && dividedBy16(shift);
    launchTyped<Affine>(out.type, wideRows, out.rows, out.columns, stream, normalized, scale, shift,
                        out);
}

void launchGelu(View x, View out, cudaStream_t stream)
{
    if (empty(out))
        return;
    flatten(x, out);
    launchTyped<Gelu>(out.type, wide(x) && wide(out), out.rows, out.columns, stream, x, out);
}

void launchGeluBackward(View gradient, View x, View out, cudaStream_t stream)
{
    if (empty(out))
        return;
    flatten(gradient, x, out);
    launchTyped<GeluBackward>(out.type, wide(gradient) && wide(x) && wide(out), out.rows,
                              out.columns, stream, gradient, x, out);
}

void launchAddFloats(const float* in, float* out, std::int64_t count, cudaStream_t stream)
{
    const View from{const_cast<float*>(in), 1, count, count, Type::Float32};
    const View to{out, 1, count, count, Type::Float32};
    launchAdd(to, from, to, stream);
}

void launchDraw(float* out, std::int64_t count, std::uint64_t key, float deviation,
                cudaStream_t stream)
{
    if (count > 0)
        launchEverywhere(1, count, Drawn{out, key, deviation}, stream);
}

void launchScale(float* x, double factor, std::int64_t count, cudaStream_t stream)
{
    if (count > 0)
        launchEverywhere(1, count, ScaledBy{x, factor}, stream);
}

std::int64_t squareParts(std::int64_t count)
{
    return ceilDivide(count, squaresOfPart);
}

void launchSquares(const float* x, std::int64_t count, double* parts, cudaStream_t stream)
{
    if (count > 0)
        sumSquares<<<static_cast<unsigned>(squareParts(count)), blockThreads, 0, stream>>>(x, count,
                                                                                           parts);
}

} // namespace pw::exec::cuda
