/* Part of cardsim, written for it as its yardstick; the same licence (LICENSE in the checkout). */
/* limit_zwicker.c - the "physical limit" for a Zwicker core: uniformly random deals, one core.
 *
 * Rules played (docs/zwicker.md, defaults), one deal an episode:
 *   no_joker, 2-4 players, one pack, each for himself: 52 cards, 4 on the table. K 14 Q 13 J 12 A 11. Capture any union of
 *     disjoint groups each adding to the card's value; or stack on an item (sum at most 14); beside only if the card fits
 *     on none. Points: most cards 1, 7 of diamonds 1, 7 of spades 1, Ace 2, 10 of diamonds 10, Zwick 3.
 *   six_joker, 2 players or 4 in two teams: 58 cards, 10 on the table. K 4/14 Q 3/13 J 2/12 A 1/11, jokers 15 17 20 22 25
 *     30. Capture likewise, loose dual cards at either value; or build up or down on one item (a loose dual card at either
 *     value) to a value of at least 1 that the builder, or his partner, can then take; or beside, always. Points: jokers
 *     5-20, most cards 3, 10 of diamonds 3, other tens 1, Ace 1, 2 of spades 1, Zwick 1.
 *   Four cards each until the pack is gone, forehand first; leftovers to the last capturer; a tie for most cards: nobody.
 * A turn is a chain of small decisions, each a uniform pick among the options below; one pick = one decision, forced or not:
 *   1. a hand card; 2. value and act: capture, up (stack), down, each at the low or the high value, or beside;
 *   3. up or down: an item and its value. Capture: items (with the value each counts for) one by one, ascending inside a
 *      group, each only if the group can still be completed; once a group is full: finish, or the first item of another
 *      group, which lies above the first item of the group before. Every captured set can be spelled and no chain ends
 *      dead; a set that splits into groups in several ways has that many spellings.
 *
 * Build: gcc -O3 -march=native -o limit_zwicker limit_zwicker.c      (-DPDEP: pick the k-th bit with pdep)
 * Run:   ./limit_zwicker [players, 60 more with six jokers [hands per repetition [repetitions [seed]]]]
 * yardstick.py builds a shared library of it and calls play().
 */
#include <string.h>
#include "limit.h"

/* card = suit*13 + rank; suits clubs spades hearts diamonds; rank 0..12 = A 2 ... 10 J Q K; jokers 52..57 */
#define CARD(suit, rank) (1ull << ((suit) * 13 + (rank)))
#define EACH(rank) (CARD(0, rank) | CARD(1, rank) | CARD(2, rank) | CARD(3, rank))
#define NONE 32                                           /* no second value: shifts every sum out of range */
#define VALUES 0x7FFFFFFFu
#define BIT(i) (1ull << (i))
#define INLINE inline __attribute__((always_inline))        /* so that the form is a constant */
enum { CAPTURE, UP = 2, DOWN = 4, BESIDE = 6 };           /* + 1 for the high value */

static uint8_t LO[2][58], HI[2][58];                      /* [with jokers][card] */
static uint32_t TAKES[58];                                /* six_joker: bit set of the values a card has */
static uint8_t JOKER_POINTS[64];
static void tables(void) {
    static const uint8_t value[6] = {15, 17, 20, 22, 25, 30};
    for (int c = 0; c < 58; c++) {
        int rank = c % 13, face = rank == 0 ? 11 : rank >= 10 ? rank + 2 : 0, dual = c < 52 && face;
        LO[0][c] = (uint8_t)(face ? face : rank + 1);
        HI[0][c] = NONE;
        LO[1][c] = (uint8_t)(c >= 52 ? value[c - 52] : face ? face - 10 : rank + 1);
        HI[1][c] = (uint8_t)(dual ? face : NONE);
        TAKES[c] = (uint32_t)((BIT(LO[1][c]) | BIT(HI[1][c])) & VALUES);
    }
    for (int m = 0; m < 64; m++) {
        JOKER_POINTS[m] = 0;
        for (int i = 0; i < 6; i++) if (m >> i & 1) JOKER_POINTS[m] = (uint8_t)(JOKER_POINTS[m] + value[i] - 10);
    }
}

