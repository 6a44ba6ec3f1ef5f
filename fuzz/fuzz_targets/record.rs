#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| annon_store::fuzz::record(bytes));
