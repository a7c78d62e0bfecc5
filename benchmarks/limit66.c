/* Part of cardsim, written for it as its yardstick; the same licence (LICENSE in the checkout). */
/* limit66.c - the "physical limit" for a Sixty-Six core: uniformly random playouts, one core.
 *
 * Rules played: 24 cards (9 J Q K 10 A), 6-card hands, face-up trump under a 12-card talon.
 * The leader may exchange the trump nine or close the talon while >= 4 talon cards are left, and
 * may declare a marriage (20, trumps 40) as an action of its own that leads the queen. Talon open:
 * any card may be played; talon closed or empty: follow suit and win if possible, else trump, else
 * anything. Last trick +10 unless closed. Nobody claims: play to the end, then count points;
 * marriages count only for a player who took a trick. One decision = one uniform pick among the
 * legal actions (an exchange and a closing each count as one; a forced move counts too).
 *
 * Build: gcc -O3 -march=native -o limit66 limit66.c      (-DPDEP: pick the k-th bit with pdep)
 * Run:   ./limit66 [hands per repetition] [repetitions] [seed]
 * Or:    gcc -O3 -march=native -shared -fPIC -o limit66.so limit66.c, as yardstick.py does
 * The checksum is the same on every machine: it shows that a change left the play as it was.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef PDEP
#include <immintrin.h>
#endif

/* card = suit*6 + rank, rank 0..5 = 9 J Q K 10 A; action bits: 0-23 card, 24-27 marriage in suit,
 * 28 exchange the nine, 29 close */
#define SUIT 0x3Fu
#define EXCHANGE 28
#define CLOSE 29
static const uint8_t SUIT_OF[24] = {0,0,0,0,0,0,1,1,1,1,1,1,2,2,2,2,2,2,3,3,3,3,3,3};
static const uint8_t VAL_OF[24] = {0,2,3,4,10,11,0,2,3,4,10,11,0,2,3,4,10,11,0,2,3,4,10,11};

static uint64_t s[4];
static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline uint64_t next(void) {                       /* xoshiro256++ */
    uint64_t r = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return r;
}
static inline uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * n) >> 32); }
static void seed(uint64_t x) {                            /* splitmix64 */
    for (int i = 0; i < 4; i++) {
        uint64_t z = (x += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        s[i] = z ^ (z >> 31);
    }
}
static inline int pick(uint32_t m) {                      /* index of a uniformly random set bit */
    uint32_t k = below((uint32_t)__builtin_popcount(m));
#ifdef PDEP
    return __builtin_ctz(_pdep_u32(1u << k, m));
#else
    for (; k; k--) m &= m - 1;
    return __builtin_ctz(m);
#endif
}

typedef struct { int pts[2]; int decisions, closer; } Result;

static inline void hand(Result *out) {
    uint8_t d[24];
    uint32_t h[2] = {0, 0};
    int pts[2] = {0, 0}, meld[2] = {0, 0}, tricks[2] = {0, 0};
    int pos = 12, lead = 0, closer = -1, n = 0;
    for (int i = 0; i < 24; i++) d[i] = (uint8_t)i;
    for (int i = 23; i > 0; i--) {
        int j = (int)below((uint32_t)i + 1);
        uint8_t t = d[i]; d[i] = d[j]; d[j] = t;
    }
    for (int i = 0; i < 6; i++) { h[0] |= 1u << d[i]; h[1] |= 1u << d[6 + i]; }
    int trump = SUIT_OF[d[23]], nine = trump * 6;
    uint32_t tmask = SUIT << nine;
    while (h[0]) {
        int a, b;
        for (;;) {                                        /* the leader's turn */
            uint32_t mine = h[lead], m = mine;
            for (int q = 0; q < 4; q++)                   /* K and Q of a suit: bits 2 and 3 */
                if (((mine >> (q * 6 + 2)) & 3u) == 3u) m |= 1u << (24 + q);
            if (closer < 0 && pos <= 20) {
                m |= 1u << CLOSE;
                if ((mine >> nine) & 1u) m |= 1u << EXCHANGE;
            }
            a = pick(m);
            n++;
            if (a < 24) break;
            if (a < EXCHANGE) {
                meld[lead] += (a - 24 == trump) ? 40 : 20;
                a = (a - 24) * 6 + 2;
                break;
            }
            if (a == CLOSE) closer = lead;
            else { h[lead] ^= (1u << nine) | (1u << d[23]); d[23] = (uint8_t)nine; }
        }
        h[lead] ^= 1u << a;
        int other = 1 - lead;
        uint32_t theirs = h[other], m = theirs;
        uint32_t smask = SUIT << (SUIT_OF[a] * 6), higher = smask & ~((2u << a) - 1u);
        if (closer >= 0 || pos == 24) {
            uint32_t same = theirs & smask;
            if (same) { uint32_t up = same & higher; m = up ? up : same; }
            else if (theirs & tmask) m = theirs & tmask;
        }
        b = pick(m);
        n++;
        h[other] ^= 1u << b;
        if (((1u << b) & higher) || (!((1u << b) & smask) && ((1u << b) & tmask))) lead = other;
        pts[lead] += VAL_OF[a] + VAL_OF[b];
        tricks[lead]++;
        if (closer < 0 && pos < 24) { h[lead] |= 1u << d[pos]; h[1 - lead] |= 1u << d[pos + 1]; pos += 2; }
    }
    if (closer < 0) pts[lead] += 10;
    for (int p = 0; p < 2; p++) out->pts[p] = pts[p] + (tricks[p] ? meld[p] : 0);
    out->decisions = n;
    out->closer = closer;
}

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static int cmp(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }

/* totals: decisions, points of each player, hands closed; returns the checksum */
uint64_t run66(long hands, uint64_t seed_, long totals[4]) {
    uint64_t check = 0;
    seed(seed_);
    for (int i = 0; i < 4; i++) totals[i] = 0;
    for (long i = 0; i < hands; i++) {
        Result x;
        hand(&x);
        totals[0] += x.decisions; totals[1] += x.pts[0]; totals[2] += x.pts[1]; totals[3] += x.closer >= 0;
        check = check * 31 + (uint64_t)(x.pts[0] * 512 + x.pts[1] + x.decisions * 262144);
    }
    return check;
}

int main(int argc, char **argv) {
    long hands = argc > 1 ? atol(argv[1]) : 2000000, v[4];
    int reps = argc > 2 ? atoi(argv[2]) : 7;
    if (reps > 99) reps = 99;
    double t[99];
    uint64_t check = 0;
    for (int r = 0; r < reps; r++) {
        double t0 = now();
        check = run66(hands, argc > 3 ? strtoull(argv[3], 0, 10) : 66, v);
        t[r] = now() - t0;
    }
    qsort(t, (size_t)reps, sizeof *t, cmp);
    double med = t[reps / 2], n = (double)hands;
    printf("C: hands %ld reps %d  hands/s median %.0f (min %.0f max %.0f)  decisions/hand %.3f  ns/decision %.2f\n",
           hands, reps, n / med, n / t[reps - 1], n / t[0], (double)v[0] / n, 1e9 * med / (double)v[0]);
    printf("mean points %.3f %.3f  closed %.3f  checksum %016llx\n",
           (double)v[1] / n, (double)v[2] / n, (double)v[3] / n, (unsigned long long)check);
    return 0;
}