typedef struct {
    uint64_t live, card[64];                              /* items on the table; the cards in each */
    uint8_t lo[64], hi[64];                               /* values of each; hi NONE unless a loose dual card */
    uint32_t above[64];                                   /* sums that the items over this one can make */
} Table;
typedef struct { int decisions, captures, items, zwicks, stacks, besides, left, pts[4]; } Result;

static inline uint64_t over(int i) { return ~((2ull << i) - 1); }
static INLINE uint32_t sums(Table *t, const int dual, uint64_t items, uint64_t *present) {   /* bit set of subset sums; fills above[] */
    uint32_t r = 1;
    uint64_t seen = 0;
    while (items) {
        int i = 63 - __builtin_clzll(items);
        items ^= BIT(i);
        t->above[i] = r;
        r |= r << t->lo[i] | (dual ? (uint32_t)((uint64_t)r << t->hi[i]) : 0);
        seen |= BIT(t->lo[i]) | (dual ? BIT(t->hi[i]) : 0);
    }
    *present = seen & VALUES;
    return r;
}
static inline void put(Table *t, int i, uint64_t card, int lo, int hi) {
    t->card[i] = card; t->lo[i] = (uint8_t)lo; t->hi[i] = (uint8_t)hi;
    t->live |= BIT(i);
}

static INLINE uint64_t capture(Table *t, const int dual, int v, int *decisions) {    /* items taken; above[] is that of all of them */
    uint64_t got = 0, from = t->live, present;
    int need = v, first = -1;
    uint32_t possible = 1, finish = 0;
    for (;;) {
        uint64_t a = 0, b = 0;
        if (possible)
            for (uint64_t m = from; m; m &= m - 1) {
                int i = __builtin_ctzll(m);
                uint64_t sum = t->above[i];
                a |= ((sum << t->lo[i]) >> need & 1) << i;
                if (dual) b |= ((sum << t->hi[i]) >> need & 1) << i;
            }
        uint32_t na = count(a), k = below(na + count(b) + finish);
        ++*decisions;
        if (finish && k == na + count(b)) return got;
        int i = k < na ? kth(a, k) : kth(b, k - na);
        need -= !dual || k < na ? t->lo[i] : t->hi[i];
        if (first < 0) first = i;
        got |= BIT(i);
        from &= over(i);
        finish = 0;
        if (need) continue;
        from = t->live & ~got & over(first);
        first = -1;
        need = v;
        finish = 1;
        possible = sums(t, dual, from, &present) >> v & 1;
    }
}

