// The layers of an encoder on a graphics card; kernels.ptx is compiled from this by make_ptx.py.
//
// As on the CPU, every sum is taken in an order that does not depend on the batch: a text has the
// same numbers alone and among others. Nothing is used but plain arithmetic, so that the compiled
// text holds nobody else's code.

#define TILE 64  // rows and columns of the output that one block computes
#define STEP 16  // depth that is in shared memory at a time

enum Activation { NONE = 0, GELU = 1, GELU_TANH = 2, RELU = 3 };

// exp(x) to about one part in 10^7; the same steps as the CPU's.
__device__ float exponential(float x) {
    const float round = 12582912.0f;
    x = x < -87.3f ? -87.3f : x > 88.3f ? 88.3f : x;  // what is not a number stays so
    float shifted = fmaf(x, 1.44269504f, round);
    float whole = shifted - round;
    float rest = fmaf(whole, -0.6933594f, x);
    rest = fmaf(whole, 2.1219444e-4f, rest);
    float sum = 1.0f / 5040.0f;
    sum = fmaf(sum, rest, 1.0f / 720.0f);
    sum = fmaf(sum, rest, 1.0f / 120.0f);
    sum = fmaf(sum, rest, 1.0f / 24.0f);
    sum = fmaf(sum, rest, 1.0f / 6.0f);
    sum = fmaf(sum, rest, 0.5f);
    sum = fmaf(sum, rest, 1.0f);
    sum = fmaf(sum, rest, 1.0f);
    return sum * __int_as_float((__float_as_int(shifted) << 23) + (127 << 23));
}

// erf(x) to 1.5e-7: formula 7.1.26 of Abramowitz and Stegun.
__device__ float error_function(float x) {
    float size = x < 0.0f ? -x : x;
    float t = 1.0f / fmaf(size, 0.3275911f, 1.0f);
    float sum = 1.0614054f;
    sum = fmaf(sum, t, -1.453152f);
    sum = fmaf(sum, t, 1.4214138f);
    sum = fmaf(sum, t, -0.28449674f);
    sum = fmaf(sum, t, 0.2548296f);
    float value = fmaf(-sum * t, exponential(-size * size), 1.0f);
    return x < 0.0f ? -value : value;
}

// Not repeated for each of the sixteen numbers of a thread: it would be most of the compiled text.
__device__ __noinline__ float activate(float x, int activation) {
    if (activation == GELU) {
        float half = 0.5f * x;
        return fmaf(half, error_function(x * 0.70710678f), half);
    }
    if (activation == GELU_TANH) {
        float inner = 0.7978846f * fmaf(0.044715f * x * x, x, x);
        return x / (1.0f + exponential(-2.0f * inner));
    }
    if (activation == RELU) {
        return x > 0.0f ? x : 0.0f;
    }
    return x;
}

