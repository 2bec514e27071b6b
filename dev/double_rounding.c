/* Checks for all operands of a small floating-point format that a result that is first rounded to
   `float` and then to the format is the correctly rounded result.

       double_rounding FORMAT OP WIDE STEP

   FORMAT is f16 or bf16, OP is fadd, fmul, fdiv or fsqrt, WIDE the number of significant bits of the
   first rounding (24 for float), STEP the distance of tried first operands (1 for all). Negation of both
   operands, or of one factor, negates all results, so that fewer signs are tried; fsub is fadd with a
   negated operand. NaN and infinities do not depend on rounding and are left out; overflow is not.
   Prints the number of wrong results.

   An exact result is an integer times a power of two, and whether a smaller rest follows. All rounding
   is done on these integers. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t digits; /* the leading digits of the magnitude */
    int exponent;    /* of the last digit */
    int rest;        /* whether a nonzero rest below the last digit follows */
} Exact;

typedef struct {
    int precision;  /* number of significant bits */
    int least;      /* exponent of the last digit of subnormal numbers */
    int greatest;   /* exponent of the last digit of the largest number */
} Format;

static const Format FLOAT = {24, -149, 104};
static Format small;
static int most; /* number of finite nonnegative numbers */

/* Rounds to nearest, ties to even. An overflow has the exponent INT32_MAX. */
static Exact rounded(Exact x, const Format *f) {
    Exact r = {0, f->least, 0};
    if (x.digits == 0 && !x.rest)
        return r;
    int length = x.digits ? 64 - __builtin_clzll(x.digits) : 0;
    int last = x.exponent + length - f->precision;
    if (last < f->least)
        last = f->least;
    int shift = last - x.exponent;
    if (shift <= 0) {
        /* An exact number; numbers with a rest have more digits than the format. */
        if (x.rest)
            abort();
        r.digits = x.digits;
        r.exponent = x.exponent;
    } else if (shift > 63) {
        r.exponent = last;
    } else {
        uint64_t kept = x.digits >> shift, half = 1ull << (shift - 1);
        uint64_t low = x.digits & (2 * half - 1);
        kept += low > half || (low == half && (x.rest || (kept & 1)));
        r.digits = kept;
        r.exponent = last;
    }
    /* A carry adds a digit. It makes the number a power of two. */
    length = r.digits ? 64 - __builtin_clzll(r.digits) : 0;
    if (length && r.exponent + length > f->greatest + f->precision) {
        r.digits = 1;
        r.exponent = INT32_MAX;
    }
    return r;
}

static int same(Exact a, Exact b) {
    if (a.exponent == INT32_MAX || b.exponent == INT32_MAX)
        return a.exponent == b.exponent;
    if (a.digits == 0 || b.digits == 0)
        return a.digits == b.digits;
    int shift = a.exponent - b.exponent;
    if (shift >= 0)
        return shift < 64 - (64 - __builtin_clzll(a.digits)) + 1 && a.digits << shift == b.digits;
    return -shift < 64 - (64 - __builtin_clzll(b.digits)) + 1 && b.digits << -shift == a.digits;
}

static Exact number(int bits) {
    int fraction = small.precision - 1;
    int field = bits >> fraction, digits = bits & ((1 << fraction) - 1);
    Exact x = {digits, small.least, 0};
    if (field) {
        x.digits += 1u << fraction;
        x.exponent += field - 1;
    }
    return x;
}

/* The magnitude of the sum. A zero of either sign is exact in both ways. */
static Exact sum(Exact a, Exact b, int opposite) {
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.digits < b.digits)) {
        Exact c = a;
        a = b;
        b = c;
    }
    int apart = a.exponent - b.exponent;
    if (apart <= 50) {
        uint64_t high = a.digits << apart;
        Exact r = {high + b.digits, b.exponent, 0};
        if (opposite)
            r.digits = high > b.digits ? high - b.digits : b.digits - high;
        return r;
    }
    /* b is less than the last digit of the shifted number. */
    Exact r = {a.digits << 40, a.exponent - 40, b.digits != 0};
    if (opposite && b.digits)
        r.digits--;
    return r;
}

static Exact product(Exact a, Exact b) {
    Exact r = {a.digits * b.digits, a.exponent + b.exponent, 0};
    return r;
}

static Exact quotient(Exact a, Exact b) {
    uint64_t n = a.digits << 44;
    Exact r = {n / b.digits, a.exponent - b.exponent - 44, n % b.digits != 0};
    return r;
}

static Exact root(Exact a) {
    uint64_t n = a.digits << (a.exponent & 1) << 48, r = 0;
    for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
        if ((r | bit) * (r | bit) <= n)
            r |= bit;
    Exact found = {r, ((a.exponent - (a.exponent & 1)) - 48) / 2, r * r != n};
    return found;
}

static uint64_t wrong;

static void check(Exact x, const Format *wide) {
    Exact twice = rounded(x, wide);
    if (twice.exponent != INT32_MAX)
        twice = rounded(twice, &small);
    wrong += !same(rounded(x, &small), twice);
}

int main(int count, char **arguments) {
    if (count != 5)
        return 2;
    int half = !strcmp(arguments[1], "f16");
    small = half ? (Format){11, -24, 5} : (Format){8, -133, 120};
    most = half ? 0x7c00 : 0x7f80;
    Format wide = FLOAT;
    wide.precision = atoi(arguments[3]);
    int step = atoi(arguments[4]);
    const char *op = arguments[2];
    for (int i = 0; i < most; i += step) {
        Exact a = number(i);
        if (!strcmp(op, "fsqrt")) {
            check(root(a), &wide);
        } else if (!strcmp(op, "fadd")) {
            for (int j = 0; j <= i; j++) {
                check(sum(a, number(j), 0), &wide);
                check(sum(a, number(j), 1), &wide);
            }
        } else if (!strcmp(op, "fmul")) {
            for (int j = 0; j <= i; j++)
                check(product(a, number(j)), &wide);
        } else if (!strcmp(op, "fdiv")) {
            for (int j = 1; j < most; j++)
                check(quotient(a, number(j)), &wide);
        } else {
            return 2;
        }
    }
    printf("%llu\n", (unsigned long long)wrong);
    return 0;
}
