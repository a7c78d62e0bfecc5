/* Part of cardsim; the same licence (LICENSE in the checkout). */
/* limit.h - what the C programs share: random numbers, the k-th bit of a set, one decision, the report. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef PDEP
#include <immintrin.h>
#endif

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
static inline void shuffle(uint8_t *d, int n) {
    for (int i = n - 1; i > 0; i--) {
        int j = (int)below((uint32_t)i + 1);
        uint8_t t = d[i]; d[i] = d[j]; d[j] = t;
    }
}
static inline uint32_t count(uint64_t m) { return (uint32_t)__builtin_popcountll(m); }
static inline int kth(uint64_t m, uint32_t k) {           /* index of the k-th set bit, from 0 */
#ifdef PDEP
    return __builtin_ctzll(_pdep_u64(1ull << k, m));
#else
    for (; k; k--) m &= m - 1;
    return __builtin_ctzll(m);
#endif
}
static inline int pick(uint64_t m) { return kth(m, below(count(m))); }    /* one decision: a uniformly random set bit */

static double now(void) {                                 /* CPU time, since other programs share the machine */
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int cmp(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }

typedef uint64_t Play(int players, long hands, uint64_t seed_, long *totals);

/* What main() of a program does. Arguments of the command line: players, hands per repetition, repetitions, seed.
 * totals[0] are the decisions; the rest is printed per hand, under its label. The checksum is the same on every machine:
 * it shows that a change left the play as it was. */
static int report(int argc, char **argv, Play *play, int least, int most, int n, const char *const *label) {
    int players = argc > 1 ? atoi(argv[1]) : least, reps = argc > 3 ? atoi(argv[3]) : 7;
    long hands = argc > 2 ? atol(argv[2]) : 2000000, v[16] = {0};
    double t[99];
    uint64_t check = 0;
    if (players < least || players > most || hands < 1 || reps < 1 || reps > 99) {
        fprintf(stderr, "players must be %d to %d, hands at least 1, repetitions 1 to 99\n", least, most);
        return 2;
    }
    for (int r = 0; r < reps; r++) {
        double t0 = now();
        check = play(players, hands, argc > 4 ? strtoull(argv[4], 0, 10) : 66, v);
        t[r] = now() - t0;
    }
    qsort(t, (size_t)reps, sizeof *t, cmp);
    double med = t[reps / 2], h = (double)hands;
    printf("%d players, %ld hands, %d repetitions: median %.0f hands/s (%.0f to %.0f), %.2f ns/decision, %.1f ns/hand\n",
           players, hands, reps, h / med, h / t[reps - 1], h / t[0], 1e9 * med / (double)v[0], 1e9 * med / h);
    for (int i = 0; i < n; i++) printf("%s %.4f  ", label[i], (double)v[i] / h);
    printf("checksum %016llx\n", (unsigned long long)check);
    return 0;
}