// output = activation(input * weights + bias): input is rows by depth, weights depth by columns.
// 256 threads; each computes four rows by four columns of the block's tile, the depth in order.
extern "C" __global__ void __launch_bounds__(256) linear(
    const float* input, const float* weights, const float* bias, float* output,
    int rows, int depth, int columns, int activation) {
    __shared__ __align__(16) float left[STEP][TILE + 4];
    __shared__ __align__(16) float right[STEP][TILE];
    long long first_row = (long long)blockIdx.x * TILE;
    int first_column = blockIdx.y * TILE;
    int own_row = threadIdx.x / 16 * 4, own_column = threadIdx.x % 16 * 4;
    float sums[4][4];
    for (int c = 0; c < 4; c++) {
        int column = first_column + own_column + c;
        float start = column < columns ? bias[column] : 0.0f;
        for (int r = 0; r < 4; r++) sums[r][c] = start;
    }
    for (int first = 0; first < depth; first += STEP) {
        for (int i = 0; i < 4; i++) {
            long long row = first_row + threadIdx.x / 4;
            int step = threadIdx.x % 4 * 4 + i;
            bool inside = row < rows && first + step < depth;
            left[step][threadIdx.x / 4] = inside ? input[row * depth + first + step] : 0.0f;
            int column = threadIdx.x % 16 * 4 + i;
            step = threadIdx.x / 16;
            inside = first_column + column < columns && first + step < depth;
            right[step][column] =
                inside ? weights[(long long)(first + step) * columns + first_column + column] : 0.0f;
        }
        __syncthreads();
        #pragma unroll
        for (int step = 0; step < STEP; step++) {
            float4 a = *(const float4*)&left[step][own_row];
            float4 b = *(const float4*)&right[step][own_column];
            float rows_of[4] = {a.x, a.y, a.z, a.w}, columns_of[4] = {b.x, b.y, b.z, b.w};
            #pragma unroll
            for (int r = 0; r < 4; r++)
                #pragma unroll
                for (int c = 0; c < 4; c++) sums[r][c] = fmaf(rows_of[r], columns_of[c], sums[r][c]);
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) {
        long long row = first_row + own_row + r;
        for (int c = 0; c < 4; c++) {
            int column = first_column + own_column + c;
            if (row < rows && column < columns)
                output[row * columns + column] = activate(sums[r][c], activation);
        }
    }
}

// The sum (or the largest) over the 128 threads of a block, known to all of them.
__device__ float over_block(float value, bool largest, float* shared) {
    for (int distance = 16; distance > 0; distance /= 2) {
        float other = __shfl_xor_sync(0xffffffff, value, distance);
        value = largest ? (other > value ? other : value) : value + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    value = shared[0];
    for (int i = 1; i < 4; i++)
        value = largest ? (shared[i] > value ? shared[i] : value) : value + shared[i];
    return value;
}

// values = norm(values + more), one row per block of 128 threads.
extern "C" __global__ void __launch_bounds__(128) add_and_norm(
    float* values, const float* more, const float* weight, const float* bias, int hidden, float epsilon) {
    __shared__ float shared[4];
    values += (long long)blockIdx.x * hidden;
    more += (long long)blockIdx.x * hidden;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < hidden; i += 128) {
        values[i] += more[i];
        sum += values[i];
    }
    float mean = over_block(sum, false, shared) / hidden;
    sum = 0.0f;
    for (int i = threadIdx.x; i < hidden; i += 128) sum += (values[i] - mean) * (values[i] - mean);
    float scale = 1.0f / sqrtf(over_block(sum, false, shared) / hidden + epsilon);
    for (int i = threadIdx.x; i < hidden; i += 128)
        values[i] = fmaf((values[i] - mean) * scale, weight[i], bias[i]);
}

// Attention of one query in one head per block of 128 threads. projected holds query, key and value
// of each token side by side; spans the first token and the length of each token's sequence.
//
// position_keys and position_queries (DeBERTa; either may be absent) are heads by depth by
// distances, and places says at `farthest + distance` which of those stands for a distance.
// Shared memory: the scores of the longest sequence, the query, and 128 numbers.
extern "C" __global__ void __launch_bounds__(128) attend(
    const float* projected, const int* spans, float* context, int hidden, int depth, float scale,
    int longest, const float* position_keys, const float* position_queries, const int* places,
    int distances, int farthest) {
    extern __shared__ float memory[];
    __shared__ float shared[4];
    float *scores = memory, *query = memory + longest, *parts = query + depth;
    int token = blockIdx.x, head = blockIdx.y;
    int first = spans[2 * token], length = spans[2 * token + 1];
    long long stride = 3LL * hidden;
    const float* sequence = projected + first * stride + head * depth;
    for (int i = threadIdx.x; i < depth; i += 128)
        query[i] = sequence[(token - first) * stride + i];
    __syncthreads();
    long long own_positions = (long long)head * depth * distances;
    float largest = -__int_as_float(0x7f800000);
    for (int key = threadIdx.x; key < length; key += 128) {
        const float* its = sequence + key * stride + hidden;
        float score = 0.0f;
        for (int i = 0; i < depth; i++) score = fmaf(query[i], its[i], score);
        if (position_keys || position_queries) {
            int place = places[farthest + (token - first) - key];
            float met = 0.0f;
            if (position_keys)
                for (int i = 0; i < depth; i++)
                    met = fmaf(query[i], position_keys[own_positions + (long long)i * distances + place], met);
            score += met;
            met = 0.0f;
            if (position_queries)
                for (int i = 0; i < depth; i++)
                    met = fmaf(its[i], position_queries[own_positions + (long long)i * distances + place], met);
            score += met;
        }
        scores[key] = score;
        largest = score > largest ? score : largest;
    }
    largest = over_block(largest, true, shared);
    float sum = 0.0f;
    for (int key = threadIdx.x; key < length; key += 128) {
        scores[key] = exponential((scores[key] - largest) * scale);
        sum += scores[key];
    }
    // Also waits until all scores are written.
    float share = 1.0f / over_block(sum, false, shared);
    // Threads that a narrow head leaves idle take every second, third.. key.
    int groups = depth < 128 ? 128 / depth : 1;
    for (int start = 0; start < depth; start += 128) {
        int group = threadIdx.x / depth, column = start + threadIdx.x % depth;
        if (groups == 1) {
            group = 0;
            column = start + threadIdx.x;
        }
        float value = 0.0f;
        if (group < groups && column < depth) {
            const float* values = sequence + 2LL * hidden + column;
            for (int key = group; key < length; key += groups)
                value = fmaf(scores[key], values[key * stride], value);
        }
        parts[threadIdx.x] = value;
        __syncthreads();
        if (group == 0 && column < depth) {
            for (int other = 1; other < groups; other++) value += parts[threadIdx.x + other * depth];
            context[(long long)token * hidden + head * depth + column] = value * share;
        }
        __syncthreads();
    }
}
