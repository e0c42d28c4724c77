/* Hand-derived equations of motion in absolute angles, and calls of the Fortran codes of Hairer and Wanner.
   y holds angles, then angular velocities. problems.py has the data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { double x, y; } vec;
static inline vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y}; }
static inline vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y}; }
static inline vec times(double s, vec a) { return (vec){s * a.x, s * a.y}; }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y; }
static inline double cross(vec a, vec b) { return a.x * b.y - a.y * b.x; }
static inline vec perpendicular(vec a) { return (vec){-a.y, a.x}; } /* turned by 90 degrees: d(R v)/d angle */
static inline vec turned(double c, double s, vec a) { return (vec){c * a.x - s * a.y, s * a.x + c * a.y}; }

/* symmetric matrix of the plane */
typedef struct { double xx, xy, yy; } sym;
static inline vec apply(sym k, vec a) { return (vec){k.xx * a.x + k.xy * a.y, k.xy * a.x + k.yy * a.y}; }

typedef void right_side(int *n, double *t, double *y, double *f, double *rpar, int *ipar);

/* ---- stiff double pendulum: L1 L2 (half lengths) m1 m2 I1 I2 k1 c1 free1 k2 c2 g */
static double pendulum[12];

static void pendulum_rhs(int *n, double *t, double *y, double *f, double *rpar, int *ipar) {
  const double *p = pendulum, l1 = p[0], l2 = p[1], m1 = p[2], m2 = p[3], g = p[11];
  double a = y[0], b = y[1], u = y[2], v = y[3];
  /* mass matrix */
  double m11 = p[4] + (m1 + 4 * m2) * l1 * l1, m22 = p[5] + m2 * l2 * l2, lever = 2 * m2 * l1 * l2;
  double m12 = lever * cos(a - b), turn = lever * sin(a - b);
  /* torques of the springs and dampers, weights, centrifugal terms */
  double inner = p[6] * (p[8] - a) - p[7] * u, outer = p[9] * (a - b) + p[10] * (u - v);
  double q1 = inner - outer - (m1 + 2 * m2) * l1 * g * cos(a) - turn * v * v;
  double q2 = outer - m2 * l2 * g * cos(b) + turn * u * u;
  double det = m11 * m22 - m12 * m12;
  f[0] = u, f[1] = v;
  f[2] = (m22 * q1 - m12 * q2) / det;
  f[3] = (m11 * q2 - m12 * q1) / det;
}

/* ---- Andrews' mechanism */
static struct {
  double mass[7], inertia[7];
  vec centre[7];
  double rr, d, ss, e, zt, zf, u;
  vec a, b, c;
  double rate, length;
  vec point;
  double drive;
} andrews;

/* Two bars in series: the near one turns on the ground, the end of the far one is E. Mass matrix, generalized forces,
   columns of the Jacobian of E, and acceleration of E at zero angular accelerations. */
typedef struct { double m11, m12, m22, q1, q2; vec j1, j2, drift; } leg;

static leg leg_of(int near, int far, vec joint, vec end, const double *c, const double *s, const double *w) {
  double m = andrews.mass[far], w1 = w[near] * w[near], w2 = w[far] * w[far];
  vec arm = turned(c[near], s[near], joint), centre = turned(c[far], s[far], andrews.centre[far]);
  vec tip = turned(c[far], s[far], end), own = andrews.centre[near];
  double spin = m * cross(arm, centre);
  return (leg){
    .m11 = andrews.inertia[near] + andrews.mass[near] * dot(own, own) + m * dot(arm, arm),
    .m12 = m * dot(arm, centre),
    .m22 = andrews.inertia[far] + m * dot(centre, centre),
    .q1 = spin * w2, .q2 = -spin * w1,
    .j1 = perpendicular(arm), .j2 = perpendicular(tip),
    .drift = times(-1, add(times(w1, arm), times(w2, tip))),
  };
}

/* Adds the effective mass and force of a leg at E: the force on the leg is mass * acceleration of E - force. */
static void add_effective_mass(const leg *l, sym *mass, vec *force) {
  /* J^-T M J^-1; J is singular if the leg is stretched */
  double det = cross(l->j1, l->j2);
  vec r1 = times(1 / det, (vec){l->j2.y, -l->j2.x}), r2 = times(1 / det, (vec){-l->j1.y, l->j1.x}); /* rows of J^-1 */
  sym k = {l->m11 * r1.x * r1.x + 2 * l->m12 * r1.x * r2.x + l->m22 * r2.x * r2.x,
           l->m11 * r1.x * r1.y + l->m12 * (r1.x * r2.y + r1.y * r2.x) + l->m22 * r2.x * r2.y,
           l->m11 * r1.y * r1.y + 2 * l->m12 * r1.y * r2.y + l->m22 * r2.y * r2.y};
  vec f = add(add(times(l->q1, r1), times(l->q2, r2)), apply(k, l->drift));
  mass->xx += k.xx, mass->xy += k.xy, mass->yy += k.yy;
  *force = add(*force, f);
}

