//! Random numbers for tests; deterministic.

use nalgebra::Vector3;

/// A small random number generator (xorshift64*).
pub struct Random(u64);

impl Random {
    /// Each seed gives a sequence of its own.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    /// In (-1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    /// Between two numbers.
    pub fn between(&mut self, a: f64, b: f64) -> f64 {
        a + 0.5 * (b - a) * (self.signed() + 1.0)
    }
    /// An index less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 33) as usize % n
    }
    /// Numbers in (-1, 1).
    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.signed()).collect()
    }
    /// A vector with components in (-1, 1).
    pub fn vec3(&mut self) -> Vector3<f64> {
        Vector3::new(self.signed(), self.signed(), self.signed())
    }
}
