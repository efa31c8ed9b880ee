//! Text that the shell calculates with is run: what others wrote is asked about, numbers are not.

use crate::support::judge;

/// Calls that take text of others for a number, in each way that a shell has.
const ASKED: &[&str] = &[
    // Where it stands.
    "(( $(cat f) ))",
    "(( $(cat f) > 3 )) && echo many",
    "echo $(( $(cat f) ))",
    "echo $(( `cat f` + 1 ))",
    "echo $[ $(cat f) ]",
    "[[ \"$(cat f)\" -eq 1 ]]",
    "[[ $(cat f) -gt 3 ]]",
    "[[ -n x && 3 -le $(cat f) ]]",
    "[[ -v \"a[$(cat f)]\" ]]",
    "let \"x=$(cat f)\"",
    "let x=$(cat f)",
    "declare -i x=$(cat f)",
    "typeset -i x=$(cat f)",
    "f() { local -i x=$(cat f); }; f",
    "echo ${a[$(cat f)]}",
    "a[$(cat f)]=1",
    "a=([$(cat f)]=1)",
    "echo ${x:$(cat f)}",
    "echo ${x:0:$(cat f)}",
    "for ((i = 0; i < $(cat f); i++)); do echo; done",
    "printf -v \"a[$(cat f)]\" x",
    "test -v \"a[$(cat f)]\"",
    "[ -v \"a[$(cat f)]\" ]",
    "unset \"a[$(cat f)]\"",
    "read \"a[$(cat f)]\" <<< 1",
    "RANDOM=$(cat f)",
    // What prints it.
    "(( $(< f) ))",
    "(( $(head -1 f) ))",
    "(( $(tail -n1 f) ))",
    "(( $(sed -n 1p f) ))",
    "(( $(grep x f) ))",
    "(( $(grep -rc x .) ))",
    "(( $(grep -c x *) ))",
    "(( $(wc -l *) ))",
    "(( $(cut -f1 f) ))",
    "(( $(awk '{print $1}' f) ))",
    "(( $(jq .n f) ))",
    "(( $(git log -1 --format=%s) ))",
    "(( $(git show HEAD:f) ))",
    "(( $(date +%Z) ))",
    "(( $(stat -c %n f) ))",
    "(( $(id -un) ))",
    "(( $(du -s . | cut -f1) ))",
    "(( $(ls) ))",
    "(( $(cat f | head -1) ))",
    "(( $(cat f | tr -d a) ))",
    "(( $(echo 'abc' | tr a-c 'x$(') ))",
    "(( $(echo $(cat f)) ))",
    "(( $(echo *) ))",
    "(( $(printf %s \"$(cat f)\") ))",
    "(( $(expr $(cat f)) ))",
    "(( $(wc -l < f; cat f) ))",
    "(( $(python3 -c 'print(open(\"f\").read())') ))",
    "f() { cat f; }; (( $(f) ))",
    "(( $(echo 'a[$(id)]') ))",
    // Through a variable.
    "x=$(cat f); (( x ))",
    "x=$(cat f); (( x + 1 ))",
    "x=$(cat f); (( $x ))",
    "x=$(cat f); echo $((x + 1))",
    "x=\"$(cat f)\"; [[ $x -gt 1 ]]",
    "x=$(cat f); [[ x -gt 1 ]]",
    "x=$(cat f); echo ${a[x]}",
    "x=$(cat f); echo ${a[$x]}",
    "x=$(cat f); echo ${y:x}",
    "x=$(cat f); a[x]=1",
    "x=$(cat f); let y=x",
    "x=$(cat f); for ((i = 0; i < x; i++)); do echo; done",
    "x=$(cat f); echo ${!x}",
    "x=$(cat f); echo \"${x@P}\"",
    "x=$(cat f); unset \"$x\"",
    "x=$(cat f); read \"$x\" <<< 1",
    "x=$(cat f); declare \"$x=1\"",
    "x=$(cat f); declare -n r=$x; echo $r",
    "declare -i y; x=$(cat f); y=$x",
    "x=$(cat f); test -v \"$x\"",
    "x=$(cat f); y=$x; (( y ))",
    "x=$(cat f); y=\"5 + $x\"; (( y ))",
    "x=$(cat f); y=x; (( y ))",
    "x=$(cat f); y=$(echo \"$x\"); (( y ))",
    "x=$(cat f); f() { echo \"$x\"; }; (( $(f) ))",
    "x=1; x+=$(cat f); (( x ))",
    "x=($(cat f)); (( x[0] ))",
    "export x=$(cat f); (( x ))",
    "f() { local x; x=$(cat f); (( x )); }; f",
    "f() { (( $1 )); }; f \"$(cat f)\"",
    "set -- $(cat f); (( $1 ))",
    "set -- *; (( $1 ))",
    "bash -c '(( $1 ))' _ \"$(cat f)\"",
    "cat f | xargs -n1 bash -c '(( $1 ))' _",
    "eval 'x=$(cat f)'; (( x ))",
    "x=$(cat f) bash -c '(( x ))'",
    "printf -v x %s \"$(cat f)\"; (( x ))",
    ": ${x:=$(cat f)}; (( x ))",
    "read x < f; (( x ))",
    "read -r a b < f; (( b ))",
    "cat f | while read n; do (( n )); done",
    "while read n; do (( s += n )); done < f",
    "mapfile -t a < f; (( a[0] ))",
    "for n in $(cat f); do (( n )); done",
    "for n in *; do (( n )); done",
    "while IFS= read -r l; do [[ $l =~ (.*) ]]; (( BASH_REMATCH[1] )); done < f",
    "declare -A m; k=$(cat f); (( m[$k]++ ))",
    "(( x )); x=$(cat f)",
    "while :; do (( y )); y=$x; x=$(cat f); done",
];

