-- A site is a snapshot of its profile, with all pages up to and including log row
-- "upto", and the log rows after that. The id of a site is never reused: a new id
-- under the same name means that the profile was replaced, not only extended.
CREATE TABLE IF NOT EXISTS sites (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	name  TEXT    NOT NULL UNIQUE,
	pages INTEGER NOT NULL DEFAULT 0, -- in the snapshot
	upto  INTEGER NOT NULL DEFAULT 0,
	data  BLOB                        -- NULL for a profile without a page
);

-- The ids of rows increase over all sites and processes.
CREATE TABLE IF NOT EXISTS log (
	id   INTEGER PRIMARY KEY AUTOINCREMENT,
	site INTEGER NOT NULL,
	data BLOB    NOT NULL
);
CREATE INDEX IF NOT EXISTS log_site ON log (site);

-- The latest records that could not be read, for inspection.
CREATE TABLE IF NOT EXISTS corrupt (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	name  TEXT NOT NULL,
	why   TEXT NOT NULL,
	found TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
	data  BLOB
);

-- The pages that each site has learned from, by their hashes, so that reading a page
-- again adds nothing. Files of older versions get the table when they are opened.
CREATE TABLE IF NOT EXISTS seen (
	site INTEGER NOT NULL,
	page INTEGER NOT NULL,
	PRIMARY KEY (site, page)
) WITHOUT ROWID;
