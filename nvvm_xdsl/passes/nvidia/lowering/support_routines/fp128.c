/* Arithmetic on 128-bit floats held as integers (`soften-fp128`), made as routines.c says. Sums, products, quotients, roots and
 * conversions are rounded to nearest even; there are no other modes, flags or traps.
 */

typedef unsigned __int128 u128;
typedef __int128 s128;
typedef unsigned long long u64;
typedef unsigned u32;

/* binary128: sign, 15 bits of exponent, 112 of fraction (IEEE 754). A number is its significand with the leading one at bit
 * 112 times two to the power of an exponent; subnormals are brought to that form. Sums, products
 * and quotients come with three more bits below (guard, round, sticky), from which they are rounded to nearest even. */

#define FRACTION 112
#define BIAS 16383
#define TOP 0x7fff
#define ONE ((u128)1)
#define LEADING (ONE << FRACTION)
#define SIGN (ONE << 127)
#define INFINITY_BITS ((u128)TOP << FRACTION)
#define QUIET (ONE << 111)
#define NAN_BITS (INFINITY_BITS | QUIET)

static inline int leading_zeros(u128 x) {
    u64 high = (u64)(x >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((u64)x);
}
static inline int is_nan(u128 x) { return (x & ~SIGN) > INFINITY_BITS; }
static inline int exponent_of(u128 x) { return (int)(x >> FRACTION) & TOP; }

/* The significand of a number that is neither zero nor infinite, and its biased exponent, which may be below 1. */
static inline u128 significand(u128 x, int *exponent) {
    u128 fraction = x & (LEADING - 1);
    *exponent = exponent_of(x);
    if (*exponent)
        return fraction | LEADING;
    int shift = leading_zeros(fraction) - 15;
    *exponent = 1 - shift;
    return fraction << shift;
}

/* x shifted right, bits that are lost kept as one sticky bit. */
static inline u128 shift_sticky(u128 x, int by) {
    if (by == 0)
        return x;
    if (by > 127)
        return x != 0;
    return x >> by | ((x << (128 - by)) != 0);
}

/* A significand with three bits below it, its leading one at bit 115 or all zeros, as a number. */
static inline u128 rounded(u128 sign, int exponent, u128 wide) {
    if (exponent >= TOP)
        return sign | INFINITY_BITS;
    if (exponent < 1) {
        wide = shift_sticky(wide, 1 - exponent);
        exponent = 0;
    }
    u32 low = (u32)wide & 7;
    u128 bits = wide >> 3;
    /* A leading one counts the exponent up by itself. */
    bits += (u128)(exponent ? exponent - 1 : 0) << FRACTION;
    if (low > 4 || (low == 4 && (bits & 1)))
        bits++;
    return sign | bits;
}

u128 f128_add(u128 a, u128 b) {
    if (is_nan(a))
        return a | QUIET;
    if (is_nan(b))
        return b | QUIET;
    u128 x = a & ~SIGN, y = b & ~SIGN;
    if (x < y) {
        u128 t = a; a = b; b = t;
        t = x; x = y; y = t;
    }
    u128 sign = a & SIGN;
    if (x == INFINITY_BITS)
        return y == INFINITY_BITS && a != b ? NAN_BITS : a;
    if (y == 0)
        return x == 0 ? a & b : a;
    int ex, ey;
    u128 mx = significand(x, &ex) << 3, my = significand(y, &ey) << 3;
    my = shift_sticky(my, ex - ey);
    if ((a ^ b) & SIGN) {
        mx -= my;
        if (mx == 0)
            return 0;
        int shift = leading_zeros(mx) - 12;
        mx <<= shift;
        ex -= shift;
    } else {
        mx += my;
        if (mx >> 116) {
            mx = shift_sticky(mx, 1);
            ex++;
        }
    }
    return rounded(sign, ex, mx);
}

/* The product of two significands, its leading one at bit 115 or 116, lost bits kept as one sticky bit. */
static inline u128 product(u128 a, u128 b) {
    u64 a0 = (u64)a, a1 = (u64)(a >> 64), b0 = (u64)b, b1 = (u64)(b >> 64);
    u128 low = (u128)a0 * b0, m1 = (u128)a1 * b0, m2 = (u128)a0 * b1, high = (u128)a1 * b1;
    u128 middle = (low >> 64) + (u64)m1 + (u64)m2;
    high += (m1 >> 64) + (m2 >> 64) + (middle >> 64);
    low = middle << 64 | (u64)low;
    /* 225 or 226 bits: the leading one is at bit 224 or 225 and comes to 115 or 116. */
    return high << 19 | low >> 109 | ((low << 19) != 0);
}

u128 f128_mul(u128 a, u128 b) {
    u128 sign = (a ^ b) & SIGN, x = a & ~SIGN, y = b & ~SIGN;
    if (is_nan(a))
        return a | QUIET;
    if (is_nan(b))
        return b | QUIET;
    if (x == INFINITY_BITS || y == INFINITY_BITS)
        return x && y ? sign | INFINITY_BITS : NAN_BITS;
    if (x == 0 || y == 0)
        return sign;
    int ex, ey;
    u128 m = product(significand(x, &ex), significand(y, &ey));
    int exponent = ex + ey - BIAS;
    if (m >> 116) {
        m = shift_sticky(m, 1);
        exponent++;
    }
    return rounded(sign, exponent, m);
}

u128 f128_div(u128 a, u128 b) {
    u128 sign = (a ^ b) & SIGN, x = a & ~SIGN, y = b & ~SIGN;
    if (is_nan(a))
        return a | QUIET;
    if (is_nan(b))
        return b | QUIET;
    if (x == INFINITY_BITS)
        return y == INFINITY_BITS ? NAN_BITS : sign | INFINITY_BITS;
    if (y == INFINITY_BITS)
        return sign;
    if (y == 0)
        return x == 0 ? NAN_BITS : sign | INFINITY_BITS;
    if (x == 0)
        return sign;
    int ex, ey;
    u128 rest = significand(x, &ex), divisor = significand(y, &ey), quotient = 0;
    int exponent = ex - ey + BIAS;
    if (rest < divisor) {
        rest <<= 1;
        exponent--;
    }
    for (int i = 0; i < 116; i++) {
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
        rest <<= 1;
    }
    return rounded(sign, exponent, quotient | (rest != 0));
}

u128 f128_rem(u128 a, u128 b) {
    u128 sign = a & SIGN, x = a & ~SIGN, y = b & ~SIGN;
    if (is_nan(a))
        return a | QUIET;
    if (is_nan(b))
        return b | QUIET;
    if (x == INFINITY_BITS || y == 0)
        return NAN_BITS;
    if (y == INFINITY_BITS || x < y)
        return a;
    if (x == 0)
        return a;
    int ex, ey;
    u128 rest = significand(x, &ex), divisor = significand(y, &ey);
    for (int i = ex - ey; i > 0; i--) {
        if (rest >= divisor)
            rest -= divisor;
        rest <<= 1;
    }
    if (rest >= divisor)
        rest -= divisor;
    if (rest == 0)
        return sign;
    int shift = leading_zeros(rest) - 15;
    return rounded(sign, ey - shift, rest << shift << 3);
}

u128 f128_sqrt(u128 a) {
    if (is_nan(a))
        return a | QUIET;
    if ((a & ~SIGN) == 0)
        return a;
    if (a & SIGN)
        return NAN_BITS;
    if (a == INFINITY_BITS)
        return a;
    int exponent;
    u128 m = significand(a, &exponent);
    exponent -= BIAS;
    if (exponent & 1) {
        m <<= 1;
        exponent--;
    }
    /* Bit by bit: the root of m * 2^118 has its leading one at bit 115. */
    u128 root = 0, rest = 0;
    for (int i = 115; i >= 0; i--) {
        /* The next two bits of m * 2^118: bit 2i and 2i + 1. */
        int at = 2 * i - 118;
        u32 two = at >= 0 ? (u32)(m >> at) & 3 : 0;
        rest = rest << 2 | two;
        u128 trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    return rounded(0, exponent / 2 + BIAS, root | (rest != 0));
}

/* -1, 0 and 1 for less, equal and greater, 2 for unordered. */
u32 f128_cmp(u128 a, u128 b) {
    if (is_nan(a) || is_nan(b))
        return 2;
    if (((a | b) & ~SIGN) == 0 || a == b)
        return 0;
    s128 x = (s128)a, y = (s128)b;
    int less = x < 0 && y < 0 ? a > b : x < y;
    return less ? (u32)-1 : 1;
}

u128 f64_to_f128(double value) {
    u64 bits;
    __builtin_memcpy(&bits, &value, 8);
    u128 sign = (u128)(bits >> 63) << 127;
    u64 fraction = bits & 0xfffffffffffffull;
    int exponent = (int)(bits >> 52) & 0x7ff;
    if (exponent == 0x7ff)
        return sign | INFINITY_BITS | (u128)fraction << 60 | (fraction ? QUIET : 0);
    if (exponent == 0) {
        if (fraction == 0)
            return sign;
        int shift = __builtin_clzll(fraction) - 11;
        fraction = (fraction << shift) & 0xfffffffffffffull;
        exponent = 1 - shift;
    }
    return sign | (u128)(exponent - 1023 + BIAS) << FRACTION | (u128)fraction << 60;
}

/* To a double; where `odd`, lost bits make the last one 1, so that what is rounded again to fewer digits is rounded once. */
static inline double narrowed(u128 a, int odd) {
    u64 sign = (u64)(a >> 127) << 63, bits;
    u128 x = a & ~SIGN;
    int exponent = exponent_of(a) - BIAS + 1023;
    u128 fraction = x & (LEADING - 1);
    if (x > INFINITY_BITS) {
        bits = 0x7ff8000000000000ull | (u64)(fraction >> 60);
    } else if (x == INFINITY_BITS) {
        bits = 0x7ffull << 52;
    } else if (exponent >= 0x7ff) {
        bits = (0x7ffull << 52) - odd;
    } else {
        u128 m = fraction;
        if (exponent_of(a))
            m |= LEADING;
        if (exponent < 1) {
            m = shift_sticky(m, 1 - exponent);
            exponent = 0;
        }
        u64 lost = (u64)m << 4 >> 4;
        bits = (u64)(m >> 60) + ((u64)(exponent ? exponent - 1 : 0) << 52);
        if (odd)
            bits |= lost != 0;
        else if (lost > 1ull << 59 || (lost == 1ull << 59 && (bits & 1)))
            bits++;
    }
    bits |= sign;
    double made;
    __builtin_memcpy(&made, &bits, 8);
    return made;
}

double f128_to_f64(u128 a) { return narrowed(a, 0); }
double f128_to_f64_odd(u128 a) { return narrowed(a, 1); }

static inline u128 from_magnitude(u128 sign, u128 x) {
    if (x == 0)
        return 0;
    int shift = leading_zeros(x) - 12;
    int exponent = BIAS + 115 - shift;
    x = shift >= 0 ? x << shift : shift_sticky(x, -shift);
    return rounded(sign, exponent, x);
}
u128 u128_to_f128(u128 x) { return from_magnitude(0, x); }
u128 s128_to_f128(s128 x) { return from_magnitude(x < 0 ? SIGN : 0, x < 0 ? -(u128)x : (u128)x); }

static inline u128 truncated(u128 a) {
    int shift = exponent_of(a) - BIAS - FRACTION;
    u128 m = (a & (LEADING - 1)) | LEADING;
    if (shift >= 0)
        return shift < 16 ? m << shift : 0;
    return shift < -FRACTION ? 0 : m >> -shift;
}
u128 f128_to_s128(u128 a) { return (s128)a < 0 ? -truncated(a) : truncated(a); }
