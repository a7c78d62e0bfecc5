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
 * Run:   ./limit66 [2 [hands per repetition [repetitions [seed]]]]
 * yardstick.py builds a shared library of it and calls play().
 */
#include "limit.h"

/* card = suit*6 + rank, rank 0..5 = 9 J Q K 10 A; action bits: 0-23 card, 24-27 marriage in suit,
 * 28 exchange the nine, 29 close */
#define SUIT 0x3Fu
#define EXCHANGE 28
#define CLOSE 29
static const uint8_t SUIT_OF[24] = {0,0,0,0,0,0,1,1,1,1,1,1,2,2,2,2,2,2,3,3,3,3,3,3};
static const uint8_t VAL_OF[24] = {0,2,3,4,10,11,0,2,3,4,10,11,0,2,3,4,10,11,0,2,3,4,10,11};

typedef struct { int pts[2]; int decisions, closer; } Result;

static inline void hand(Result *out) {
    uint8_t d[24];
    uint32_t h[2] = {0, 0};
    int pts[2] = {0, 0}, meld[2] = {0, 0}, tricks[2] = {0, 0};
    int pos = 12, lead = 0, closer = -1, n = 0;
    for (int i = 0; i < 24; i++) d[i] = (uint8_t)i;
    shuffle(d, 24);
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

static const char *const LABEL[] = {"decisions", "points of the first", "points of the second", "closed"};

/* totals as in LABEL; returns the checksum */
uint64_t play(int players, long hands, uint64_t seed_, long *totals) {
    uint64_t check = 0;
    (void)players;                                        /* always two */
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

int main(int argc, char **argv) { return report(argc, argv, play, 2, 2, 4, LABEL); }
