use super::super::read::Unknown;

/// The kind of file of an entry that stands for another repository.
const LINK: u32 = 0o160_000;
const KIND: u32 = 0o170_000;

/// The paths of the other repositories (submodules) in an index (gitformat-index(5)) whose object
/// names have `hash` bytes. Git looks into each of them when it looks at the work tree.
pub(super) fn links(bytes: &[u8], hash: usize) -> Result<Vec<Vec<u8>>, Unknown> {
    let mut index = Index {
        bytes,
        hash,
        version: word(bytes, 4)?,
        at: 12,
        name: Vec::new(),
    };
    if !bytes.starts_with(b"DIRC") || !(2..=4).contains(&index.version) {
        return Err(Unknown);
    }
    let mut starts = Vec::new();
    let mut links = Vec::new();
    for _ in 0..word(bytes, 8)? {
        starts.push(index.at);
        if index.entry()? & KIND == LINK {
            links.push(index.name.clone());
        }
    }
    extensions(bytes, hash, index.at, &starts)?;
    Ok(links)
}

#[derive(Debug)]
struct Index<'a> {
    bytes: &'a [u8],
    hash: usize,
    version: u32,
    at: usize,
    /// The path of the last entry; version 4 builds the next one upon it.
    name: Vec<u8>,
}

impl Index<'_> {
    /// Reads one entry and returns its mode.
    fn entry(&mut self) -> Result<u32, Unknown> {
        let start = self.at;
        let mode = word(self.bytes, start + 24)?;
        let mut at = start + 40 + self.hash;
        let flags = u16::from_be_bytes(array(self.bytes, at)?);
        at += 2;
        if flags & 0x4000 != 0 {
            at += 2;
        }
        let mut kept = 0;
        if self.version == 4 {
            let (stripped, after) = variable(self.bytes, at)?;
            kept = self.name.len().checked_sub(stripped).ok_or(Unknown)?;
            at = after;
        }
        let rest = self.bytes.get(at..).ok_or(Unknown)?;
        let length = rest.iter().position(|&byte| byte == 0).ok_or(Unknown)?;
        self.name.truncate(kept);
        self.name.extend(rest.iter().take(length));
        // Git believes the flags where a path is short, so both have to say the same.
        if usize::from(flags & 0xfff) != self.name.len().min(0xfff) {
            return Err(Unknown);
        }
        let end = at + length;
        self.at = match self.version {
            4 => end + 1,
            _ => start + ((end - start + 8) & !7),
        };
        Ok(mode)
    }
}

/// What follows the entries must not lead git to other entries than the ones that were read.
fn extensions(bytes: &[u8], hash: usize, start: usize, starts: &[usize]) -> Result<(), Unknown> {
    let end = bytes.len().checked_sub(hash).ok_or(Unknown)?;
    // Git looks for the end of the entries at a place counted from the end.
    if let Some(at) = end.checked_sub(12 + hash)
        && bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(b"EOIE"))
        && offset(bytes, at + 8)? != start
    {
        return Err(Unknown);
    }
    let mut at = start;
    while at + 8 <= end {
        let length = offset(bytes, at + 4)?;
        match &array::<4>(bytes, at)? {
            // A shared index, or directories in place of their entries.
            b"link" | b"sdir" => return Err(Unknown),
            b"IEOT" => {
                let table = bytes.get(at + 12..at + 8 + length).ok_or(Unknown)?;
                blocks(table, starts)?;
            }
            _ => {}
        }
        at += 8 + length;
    }
    Ok(())
}

/// A table of entry offsets: blocks of entries that git reads at the same time.
fn blocks(table: &[u8], starts: &[usize]) -> Result<(), Unknown> {
    let mut entries = 0;
    for block in table.chunks(8) {
        if starts.get(entries) != Some(&offset(block, 0)?) {
            return Err(Unknown);
        }
        entries += offset(block, 4)?;
    }
    if entries == starts.len() {
        Ok(())
    } else {
        Err(Unknown)
    }
}

/// A number of the form that version 4 writes before a path, and where it ends.
fn variable(bytes: &[u8], start: usize) -> Result<(usize, usize), Unknown> {
    let mut value: usize = 0;
    for at in start..start + 4 {
        let byte = usize::from(*bytes.get(at).ok_or(Unknown)?);
        value = (value << 7) + (byte & 127);
        if byte & 128 == 0 {
            return Ok((value, at + 1));
        }
        value += 1;
    }
    Err(Unknown)
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], Unknown> {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk().copied())
        .ok_or(Unknown)
}

fn word(bytes: &[u8], at: usize) -> Result<u32, Unknown> {
    array(bytes, at).map(u32::from_be_bytes)
}

fn offset(bytes: &[u8], at: usize) -> Result<usize, Unknown> {
    usize::try_from(word(bytes, at)?).map_err(|_| Unknown)
}
