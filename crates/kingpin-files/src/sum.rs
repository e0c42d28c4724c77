//! Checksums.

use std::io::{self, Read};

/// FNV-1a of 64 bits, by Fowler, Noll and Vo, byte after byte: every changed bit gives another sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum(u64);

impl Sum {
    /// The sum of nothing.
    pub const EMPTY: Sum = Sum(0xcbf2_9ce4_8422_2325);

    /// The sum of some bytes.
    pub fn of(bytes: &[u8]) -> Sum {
        Sum::EMPTY.with(bytes)
    }

    /// The sum after some more bytes.
    pub fn with(self, bytes: &[u8]) -> Sum {
        Sum(bytes.iter().fold(self.0, |sum, &b| (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)))
    }

    /// The sum and the length of a stream.
    pub fn of_stream(mut stream: impl Read) -> io::Result<(Sum, u64)> {
        let (mut sum, mut length, mut buffer) = (Sum::EMPTY, 0, vec![0; 1 << 16]);
        loop {
            match stream.read(&mut buffer)? {
                0 => return Ok((sum, length)),
                count => {
                    sum = sum.with(&buffer[..count]);
                    length += count as u64;
                }
            }
        }
    }

    /// As a number.
    pub const fn number(self) -> u64 {
        self.0
    }
}
