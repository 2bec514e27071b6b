/* The support routines of code generation, from which the .mlir files beside this one are made:
 *
 *   clang -x c --target=nvptx64-nvidia-cuda -O1 -fno-vectorize -fno-slp-vectorize -S -emit-llvm
 *         routines.c -o - | mlir-translate --import-llvm
 *
 * Nothing here may need a routine itself: no division of 128-bit integers, no fmod.
 */

typedef unsigned __int128 u128;
typedef __int128 s128;
typedef unsigned long long u64;
typedef unsigned u32;

static inline int leading_zeros(u128 x) {
    u64 high = (u64)(x >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((u64)x);
}

/* Division bit by bit, from the highest bit that the quotient can have. */
static inline u128 divide(u128 dividend, u128 divisor, u128 *remainder) {
    if (((dividend | divisor) >> 64) == 0) {
        u64 a = (u64)dividend, b = (u64)divisor, quotient = a / b;
        *remainder = a - quotient * b;
        return quotient;
    }
    if (divisor > dividend) {
        *remainder = dividend;
        return 0;
    }
    int shift = leading_zeros(divisor) - leading_zeros(dividend);
    u128 quotient = 0;
    divisor <<= shift;
    for (;;) {
        quotient <<= 1;
        if (dividend >= divisor) {
            dividend -= divisor;
            quotient |= 1;
        }
        if (shift == 0)
            break;
        divisor >>= 1;
        shift--;
    }
    *remainder = dividend;
    return quotient;
}

static inline u128 magnitude(s128 x) { return x < 0 ? -(u128)x : (u128)x; }

u128 udiv128(u128 a, u128 b) {
    u128 remainder;
    return divide(a, b, &remainder);
}

u128 urem128(u128 a, u128 b) {
    u128 remainder;
    divide(a, b, &remainder);
    return remainder;
}

s128 sdiv128(s128 a, s128 b) {
    u128 remainder;
    u128 quotient = divide(magnitude(a), magnitude(b), &remainder);
    return (a ^ b) < 0 ? (s128)-quotient : (s128)quotient;
}

s128 srem128(s128 a, s128 b) {
    u128 remainder;
    divide(magnitude(a), magnitude(b), &remainder);
    return a < 0 ? (s128)-remainder : (s128)remainder;
}

/* The top 64 bits, the lowest of them set if any bit below is, round as the whole number does;
 * the power of two that was taken out goes back in exactly. */
static inline float to_float(u128 x) {
    if (x == 0)
        return 0;
    int zeros = leading_zeros(x);
    x <<= zeros;
    u64 top = (u64)(x >> 64);
    if ((u64)x)
        top |= 1;
    u32 exponent = (u32)(127 + 64 - zeros) << 23;
    float scale;
    __builtin_memcpy(&scale, &exponent, 4);
    return (float)top * scale;
}

static inline double to_double(u128 x) {
    if (x == 0)
        return 0;
    int zeros = leading_zeros(x);
    x <<= zeros;
    u64 top = (u64)(x >> 64);
    if ((u64)x)
        top |= 1;
    u64 exponent = (u64)(1023 + 64 - zeros) << 52;
    double scale;
    __builtin_memcpy(&scale, &exponent, 8);
    return (double)top * scale;
}

float u128_to_f32(u128 x) { return to_float(x); }

double u128_to_f64(u128 x) { return to_double(x); }

float s128_to_f32(s128 x) {
    float size = to_float(magnitude(x));
    return x < 0 ? -size : size;
}

double s128_to_f64(s128 x) {
    double size = to_double(magnitude(x));
    return x < 0 ? -size : size;
}

static inline u128 from_double(double x) {
    u64 bits;
    __builtin_memcpy(&bits, &x, 8);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
    u64 mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
    if (exponent < -53)
        return 0;
    if (exponent < 0)
        return mantissa >> -exponent;
    if (exponent > 75)
        return 0;
    return (u128)mantissa << exponent;
}

u128 f64_to_u128(double x) { return from_double(x); }

s128 f64_to_s128(double x) {
    u128 size = from_double(x);
    return x < 0 ? (s128)-size : (s128)size;
}

/* The remainder of the mantissas, taken as many bits at a time as have room, is exact. */
float fmod32(float x, float y) {
    const u32 infinity = 0x7f800000u, hidden = 0x800000u;
    u32 a, b, result;
    __builtin_memcpy(&a, &x, 4);
    __builtin_memcpy(&b, &y, 4);
    u32 sign = a & 0x80000000u;
    a &= 0x7fffffffu;
    b &= 0x7fffffffu;
    if (b == 0 || a >= infinity || b > infinity) {
        result = 0x7fffffffu;
        sign = 0;
    } else if (a < b) {
        result = a;
    } else {
        int exponent_a = (int)(a >> 23), exponent_b = (int)(b >> 23);
        a &= hidden - 1;
        b &= hidden - 1;
        if (exponent_a)
            a |= hidden;
        else
            exponent_a = 1;
        if (exponent_b)
            b |= hidden;
        else
            exponent_b = 1;
        int left = exponent_a - exponent_b;
        a %= b;
        while (left > 0 && a) {
            int step = left < 8 ? left : 8;
            a = (a << step) % b;
            left -= step;
        }
        result = 0;
        if (a) {
            int shift = __builtin_clz(a) - 8;
            if (shift > exponent_b - 1)
                shift = exponent_b - 1;
            a <<= shift;
            exponent_b -= shift;
            result = a & hidden ? (a & (hidden - 1)) | (u32)exponent_b << 23 : a;
        }
    }
    result |= sign;
    float made;
    __builtin_memcpy(&made, &result, 4);
    return made;
}

double fmod64(double x, double y) {
    const u64 infinity = 0x7ff0000000000000ull, hidden = 0x10000000000000ull;
    u64 a, b, result;
    __builtin_memcpy(&a, &x, 8);
    __builtin_memcpy(&b, &y, 8);
    u64 sign = a & 0x8000000000000000ull;
    a &= 0x7fffffffffffffffull;
    b &= 0x7fffffffffffffffull;
    if (b == 0 || a >= infinity || b > infinity) {
        result = 0x7ff8000000000000ull;
        sign = 0;
    } else if (a < b) {
        result = a;
    } else {
        int exponent_a = (int)(a >> 52), exponent_b = (int)(b >> 52);
        a &= hidden - 1;
        b &= hidden - 1;
        if (exponent_a)
            a |= hidden;
        else
            exponent_a = 1;
        if (exponent_b)
            b |= hidden;
        else
            exponent_b = 1;
        int left = exponent_a - exponent_b;
        a %= b;
        while (left > 0 && a) {
            int step = left < 11 ? left : 11;
            a = (a << step) % b;
            left -= step;
        }
        result = 0;
        if (a) {
            int shift = __builtin_clzll(a) - 11;
            if (shift > exponent_b - 1)
                shift = exponent_b - 1;
            a <<= shift;
            exponent_b -= shift;
            result = a & hidden ? (a & (hidden - 1)) | (u64)exponent_b << 52 : a;
        }
    }
    result |= sign;
    double made;
    __builtin_memcpy(&made, &result, 8);
    return made;
}
