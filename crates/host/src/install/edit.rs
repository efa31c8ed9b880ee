use super::document::{Document, Splice, shape, spliced, text};
use super::error::{SettingsError, SettingsErrorKind};
use super::registration::{EVENTS, Registration};
use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::{Range, Ranged};
use std::collections::BTreeMap;

/// More steps than any real file takes.
const MAX_STEPS: usize = 1_000;

/// A byte order mark, which some editors write.
pub(super) const MARK: char = '\u{feff}';

/// Settings after an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Edited {
    /// The whole text.
    pub(crate) text: String,
    /// What was done, in order; nothing when the text is as it was.
    pub(crate) changes: Vec<Change>,
}

/// One thing that an edit did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// An event was registered.
    Added(String),
    /// An older registration was brought up to date.
    Replaced(String),
    /// A registration was taken out.
    Removed(String),
}

/// Registers the gate for every event, once each.
///
/// # Errors
/// When the settings are not what the agent's settings look like.
pub(crate) fn install(
    settings: &str,
    registration: &Registration,
) -> Result<Edited, SettingsError> {
    edit(settings, |document| {
        document.must_be_plain()?;
        if let Some(step) = tidy(document, registration)? {
            return Ok(Some(step));
        }
        EVENTS
            .into_iter()
            .find_map(|event| missing(document, registration, event).transpose())
            .transpose()
    })
}

/// Takes every registration of the gate out.
///
/// # Errors
/// When the settings are not what the agent's settings look like.
pub(crate) fn uninstall(
    settings: &str,
    registration: &Registration,
) -> Result<Edited, SettingsError> {
    edit(settings, |document| {
        let tree = Tree::of(document)?;
        let ours = tree.hooks().find(|hook| registration.owns(hook.object));
        Ok(ours.map(|hook| tree.without(document, &hook)))
    })
}

/// One change of the text, and what to do to it; the text is read anew after each.
type Step = (Vec<Splice>, Change);

fn edit(
    settings: &str,
    next: impl Fn(&Document<'_>) -> Result<Option<Step>, SettingsError>,
) -> Result<Edited, SettingsError> {
    let (mark, body) = match settings.strip_prefix(MARK) {
        Some(body) => (true, body),
        None => (false, settings),
    };
    let mut text = body.to_owned();
    let mut changes = Vec::new();
    for _ in 0..MAX_STEPS {
        let document = Document::parse(&text)?;
        let Some((splices, change)) = next(&document)? else {
            if mark {
                text.insert(0, MARK);
            }
            return Ok(Edited { text, changes });
        };
        text = spliced(&text, &splices);
        changes.push(change);
    }
    Err(SettingsError {
        line: 1,
        column: 1,
        kind: SettingsErrorKind::Endless,
    })
}

/// Brings what is registered up to date: one hook of ours an event, in a group without a matcher.
fn tidy(
    document: &Document<'_>,
    registration: &Registration,
) -> Result<Option<Step>, SettingsError> {
    let tree = Tree::of(document)?;
    let mut kept: Vec<&str> = Vec::new();
    for hook in tree.hooks().filter(|hook| registration.owns(hook.object)) {
        if !EVENTS.contains(&hook.event) || hook.is_restricted() || kept.contains(&hook.event) {
            return Ok(Some(tree.without(document, &hook)));
        }
        kept.push(hook.event);
        if !registration.differences(hook.object).is_empty() {
            return Ok(Some((
                document.replace(hook.object.range, &registration.hook()),
                Change::Replaced(hook.event.to_owned()),
            )));
        }
    }
    Ok(None)
}

/// What an event lacks until it is registered.
fn missing(
    document: &Document<'_>,
    registration: &Registration,
    event: &str,
) -> Result<Option<Step>, SettingsError> {
    let tree = Tree::of(document)?;
    if tree
        .hooks()
        .any(|hook| hook.event == event && registration.owns(hook.object))
    {
        return Ok(None);
    }
    let root = &document.root;
    let splices = match (
        tree.events,
        tree.events.and_then(|events| events.get_array(event)),
    ) {
        (None, _) => {
            let events = BTreeMap::from([(event, [registration.group()])]);
            document.append(root.range, &members(root), Some("hooks"), &events)
        }
        (Some(events), None) => {
            let groups = [registration.group()];
            document.append(events.range, &members(events), Some(event), &groups)
        }
        (Some(_), Some(groups)) => {
            document.append(groups.range, &elements(groups), None, &registration.group())
        }
    };
    Ok(Some((splices, Change::Added(event.to_owned()))))
}

/// The hooks in settings, their shape checked.
pub(super) struct Tree<'d> {
    property: Option<Range>,
    events: Option<&'d Object<'d>>,
}

/// A hook and where it stands.
pub(super) struct Placed<'d> {
    pub(super) event: &'d str,
    pub(super) object: &'d Object<'d>,
    event_property: Range,
    groups: &'d Array<'d>,
    group: &'d Object<'d>,
    hooks: &'d Array<'d>,
}

