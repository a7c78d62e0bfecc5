/* Part of cardsim, written for it as its yardstick; the same licence (LICENSE in the checkout). */
/* limit_zwicken.c - the "physical limit" for a Zwicken core: uniformly random sessions, one core.
 *
 * Rules played (docs/zwicken.md, base, defaults): 32 cards, 2-5 players. The dealer antes 3; the cut shows an Ace or
 * a plain 7: redeal, no chips move; the 7 of diamonds (Belli): the dealer pays 3 to each player but the cutter, the
 * cutter deals and antes on top, the old ante stays. The exposed card ends at the bottom. Three cards each and a turn-up,
 * which is out of play. Play or pass from the dealer's left (the trump Ace must play). Nobody: the pot carries; one: he
 * takes it. Else up to three rounds of swapping one card or stopping for good; three tricks (follow, else trump, else
 * anything; Belli is the second trump and no plain diamond); a third of the pot a trick; a bete of 3 into the next pot for
 * no trick, for not leading the trump Ace at the holder's first lead, for keeping the Belli back under a led trump Ace.
 * The deal goes left; pot and dealer carry on over all the hands of a run. One decision = one uniform pick among the legal
 * actions (play, pass, swap a card, stop, play a card; forced ones count). Cuts and deals are chance, not decisions.
 *
 * Build: gcc -O3 -march=native -o limit_zwicken limit_zwicken.c      (-DPDEP: pick the k-th bit with pdep)
 * Run:   ./limit_zwicken [players [hands per repetition [repetitions [seed]]]]
 * yardstick.py builds a shared library of it and calls play().
 */
#include "limit.h"

/* card = suit*8 + rank; suits clubs spades hearts diamonds; rank 0..7 = 7 8 9 10 J Q K A. Action bits: 0-31 card */
#define BELLI 24
#define PLAY 32
#define PASS 33
#define STOP 34
#define STAKE 3
#define BIT(i) (1u << (i))

static uint8_t power[4][32];                              /* strength by trump suit; trumps above 16 */
static void tables(void) {
    for (int t = 0; t < 4; t++)
        for (int c = 0; c < 32; c++) {
            int rank = c & 7;
            power[t][c] = (uint8_t)(c == BELLI ? 16 + 7 : c >> 3 == t ? 16 + rank + (rank == 7) : rank);
        }
}

typedef struct { int n, dealer, pot; long chips[5]; } Session;
typedef struct { int decisions, cuts, stayed, pot, swaps, tricks, betes, best; } Result;
typedef struct { uint8_t d[32]; int pos; } Pack;          /* 31 cards; the cut card lies under them */

static inline int draw(Pack *k) { return k->d[k->pos++]; }
static inline int left(int p, int n) { return p + 1 == n ? 0 : p + 1; }
static inline void pay(Session *g, int p, int chips) { g->chips[p] -= chips; g->pot += chips; }

static inline int cut(Session *g, Result *out) {          /* antes and exposed cards, until a deal goes ahead */
    pay(g, g->dealer, STAKE);
    for (;;) {
        int c = (int)below(32), rank = c & 7;
        out->cuts++;
        if (rank != 0 && rank != 7) return c;
        if (c != BELLI) continue;
        int cutter = g->dealer ? g->dealer - 1 : g->n - 1;
        for (int p = left(g->dealer, g->n); p != cutter; p = left(p, g->n)) { g->chips[p] += STAKE; g->chips[g->dealer] -= STAKE; }
        g->dealer = cutter;
        pay(g, cutter, STAKE);
    }
}

