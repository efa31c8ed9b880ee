//! What programs take for a secret: the options, and the words that stand for themselves.

/// One kind of program.
pub(super) struct Row {
    pub(super) programs: &'static [&'static str],
    /// The word that must come first, where only one part of the program does so.
    pub(super) part: Option<&'static str>,
    /// Options whose value is a secret, in a word of its own or joined to a long one by `=`.
    pub(super) options: &'static [&'static str],
    /// Short options whose value is joined to them.
    pub(super) glued: &'static [&'static str],
    /// Options whose value is a name, one of `separators`, and a secret.
    pub(super) pairs: &'static [&'static str],
    /// What stands between the two.
    pub(super) separators: &'static [char],
    /// A name of a secret is followed by its value.
    pub(super) names: bool,
    /// How many plain words come before the one that is a secret.
    pub(super) plain: Option<usize>,
}

const NONE: Row = Row {
    programs: &[],
    part: None,
    options: &[],
    glued: &[],
    pairs: &[],
    separators: &[':'],
    names: false,
    plain: None,
};

pub(super) const ROWS: &[Row] = &[
    Row {
        programs: &[
            "mysql",
            "mysqladmin",
            "mysqlbinlog",
            "mysqlcheck",
            "mysqldump",
            "mysqlimport",
            "mysqlpump",
            "mysqlshow",
            "mysqlslap",
            "mysqlsh",
            "mariadb",
            "mariadb-admin",
            "mariadb-check",
            "mariadb-dump",
            "mariadb-import",
            "mariadb-show",
            "mycli",
            "7z",
            "7za",
            "7zr",
            "rar",
            "unrar",
        ],
        glued: &["-p"],
        ..NONE
    },
    Row {
        programs: &[
            "docker", "podman", "nerdctl", "buildah", "skopeo", "crane", "oras", "helm", "az", "oc",
        ],
        part: Some("login"),
        options: &["-p"],
        glued: &["-p"],
        ..NONE
    },
    Row {
        programs: &["sshpass"],
        options: &["-p"],
        glued: &["-p"],
        ..NONE
    },
    Row {
        programs: &["curl"],
        options: &["--oauth2-bearer", "--pass", "--proxy-pass"],
        pairs: &["-u", "--user", "-U", "--proxy-user", "-E", "--cert"],
        ..NONE
    },
    Row {
        programs: &["http", "https", "xh", "xhs"],
        pairs: &["-a", "--auth"],
        ..NONE
    },
    Row {
        programs: &["smbclient", "rpcclient", "net", "smbget"],
        pairs: &["-U", "--user"],
        separators: &['%'],
        ..NONE
    },
    Row {
        programs: &["lftp"],
        pairs: &["-u", "--user"],
        separators: &[','],
        ..NONE
    },
    Row {
        programs: &["redis-cli", "valkey-cli", "keydb-cli"],
        options: &["-a", "--pass"],
        ..NONE
    },
    Row {
        programs: &[
            "ldapsearch",
            "ldapadd",
            "ldapmodify",
            "ldapdelete",
            "ldappasswd",
            "ldapwhoami",
            "ldapcompare",
            "ldapmodrdn",
        ],
        options: &["-w", "-s"],
        glued: &["-w"],
        ..NONE
    },
    Row {
        programs: &[
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "mongostat",
            "mongotop",
        ],
        options: &["-p"],
        glued: &["-p"],
        ..NONE
    },
    Row {
        programs: &[
            "sqlcmd",
            "bcp",
            "ipmitool",
            "zip",
            "unzip",
            "zipcloak",
            "mosquitto_pub",
            "mosquitto_sub",
        ],
        options: &["-P"],
        glued: &["-P"],
        ..NONE
    },
    Row {
        programs: &["openssl"],
        options: &[
            "-passin", "-passout", "-pass", "-k", "-K", "-passwd", "-hmac",
        ],
        ..NONE
    },
    Row {
        programs: &["keytool", "jarsigner", "apksigner"],
        options: &[
            "-storepass",
            "-keypass",
            "-srcstorepass",
            "-deststorepass",
            "-srckeypass",
            "-destkeypass",
            "-new",
        ],
        ..NONE
    },
    Row {
        programs: &["gpg", "gpg2"],
        options: &["--passphrase"],
        ..NONE
    },
    Row {
        programs: &["security"],
        options: &["-w", "-p"],
        ..NONE
    },
    Row {
        programs: &["gh"],
        part: Some("secret"),
        options: &["-b", "--body"],
        glued: &["-b"],
        ..NONE
    },
    Row {
        programs: &["kubectl", "oc"],
        options: &["--docker-password"],
        pairs: &["--from-literal"],
        separators: &['='],
        ..NONE
    },
    Row {
        programs: &[
            "aws", "npm", "pnpm", "yarn", "git", "nmcli", "gcloud", "pip", "poetry", "composer",
            "bundle", "az",
        ],
        names: true,
        ..NONE
    },
    Row {
        programs: &["cargo", "vault", "heroku", "flyctl", "fly", "railway"],
        part: Some("login"),
        plain: Some(0),
        ..NONE
    },
    Row {
        programs: &["htpasswd"],
        part: Some("-b"),
        plain: Some(2),
        ..NONE
    },
    Row {
        programs: &["htpasswd"],
        part: Some("-nb"),
        plain: Some(1),
        ..NONE
    },
];
