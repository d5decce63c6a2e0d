//! The binary; everything is in the library.

fn main() -> std::process::ExitCode {
    program::run(&formatter_trigger::PROGRAM)
}