/// The ordinary ways to count.
const READS: &[&str] = &[
    "echo $(( $(wc -l < f) + 1 ))",
    "echo $(( $(wc -l < f | tr -d ' ') + 1 ))",
    "echo $(( $(wc -l f | awk '{print $1}') + 1 ))",
    "[ $(wc -l < f) -gt 3 ]",
    "[ $(cat f) -gt 3 ]",
    "[[ $(grep -c x f) -gt 0 ]]",
    "[[ $(cat f) == yes && $(grep -c x f) -gt 0 ]]",
    "[[ $(cat f) == yes ]]",
    "(( $(date +%s) - 5 ))",
    "echo $(( $(date +%s) - $(stat -c %Y f) ))",
    "echo $(( $(nproc) * 2 ))",
    "echo $(( $(stat -c %s f) / 1024 ))",
    "echo $(( $(ls | wc -l) ))",
    "echo $(( $(cat a b | wc -l) - 2 ))",
    "echo $(( $(git ls-files | wc -l) ))",
    "echo $(( $(find . -name '*.rs' | wc -l) / 2 ))",
    "echo $(( $(git rev-list --count HEAD) + 1 ))",
    "echo $(( $(cd src && ls | wc -l) ))",
    "echo $(( $(grep -c x a) + $(grep -c y b) ))",
    "echo $(( $(jq length f.json) ))",
    "echo $(( $(awk 'END{print NR}' f) ))",
    "i=0; (( i++ ))",
    "i=0; while (( i < 3 )); do echo $i; (( i++ )); done",
    "for i in 1 2 3; do (( s += i )); done; echo $s",
    "for i in {1..5}; do echo $((i * 2)); done",
    "for i in $(seq 5); do echo $((i * 2)); done",
    "for f in *.txt; do (( n++ )); echo $n $f; done",
    "n=0; while read -r l; do echo \"$l\"; (( n++ )); done < f; echo $n",
    "n=$(wc -l < f); (( n > 3 )) && echo big",
    "n=$(ls | wc -l); echo $((n * 2))",
    "x=$(cat f); n=${#x}; echo $((n + ${#x}))",
    "mapfile -t a < f; echo $(( ${#a[@]} + 1 ))",
    "mapfile -t a < f; echo \"${a[0]} ${a[@]:1:2}\"",
    "f=$(head -1 list); n=$(echo \"$f\" | wc -l); echo $((n + 1))",
    "x=5; y=$(echo $x); echo $((y + 1))",
    "x=$(cat f); echo \"${x:0:7}\"",
    "x=$(git rev-parse HEAD); echo \"${x:0:7} $((1 + 2))\"",
    "s=$(date +%s); sleep 1; echo $(( $(date +%s) - s ))",
    "if [[ $# -gt 0 ]]; then echo $1; fi",
    "f() { local n=$1; echo $((n * 2)); }; f 4",
    "x=$(cat f); echo \"${x:-none}\"",
    "read -r x < f; echo \"$x\"; echo $((1 + 1))",
];

/// Calls that do something else, which is asked about, and calculate with nothing of others.
const NOT_CALCULATED: &[&str] = &[
    "declare -A m; while read -r k v; do m[$k]=$v; done < f; echo ${m[a]}",
    "f=$(head -1 list); n=$(wc -l < \"$f\"); echo $((n + 1))",
    "for i in 1 2 3; do (( s += i )); done",
    "export x=$(cat f); n=1; (( n++ ))",
    "read -rp \"$(cat f)\" n; echo $n",
];

#[test]
fn text_of_others_is_not_calculated_with() {
    let is_asked = |command: &&&str| {
        let judged = judge(command);
        let opaque =
            |effect: &countersign_core::Effect| effect.kind == countersign_core::EffectKind::Opaque;
        !judged.read_only && judged.effects.iter().any(opaque)
    };
    let allowed: Vec<_> = ASKED.iter().filter(|command| !is_asked(command)).collect();
    assert_eq!(allowed, Vec::<&&str>::new());
}

#[test]
fn what_is_not_calculated_is_not_said_to_be() {
    let calculated = |command: &&&str| {
        let judged = judge(command);
        let mut tags = judged.effects.iter().flat_map(|effect| &effect.tags);
        tags.any(|tag| tag == "dynamic-code")
    };
    let wrong: Vec<_> = NOT_CALCULATED.iter().filter(calculated).collect();
    assert_eq!(wrong, Vec::<&&str>::new());
}

#[test]
fn numbers_are() {
    let asked = READS.iter().filter(|command| !judge(command).read_only);
    assert_eq!(asked.collect::<Vec<_>>(), Vec::<&&str>::new());
}
