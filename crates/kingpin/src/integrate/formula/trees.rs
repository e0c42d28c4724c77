//! Order conditions of Runge–Kutta formulas from rooted trees, for tests.

/// A rooted tree: the indices of its branches among the trees listed before it.
struct RootedTree {
    order: usize,
    density: f64,
    branches: Vec<usize>,
}

/// All rooted trees up to an order.
pub struct Trees(Vec<RootedTree>);

impl Trees {
    /// Lists the trees by increasing order.
    pub fn up_to(order: usize) -> Self {
        let mut trees: Vec<RootedTree> = Vec::new();
        for n in 1..=order {
            let mut sets = Vec::new();
            branches(&trees, n - 1, 0, &mut Vec::new(), &mut sets);
            let new = sets.into_iter().map(|branches| RootedTree {
                order: n,
                density: branches.iter().fold(n as f64, |product, &i| product * trees[i].density),
                branches,
            });
            let new: Vec<RootedTree> = new.collect();
            trees.extend(new);
        }
        Self(trees)
    }

    /// Number of trees, that is of order conditions.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Largest violation of `sum_i b_i Phi_i(tree) = theta^order / density`.
    pub fn residual(&self, a: &[Vec<f64>], b: &[f64], theta: f64) -> f64 {
        let stages = b.len();
        let mut weights: Vec<Vec<f64>> = Vec::new();
        let mut residual = 0.0f64;
        for tree in &self.0 {
            let phi: Vec<f64> = (0..stages)
                .map(|i| {
                    let branch = |&t: &usize| a[i].iter().zip(&weights[t]).map(|(a, w)| a * w).sum::<f64>();
                    tree.branches.iter().map(branch).product()
                })
                .collect();
            let sum: f64 = b.iter().zip(&phi).map(|(b, w)| b * w).sum();
            residual = residual.max((sum - theta.powi(tree.order as i32) / tree.density).abs());
            weights.push(phi);
        }
        residual
    }
}

/// Multisets of trees, not before `from`, with `total` vertices.
fn branches(
    trees: &[RootedTree],
    total: usize,
    from: usize,
    chosen: &mut Vec<usize>,
    out: &mut Vec<Vec<usize>>,
) {
    if total == 0 {
        out.push(chosen.clone());
        return;
    }
    for i in from..trees.len() {
        if trees[i].order <= total {
            chosen.push(i);
            branches(trees, total - trees[i].order, i, chosen, out);
            chosen.pop();
        }
    }
}

/// Largest difference of two lists.
pub fn worst(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn trees_are_as_many_as_known() {
    assert_eq!((1..=8).map(|n| Trees::up_to(n).count()).collect::<Vec<_>>(), [1, 2, 4, 8, 17, 37, 85, 200]);
}