static INLINE void hand(const int jokers, const int n, Result *out) {
    const int cards = 52 + jokers, dual = jokers > 0, sides = jokers && n == 4 ? 2 : n;
    uint8_t d[58];
    uint64_t h[4] = {0}, pile[4] = {0};
    int zwicks[4] = {0}, last = -1, pos = 4 + jokers, turns = 4 * n;
    Table t;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < cards; i++) d[i] = (uint8_t)i;
    shuffle(d, cards);
    t.live = 0;
    for (int i = 0; i < pos; i++) put(&t, i, BIT(d[i]), LO[dual][d[i]], HI[dual][d[i]]);
    for (int p = 0; pos < cards || turns < 4 * n; ) {
        if (turns == 4 * n) {
            turns = 0;
            for (int q = 0; q < n; q++) for (int i = 0; i < 4; i++) h[q] |= BIT(d[pos++]);
        }
        turns++;
        int c = pick(h[p]), side = sides == 2 ? p & 1 : p, v[2] = {LO[dual][c], HI[dual][c]};
        out->decisions++;
        h[p] ^= BIT(c);
        uint64_t present, takes = 0, up[4], m;            /* up[act - UP]: item values on which the act is allowed */
        uint32_t r = sums(&t, dual, t.live, &present);
        if (dual) {
            for (m = h[p] | (sides < n ? h[p ^ 2] : 0); m; m &= m - 1) takes |= TAKES[__builtin_ctzll(m)];
            for (int i = 0; i < 2; i++) { up[i] = takes >> v[i] & present; up[2 + i] = takes << v[i] & present; }
            m = BIT(BESIDE) | (uint64_t)(r >> v[0] & 1) | ((uint64_t)r >> v[1] & 1) << 1;
            for (int i = 0; i < 4; i++) m |= (uint64_t)(up[i] != 0) << (UP + i);
        } else {
            up[0] = (BIT(15 - v[0]) - 1) & present;
            m = (uint64_t)(r >> v[0] & 1) | (up[0] ? BIT(UP) : BIT(BESIDE));
        }
        int act = pick(m), w = v[act & 1];
        out->decisions++;
        if (act < UP) {
            uint64_t got = capture(&t, dual, w, &out->decisions), won = BIT(c);
            out->captures++;
            out->items += (int)count(got);
            for (m = got; m; m &= m - 1) won |= t.card[__builtin_ctzll(m)];
            pile[side] |= won;
            t.live ^= got;
            last = side;
            if (!t.live) zwicks[side]++;
        } else if (act == BESIDE) {
            out->besides++;
            put(&t, __builtin_ctzll(~t.live), BIT(c), v[0], v[1]);
        } else {
            uint64_t a = 0, b = 0, ok = up[act - UP];
            for (m = t.live; m; m &= m - 1) {
                int i = __builtin_ctzll(m);
                a |= (ok >> t.lo[i] & 1) << i;
                if (dual) b |= (ok >> t.hi[i] & 1) << i;
            }
            uint32_t na = count(a), k = below(na + count(b));
            out->decisions++;
            out->stacks++;
            int i = k < na ? kth(a, k) : kth(b, k - na), u = !dual || k < na ? t.lo[i] : t.hi[i];
            u += act < DOWN ? w : -w;
            put(&t, i, t.card[i] | BIT(c), u, NONE);
        }
        p = p + 1 == n ? 0 : p + 1;
    }
    out->left = (int)count(t.live);
    if (last >= 0) for (uint64_t m = t.live; m; m &= m - 1) pile[last] |= t.card[__builtin_ctzll(m)];
    uint32_t most = 0, ties = 0;
    for (int q = 0; q < sides; q++) {
        uint32_t size = count(pile[q]);
        uint64_t x = pile[q];
        ties = size > most ? 1 : ties + (size == most);
        if (size > most) most = size;
        out->zwicks += zwicks[q];
        if (dual)
            out->pts[q] = JOKER_POINTS[x >> 52] + (int)count(x & (EACH(9) | EACH(0) | CARD(1, 1))) + 2 * !!(x & CARD(3, 9)) + zwicks[q];
        else
            out->pts[q] = (int)(count(x & (CARD(3, 6) | CARD(1, 6))) + 2 * count(x & EACH(0))) + 10 * !!(x & CARD(3, 9)) + 3 * zwicks[q];
    }
    for (int q = 0; q < sides; q++) if (ties == 1 && count(pile[q]) == most) out->pts[q] += dual ? 3 : 1;
}

static const char *const LABEL[] = {"decisions", "captures", "items taken", "zwicks", "stacked or built", "beside", "items left",
                                    "points of first side", "all points"};

/* `table`: players, 60 more with six jokers; totals as in LABEL; returns the checksum */
uint64_t play(int table, long hands, uint64_t seed_, long *totals) {
    uint64_t check = 0;
    tables();
    seed(seed_);
    for (int i = 0; i < 9; i++) totals[i] = 0;
    for (long i = 0; i < hands; i++) {
        Result x;
        if (table == 62) hand(6, 2, &x);
        else if (table == 64) hand(6, 4, &x);
        else if (table == 2) hand(0, 2, &x);
        else if (table == 3) hand(0, 3, &x);
        else hand(0, 4, &x);
        totals[0] += x.decisions; totals[1] += x.captures; totals[2] += x.items; totals[3] += x.zwicks; totals[4] += x.stacks;
        totals[5] += x.besides; totals[6] += x.left; totals[7] += x.pts[0]; totals[8] += x.pts[0] + x.pts[1] + x.pts[2] + x.pts[3];
        check = check * 31 + (uint64_t)(x.pts[0] * 65536 + x.pts[1] * 1024 + x.decisions);
    }
    return check;
}

int main(int argc, char **argv) {
    int table = argc > 1 ? atoi(argv[1]) : 2;
    if (table > 4 && table != 62 && table != 64) {
        fprintf(stderr, "players must be 2 to 4, or 62 or 64: 2 or 4 with six jokers\n");
        return 2;
    }
    return report(argc, argv, play, 2, 64, 9, LABEL);
}
