//! A plugin straight on interface 1.0.0. It answers by a word in the payload, and never changes.

use countersign_abi::{
    ABI, AbiError, CallCtx, HostBox, Instance, Instance_TO, InstanceBox, Module, ModuleRef, RErr,
    RNone, ROk, ROption, RResult, RSlice, RStr, RVec, TD_Opaque, UNSUPPORTED,
};

const MANIFEST: &str = r#"{"v":1,"abi":1,"name":"frozen-v1","version":"1.0.0","description":"The example plugin of interface 1.0.0","network":false,"env":[]}"#;

// The host reads it from the file before it runs any code of the plugin.
#[cfg_attr(target_os = "linux", unsafe(link_section = ".csmanifest"))]
#[used]
static SECTION: [u8; MANIFEST.len()] = {
    let mut bytes = [0; MANIFEST.len()];
    bytes.copy_from_slice(MANIFEST.as_bytes());
    bytes
};

const DESCRIBE: &str = r#"{"v":1,"name":"frozen-v1","operations":["review","describe","health"],"config_schema":{"type":"object"}}"#;
const HEALTH: &str = r#"{"v":1,"ok":true}"#;
const ABSTAIN: &str = r#"{"v":1,"review":null}"#;
const ALLOW: &str = r#"{"v":1,"review":{"verdict":"allow","risk":"low","authorization":"unknown","tier":"none","rationale":"the payload says frozen-allow"}}"#;
const DENY: &str = r#"{"v":1,"review":{"verdict":"deny","risk":"high","authorization":"unknown","tier":"hard_deny","rationale":"the payload says frozen-deny"}}"#;

struct Frozen;

impl Instance for Frozen {
    fn call(
        &self,
        op: RStr<'_>,
        payload: RSlice<'_, u8>,
        _ctx: &CallCtx,
    ) -> RResult<RVec<u8>, AbiError> {
        let says = |word: &[u8]| payload.windows(word.len()).any(|part| part == word);
        let reply = match op.as_str() {
            "review" if says(b"\"frozen-allow\"") => ALLOW,
            "review" if says(b"\"frozen-deny\"") => DENY,
            "review" => ABSTAIN,
            "describe" => DESCRIBE,
            "health" => HEALTH,
            _ => {
                return RErr(AbiError {
                    code: UNSUPPORTED,
                    retryable: false,
                    message: "there is no such operation".into(),
                    detail_json: "".into(),
                });
            }
        };
        ROk(reply.as_bytes().to_vec().into())
    }
}

extern "C" fn create(_config_json: RStr<'_>, _host: HostBox) -> RResult<InstanceBox, AbiError> {
    ROk(Instance_TO::from_value(Frozen, TD_Opaque))
}

extern "C" fn extension(_id: RStr<'_>) -> ROption<*const ()> {
    RNone
}

fn module() -> ModuleRef {
    Module {
        abi: ABI,
        panic_unwind: cfg!(panic = "unwind"),
        manifest_json: RStr::from_str(MANIFEST),
        create,
        extension,
    }
    .export()
}

countersign_abi::export_module!(module);