/* angular accelerations of a leg whose end has the acceleration `end` */
static void leg_accelerations(const leg *l, vec end, double *near, double *far) {
  vec rest = sub(end, l->drift);
  double det = cross(l->j1, l->j2);
  *near = cross(rest, l->j2) / det;
  *far = cross(l->j1, rest) / det;
}

static void andrews_rhs(int *n, double *t, double *y, double *f, double *rpar, int *ipar) {
  double c[7], s[7], *w = y + 7, *acc = f + 7;
  for (int i = 0; i < 7; i++) c[i] = cos(y[i]), s[i] = sin(y[i]), f[i] = w[i];
  leg crank = leg_of(0, 1, (vec){andrews.rr, 0}, (vec){-andrews.d, 0}, c, s, w);
  leg upper = leg_of(4, 3, (vec){andrews.zt, 0}, (vec){0, -andrews.e}, c, s, w);
  leg lower = leg_of(6, 5, (vec){0, -andrews.u}, (vec){andrews.zf, 0}, c, s, w);
  crank.q1 += andrews.drive;

  /* K3: a single bar, with the spring */
  vec arm = turned(c[2], s[2], (vec){0, -andrews.ss}), hook = turned(c[2], s[2], andrews.point);
  vec span = sub(add(andrews.b, hook), andrews.c), own = andrews.centre[2];
  double length = sqrt(dot(span, span)), pull = -andrews.rate * (length - andrews.length) / length;
  double m3 = andrews.inertia[2] + andrews.mass[2] * dot(own, own), q3 = cross(hook, times(pull, span));
  vec j3 = perpendicular(arm), drift3 = times(-w[2] * w[2], arm);
  double arm2 = dot(arm, arm);

  /* effective mass and force at E of the two legs that are never stretched, and of K3 in its direction of motion */
  sym mass = {0, 0, 0};
  vec force = {0, 0};
  add_effective_mass(&upper, &mass, &force);
  add_effective_mass(&lower, &mass, &force);
  double along = m3 / (arm2 * arm2);
  mass.xx += along * j3.x * j3.x, mass.xy += along * j3.x * j3.y, mass.yy += along * j3.y * j3.y;
  force = add(force, times((q3 + m3 * dot(j3, drift3) / arm2) / arm2, j3));

  /* crank and coupler with this mass at E; the multiplier keeps E at its distance from B */
  vec k1 = apply(mass, crank.j1), k2 = apply(mass, crank.j2), left = sub(force, apply(mass, crank.drift));
  double a11 = crank.m11 + dot(crank.j1, k1), a12 = crank.m12 + dot(crank.j1, k2), a22 = crank.m22 + dot(crank.j2, k2);
  double b1 = crank.q1 + dot(crank.j1, left), b2 = crank.q2 + dot(crank.j2, left);
  double n1 = dot(arm, crank.j1), n2 = dot(arm, crank.j2), gap = dot(arm, sub(drift3, crank.drift));
  double det = a11 * a22 - a12 * a12;
  double p1 = (a22 * n1 - a12 * n2) / det, p2 = (a11 * n2 - a12 * n1) / det; /* A^-1 n */
  double x1 = (a22 * b1 - a12 * b2) / det, x2 = (a11 * b2 - a12 * b1) / det; /* A^-1 b */
  double lambda = (gap - n1 * x1 - n2 * x2) / (n1 * p1 + n2 * p2);
  acc[0] = x1 + lambda * p1, acc[1] = x2 + lambda * p2;

  /* the acceleration of E determines those of the other bars */
  vec end = add(crank.drift, add(times(acc[0], crank.j1), times(acc[1], crank.j2)));
  acc[2] = dot(j3, sub(end, drift3)) / arm2;
  leg_accelerations(&upper, end, &acc[4], &acc[3]);
  leg_accelerations(&lower, end, &acc[6], &acc[5]);
}

/* ---- chain: links, mass, length, inertia across, g; articulated-body algorithm */
#define MOST 1000
static int links;
static double chain[4];

