//! The boundary types as the compiler lays them out, and everything that they are made of.

use abi_stable::StableAbi;
use abi_stable::type_layout::{TLData, TLField, TLFunction, TypeLayout};
use countersign_abi::{AbiError, CallCtx, HostBox, InstanceBox, Module, ModuleRef};
use std::fmt::Write as _;
use std::mem::offset_of;

/// Every type that a host and a plugin share is reached from the module: the functions in it name
/// the instance, the host and the error.
#[cfg(target_pointer_width = "64")]
#[test]
fn the_boundary_types_keep_their_layout() {
    let layouts = walk(<ModuleRef as StableAbi>::LAYOUT).expect("a string takes everything");
    insta::assert_snapshot!(layouts);
}

#[test]
fn the_walk_reaches_every_boundary_type() {
    let reached = reached(<ModuleRef as StableAbi>::LAYOUT);
    for layout in [
        <AbiError as StableAbi>::LAYOUT,
        <CallCtx as StableAbi>::LAYOUT,
        <HostBox as StableAbi>::LAYOUT,
        <InstanceBox as StableAbi>::LAYOUT,
    ] {
        assert!(reached.contains(&layout), "{}", layout.name());
    }
}

#[cfg(target_pointer_width = "64")]
#[test]
fn the_fields_keep_their_offsets() {
    macro_rules! offsets {
        ($type:ident: $($field:ident)*) => {
            [ $(format!("{}.{} {}", stringify!($type), stringify!($field), offset_of!($type, $field))),*].join("\n")
        };
    }
    let offsets = [
        offsets!(Module: abi panic_unwind manifest_json create extension),
        offsets!(AbiError: code retryable message detail_json),
        offsets!(CallCtx: call_id remaining_ms flags reserved),
    ];
    insta::assert_snapshot!(offsets.join("\n"));
}

/// The types of the language itself are named where they are used, and need no more.
fn walk(root: &'static TypeLayout) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for layout in reached(root) {
        if layout.package().as_str() == "std" {
            continue;
        }
        describe(&mut text, layout)?;
    }
    Ok(text)
}

/// The types that a type is made of, itself first, each once.
fn reached(root: &'static TypeLayout) -> Vec<&'static TypeLayout> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(layout) = found.get(next).copied() {
        next += 1;
        for inner in fields(layout).iter().flat_map(inner) {
            if !found.contains(&inner) {
                found.push(inner);
            }
        }
    }
    found
}

fn fields(layout: &'static TypeLayout) -> Vec<TLField> {
    let own = layout.get_fields().into_iter().flatten();
    own.chain(layout.phantom_fields()).collect()
}

fn inner(field: &TLField) -> Vec<&'static TypeLayout> {
    let functions = field.function_range().iter();
    std::iter::once(field.layout())
        .chain(functions.flat_map(|function| passed(&function)))
        .collect()
}

/// What a function takes, and then what it gives.
fn passed(function: &TLFunction) -> Vec<&'static TypeLayout> {
    let given = function.return_type_layout();
    let mut passed: Vec<_> = function.param_type_layouts.iter().collect();
    passed.extend(given);
    passed.into_iter().map(|layout| layout()).collect()
}

fn describe(text: &mut String, layout: &'static TypeLayout) -> std::fmt::Result {
    let (package, version) = layout.package_and_version();
    writeln!(
        text,
        "{} ({package} {version}): size {}, align {}",
        name(layout),
        layout.size(),
        layout.alignment()
    )?;
    if let TLData::PrefixType(prefix) = layout.data() {
        writeln!(text, "  prefix of {} fields", prefix.first_suffix_field)?;
    }
    if let TLData::Enum(variants) = layout.data() {
        writeln!(text, "  variants {}", variants.variant_names)?;
    }
    if let Some(checks) = layout.extra_checks() {
        let checks = checks.to_string();
        let words: Vec<&str> = checks.split_whitespace().collect();
        writeln!(text, "  {}", words.join(" "))?;
    }
    for field in fields(layout) {
        writeln!(text, "  {}: {}", field.name(), name(field.layout()))?;
        for function in field.function_range() {
            let passed: Vec<String> = passed(&function).iter().copied().map(name).collect();
            writeln!(text, "    ({}) {}", function.param_names, passed.join(", "))?;
        }
    }
    Ok(())
}

fn name(layout: &'static TypeLayout) -> String {
    layout.full_type().to_string().trim_end().to_owned()
}
