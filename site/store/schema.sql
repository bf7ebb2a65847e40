-- A site is a snapshot of its profile, with all pages up to and including log
-- row "upto" in it, and the log rows after that. The number of a site is never
-- used again: who finds another number under a name knows that the profile was
-- replaced, not only extended.
CREATE TABLE IF NOT EXISTS sites (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	name  TEXT    NOT NULL UNIQUE,
	pages INTEGER NOT NULL DEFAULT 0, -- in the snapshot
	upto  INTEGER NOT NULL DEFAULT 0,
	data  BLOB                        -- NULL for a profile without a page
);

-- Numbers of rows grow for ever, over all sites and processes.
CREATE TABLE IF NOT EXISTS log (
	id   INTEGER PRIMARY KEY AUTOINCREMENT,
	site INTEGER NOT NULL,
	data BLOB    NOT NULL
);
CREATE INDEX IF NOT EXISTS log_site ON log (site);

-- What could not be read, for people to look at; only the last of them.
CREATE TABLE IF NOT EXISTS corrupt (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	name  TEXT NOT NULL,
	why   TEXT NOT NULL,
	found TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
	data  BLOB
);