impl<'d> Tree<'d> {
    pub(super) fn of(document: &'d Document<'_>) -> Result<Self, SettingsError> {
        once(document, &document.root, "", Some("hooks"))?;
        let Some(property) = document.root.get("hooks") else {
            return Ok(Self {
                property: None,
                events: None,
            });
        };
        let events = object(document, &property.value, "`hooks`")?;
        once(document, events, "hooks.", None)?;
        for event in &events.properties {
            let name = format!("`hooks.{}`", event.name.as_str());
            for group in &array(document, &event.value, &name)?.elements {
                let group = object(document, group, &format!("a group in {name}"))?;
                once(document, group, "", Some("hooks"))?;
                let Some(hooks) = group.get("hooks") else {
                    continue;
                };
                let name = format!("`hooks` of a group in {name}");
                for hook in &array(document, &hooks.value, &name)?.elements {
                    object(document, hook, &format!("a hook in {name}"))?;
                }
            }
        }
        Ok(Self {
            property: Some(property.range),
            events: Some(events),
        })
    }

    pub(super) fn hooks(&self) -> impl Iterator<Item = Placed<'d>> {
        let events = self
            .events
            .into_iter()
            .flat_map(|events| &events.properties);
        events
            .filter_map(|event| Some((event, event.value.as_array()?)))
            .flat_map(|(event, groups)| {
                let objects = groups.elements.iter().filter_map(Value::as_object);
                objects.map(move |group| (event, groups, group))
            })
            .filter_map(|(event, groups, group)| {
                Some((event, groups, group, group.get_array("hooks")?))
            })
            .flat_map(|(event, groups, group, hooks)| {
                let objects = hooks.elements.iter().filter_map(Value::as_object);
                objects.map(move |object| Placed {
                    event: event.name.as_str(),
                    object,
                    event_property: event.range,
                    groups,
                    group,
                    hooks,
                })
            })
    }

    /// Takes a hook out, with the containers that hold nothing else.
    fn without(&self, document: &Document<'_>, hook: &Placed<'_>) -> Step {
        let mut gone = hook.object.range;
        let events = self
            .events
            .map_or((0, gone), |events| (events.properties.len(), events.range));
        let containers = [
            (
                hook.hooks.elements.len(),
                hook.group.range,
                hook.group.range,
            ),
            (
                hook.groups.elements.len(),
                hook.groups.range,
                hook.event_property,
            ),
            (events.0, events.1, self.property.unwrap_or(gone)),
        ];
        for (members, container, whole) in containers {
            if members != 1 || document.has_comment(container, gone) {
                break;
            }
            gone = whole;
        }
        (
            document.remove(gone),
            Change::Removed(hook.event.to_owned()),
        )
    }
}

impl Placed<'_> {
    /// Whether the hook is called for some of the event's calls only.
    pub(super) fn is_restricted(&self) -> bool {
        match self.group.get("matcher").map(|matcher| &matcher.value) {
            None | Some(Value::NullKeyword(_)) => false,
            Some(Value::StringLit(matcher)) => !matches!(&*matcher.value, "" | "*"),
            Some(_) => true,
        }
    }

    /// What the hook runs or calls, for people.
    pub(super) fn what(&self) -> &str {
        ["command", "url", "type"]
            .into_iter()
            .find_map(|name| text(self.object, name))
            .unwrap_or("something unnamed")
    }
}

fn once(
    document: &Document<'_>,
    object: &Object<'_>,
    within: &str,
    only: Option<&str>,
) -> Result<(), SettingsError> {
    for (index, property) in object.properties.iter().enumerate() {
        let name = property.name.as_str();
        let earlier = object.properties.iter().take(index);
        if only.is_none_or(|only| only == name)
            && earlier.into_iter().any(|other| other.name.as_str() == name)
        {
            let name = crate::reason::visible(&format!("`{within}{name}`"));
            return Err(document.error(property.range.start, SettingsErrorKind::Twice(name)));
        }
    }
    Ok(())
}

fn object<'v, 'a>(
    document: &Document<'_>,
    value: &'v Value<'a>,
    what: &str,
) -> Result<&'v Object<'a>, SettingsError> {
    value
        .as_object()
        .ok_or_else(|| document.error(value.start(), shape(what, value, "an object")))
}

fn array<'v, 'a>(
    document: &Document<'_>,
    value: &'v Value<'a>,
    what: &str,
) -> Result<&'v Array<'a>, SettingsError> {
    value
        .as_array()
        .ok_or_else(|| document.error(value.start(), shape(what, value, "an array")))
}

fn members(object: &Object<'_>) -> Vec<Range> {
    object
        .properties
        .iter()
        .map(|property| property.range)
        .collect()
}

fn elements(array: &Array<'_>) -> Vec<Range> {
    array.elements.iter().map(Ranged::range).collect()
}
