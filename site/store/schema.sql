-- The version of a profile is a new random number whenever it is written, by which
-- processes that have it in memory see that it has changed.
CREATE TABLE IF NOT EXISTS sites (
	name    TEXT    PRIMARY KEY,
	version INTEGER NOT NULL,
	pages   INTEGER NOT NULL,
	profile TEXT    NOT NULL -- JSON
);
