/// Puts a manifest, a `Section`, where a host reads it before it runs any code.
macro_rules! section {
    ($manifest:expr) => {
        #[cfg_attr(target_os = "linux", unsafe(link_section = ".csmanifest"))]
        #[used]
        static SECTION: countersign_reviewers::plugin::manifest::Section = $manifest;
    };
}
