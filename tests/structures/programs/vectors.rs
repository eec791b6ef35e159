// SPDX-License-Identifier: GPL-2.0 OR MIT
// Allocation by Rust's library. A block must be named after the line that is marked with its name.
use std::thread;

#[inline(never)]
fn first() -> Vec<u64> {
    vec![1u64; 20000] /* first */
}

#[inline(never)]
fn second() -> Vec<u64> {
    vec![2u64; 30000] /* second */
}

fn main() {
    let (a, b) = (first(), second());
    let sum = thread::spawn(move || a.iter().sum::<u64>() + b.iter().sum::<u64>()).join().unwrap();
    println!("{}", sum);
}