static void chain_rhs(int *dim, double *t, double *y, double *f, double *rpar, int *ipar) {
  static vec turn[MOST], lever[MOST];
  static double weight[MOST], rest[MOST];
  int n = links;
  double m = chain[0], l = chain[1], io = chain[2] + m * l * l / 4, g = chain[3];
  const double *w = y + n;
  /* force at the near joint of a link = k * acceleration of the joint + c */
  sym k = {0, 0, 0};
  vec c = {0, 0};
  for (int i = n - 1; i >= 0; i--) {
    double w2 = w[i] * w[i];
    vec u = {cos(y[i]), sin(y[i])}, q = perpendicular(u), kq = apply(k, q), ku = apply(k, u);
    vec h = add(times(m * l / 2, q), times(l, kq));
    double d = 1 / (io + l * l * dot(q, kq));
    double b = m * l / 2 * q.y * g + l * (dot(q, c) - l * w2 * dot(q, ku));
    turn[i] = q, lever[i] = h, weight[i] = d, rest[i] = b;
    c = sub(c, add(times(w2, add(times(m * l / 2, u), times(l, ku))), times(b * d, h)));
    c.y += m * g;
    k = (sym){k.xx + m - d * h.x * h.x, k.xy - d * h.x * h.y, k.yy + m - d * h.y * h.y};
  }
  vec a = {0, 0};
  for (int i = 0; i < n; i++) {
    double alpha = -(dot(lever[i], a) + rest[i]) * weight[i], w2 = w[i] * w[i];
    vec q = turn[i], u = {q.y, -q.x};
    f[i] = w[i], f[n + i] = alpha;
    a = add(a, times(l, sub(times(alpha, q), times(w2, u))));
  }
}

/* ---- calls */
void set_pendulum(const double *p) { memcpy(pendulum, p, sizeof pendulum); }
void set_andrews(const double *p) { memcpy(&andrews, p, sizeof andrews); }
void set_chain(int n, const double *p) { links = n < MOST ? n : MOST, memcpy(chain, p, sizeof chain); }

/* weak: a code whose source is not there is left out */
#pragma weak radau5_
#pragma weak dopri5_
#pragma weak dop853_
extern void radau5_(int *, right_side *, double *, double *, double *, double *, double *, double *, int *, void *,
                    int *, int *, int *, void *, int *, int *, int *, void *, int *, double *, int *, int *, int *,
                    double *, int *, int *);
typedef void explicit_code(int *, right_side *, double *, double *, double *, double *, double *, int *, void *, int *,
                           double *, int *, int *, int *, double *, int *, int *);
extern explicit_code dopri5_, dop853_;
static void no_output(void) {}

static right_side *rhs_of(int problem) {
  return problem == 0 ? pendulum_rhs : problem == 1 ? andrews_rhs : chain_rhs;
}

/* whether a code was compiled in: 0 DOPRI5, 1 DOP853, 2 RADAU5 */
int has(int code) { return code == 0 ? dopri5_ != 0 : code == 1 ? dop853_ != 0 : radau5_ != 0; }

/* One problem (0 pendulum, 1 Andrews, 2 chain) of n equations from `start` to `end` by one code (0 DOPRI5, 1 DOP853,
   2 RADAU5) with one tolerance. Returns the time of the fastest of `runs` runs, or of those that start within `most`
   seconds; -1 if the code failed. `y` receives angles and angular velocities. */
double solve(int problem, int code, double tol, int n, const double *start, double end, double *y, int runs,
             double most) {
  int lwork = 5 * n * n + 30 * n + 100, liwork = 4 * n + 100, half = n / 2;
  int itol = 0, iout = 0, zero = 0, idid = 0, ipar = 0;
  double *work = malloc(lwork * sizeof *work), best = 1e300, spent = 0, rpar = 0;
  int *iwork = malloc(liwork * sizeof *iwork);
  for (int run = 0; run < runs && spent < most && idid >= 0; run++) {
    struct timespec from, to;
    double t = 0, h = 0, rtol = tol, atol = tol;
    memset(work, 0, lwork * sizeof *work);
    memset(iwork, 0, liwork * sizeof *iwork);
    memcpy(y, start, n * sizeof *y);
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (code == 2) {
      iwork[1] = 10000000, iwork[8] = half; /* steps; the first half of the equations is y' = other half */
      radau5_(&n, rhs_of(problem), &t, y, &end, &h, &rtol, &atol, &itol, no_output, &zero, &half, &half, no_output,
              &zero, &n, &n, no_output, &iout, work, &lwork, iwork, &liwork, &rpar, &ipar, &idid);
    } else {
      iwork[0] = 10000000, iwork[2] = -1, iwork[3] = -1; /* steps; no printing, no test for stiffness */
      (code ? dop853_ : dopri5_)(&n, rhs_of(problem), &t, y, &end, &rtol, &atol, &itol, no_output, &iout, work, &lwork,
                                 iwork, &liwork, &rpar, &ipar, &idid);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    double took = to.tv_sec - from.tv_sec + 1e-9 * (to.tv_nsec - from.tv_nsec);
    spent += took;
    if (took < best) best = took;
  }
  free(work);
  free(iwork);
  return idid < 0 ? -1 : best;
}
