//! faer's own sparse factorisations of the same matrices, memory reused, sequential.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::lu::{LuRef, LuSymbolicParams, NumericLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMat, SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side};

use crate::matrices::Matrix;
use crate::{nanoseconds, print, residual};

const KINDS: [(&str, SupernodalThreshold); 2] = [
    ("simplicial", SupernodalThreshold::FORCE_SIMPLICIAL),
    ("supernodal", SupernodalThreshold::FORCE_SUPERNODAL),
];

fn faer_matrix(a: &Matrix) -> SparseColMat<u32, f64> {
    let narrow = |indices: &[usize]| indices.iter().map(|&index| index as u32).collect();
    let symbolic = SymbolicSparseColMat::new_checked(a.n, a.n, narrow(&a.columns), None, narrow(&a.rows));
    SparseColMat::new(symbolic, a.values.clone())
}

/// LDLT without pivoting in the minimum degree order.
pub fn bench_ldlt(a: &Matrix) {
    let upper = faer_matrix(&a.upper());
    let upper: SparseColMatRef<'_, u32, f64> = upper.as_ref();
    for (kind, threshold) in KINDS {
        let parameters =
            CholeskySymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
        let symbolic =
            factorize_symbolic_cholesky(upper.symbolic(), Side::Upper, SymmetricOrdering::Amd, parameters)
                .unwrap();
        let scratch = symbolic
            .factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let mut memory = MemBuffer::new(scratch);
        let mut values = vec![0.0; symbolic.len_val()];
        let mut regular = true;
        let factor = nanoseconds(|| {
            let stack = MemStack::new(&mut memory);
            let (regularisation, parameters) = (Default::default(), Default::default());
            regular = symbolic
                .factorize_numeric_ldlt(
                    &mut values,
                    upper,
                    Side::Upper,
                    regularisation,
                    Par::Seq,
                    stack,
                    parameters,
                )
                .is_ok();
        });
        if !regular {
            println!("  faer {kind} LDLT: zero pivot");
            continue;
        }
        let mut x = vec![1.0; a.n];
        let solve = nanoseconds(|| {
            x.fill(1.0);
            let right_side = MatMut::from_column_major_slice_mut(&mut x, a.n, 1);
            let stack = MemStack::new(&mut memory);
            LdltRef::new(&symbolic, &values).solve_in_place_with_conj(Conj::No, right_side, Par::Seq, stack);
        });
        print(&format!("faer {kind} LDLT"), factor, solve, values.len(), residual(a, &x));
    }
}

/// LU with partial pivoting in the column minimum degree order. The number of stored entries is not to be had.
pub fn bench_lu(a: &Matrix) {
    let matrix = faer_matrix(a);
    for (kind, threshold) in KINDS {
        let parameters =
            LuSymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
        let symbolic = factorize_symbolic_lu(matrix.symbolic(), parameters).unwrap();
        let scratch = symbolic
            .factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let mut memory = MemBuffer::new(scratch);
        let mut numeric = NumericLu::new();
        let factor = nanoseconds(|| {
            let stack = MemStack::new(&mut memory);
            let parameters = Default::default();
            symbolic
                .factorize_numeric_lu(&mut numeric, matrix.as_ref(), Par::Seq, stack, parameters)
                .unwrap();
        });
        let mut x = vec![1.0; a.n];
        let solve = nanoseconds(|| {
            x.fill(1.0);
            let right_side = MatMut::from_column_major_slice_mut(&mut x, a.n, 1);
            let stack = MemStack::new(&mut memory);
            LuRef::new_unchecked(&symbolic, &numeric).solve_in_place_with_conj(
                Conj::No,
                right_side,
                Par::Seq,
                stack,
            );
        });
        print(&format!("faer {kind} LU"), factor, solve, 0, residual(a, &x));
    }
}
