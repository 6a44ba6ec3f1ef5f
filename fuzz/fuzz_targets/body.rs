#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| annon::fuzz::body(bytes));
