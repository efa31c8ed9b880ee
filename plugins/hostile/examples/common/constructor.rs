/// Runs something while the library is loaded, before the loader comes back to its caller.
macro_rules! constructor {
    ($body:block) => {
        #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
        #[used]
        static CONSTRUCTOR: extern "C" fn() = {
            extern "C" fn run() $body
            run
        };
    };
}