static inline void tricks(Session *g, Result *out, uint32_t h[5], uint32_t in, int t) {
    int n = g->n, won[5] = {0}, fault[5] = {0}, lead = g->dealer;
    uint32_t ace = BIT(t * 8 + 7), trumps = (0xFFu << (t * 8)) | BIT(BELLI), shirked = 0;
    do lead = left(lead, n); while (!(in & BIT(lead)));
    for (int k = 0; k < 3; k++) {
        int a = pick(h[lead]), winner = lead, best = power[t][a];
        uint32_t led = BIT(a), suit = (led & trumps) ? trumps : (0xFFu << (a & ~7)) & ~BIT(BELLI);
        out->decisions++;
        if ((h[lead] & ace) && led != ace && !shirked) { shirked = 1; fault[lead]++; }
        h[lead] ^= led;
        for (int p = left(lead, n); p != lead; p = left(p, n)) {
            if (!(in & BIT(p))) continue;
            uint32_t m = h[p] & suit;
            if (!m) m = h[p] & trumps;
            if (!m) m = h[p];
            int b = pick(m);
            out->decisions++;
            if (led == ace && (h[p] & BIT(BELLI)) && b != BELLI) fault[p]++;
            h[p] ^= BIT(b);
            if ((BIT(b) & (suit | trumps)) && power[t][b] > best) { best = power[t][b]; winner = p; }
        }
        won[winner]++;
        lead = winner;
    }
    int third = g->pot / 3;
    g->pot = 0;
    for (int p = 0; p < n; p++) {
        if (!(in & BIT(p))) continue;
        int betes = fault[p] + !won[p];
        g->chips[p] += third * won[p];
        pay(g, p, betes * STAKE);
        out->betes += betes;
        if (won[p] > out->best) out->best = won[p];
    }
    out->tricks = 3;
}

static inline void deal(Session *g, Result *out) {
    Pack k;
    uint32_t h[5], in = 0;
    *out = (Result){0};
    int c = cut(g, out), n = g->n;
    for (int i = 0; i < 31; i++) k.d[i] = (uint8_t)(i + (i >= c));
    k.pos = 0;
    shuffle(k.d, 31);
    for (int p = 0; p < n; p++) { h[p] = BIT(draw(&k)); h[p] |= BIT(draw(&k)); }
    int t = draw(&k) >> 3;                                 /* the turned card is out of play */
    for (int p = 0; p < n; p++) h[p] |= BIT(draw(&k));
    uint32_t ace = BIT(t * 8 + 7);
    out->pot = g->pot;
    for (int i = 0, p = left(g->dealer, n); i < n; i++, p = left(p, n)) {
        out->decisions++;
        if (pick(1ull << PLAY | (uint64_t)!(h[p] & ace) << PASS) == PLAY) in |= BIT(p);
    }
    out->stayed = (int)count(in);
    if (out->stayed == 1) { g->chips[__builtin_ctz(in)] += g->pot; g->pot = 0; }
    if (out->stayed > 1) {
        uint32_t open = in;
        for (int round = 0; round < 3 && open; round++)
            for (int i = 0, p = left(g->dealer, n); i < n; i++, p = left(p, n)) {
                if (!(open & BIT(p))) continue;
                int a = pick(h[p] | 1ull << STOP);
                out->decisions++;
                if (a == STOP) { open ^= BIT(p); continue; }
                h[p] = (h[p] ^ BIT(a)) | BIT(draw(&k));
                out->swaps++;
            }
        tricks(g, out, h, in, t);
    }
    g->dealer = left(g->dealer, n);
}

static const char *const LABEL[] = {"decisions", "pot", "stayed", "swaps", "tricks", "betes", "cuts", "durchmarsch", "all passed"};

/* one session of `hands` deals; totals as in LABEL; returns the checksum */
uint64_t play(int players, long hands, uint64_t seed_, long *totals) {
    Session g = {.n = players};
    uint64_t check = 0;
    tables();
    seed(seed_);
    for (int i = 0; i < 9; i++) totals[i] = 0;
    for (long i = 0; i < hands; i++) {
        Result x;
        deal(&g, &x);
        totals[0] += x.decisions; totals[1] += x.pot; totals[2] += x.stayed; totals[3] += x.swaps; totals[4] += x.tricks;
        totals[5] += x.betes; totals[6] += x.cuts; totals[7] += x.best == 3; totals[8] += x.stayed == 0;
        check = check * 31 + (uint64_t)(x.pot * 4096 + x.decisions * 64 + x.betes);
    }
    return check;
}

int main(int argc, char **argv) { return report(argc, argv, play, 2, 5, 9, LABEL); }
