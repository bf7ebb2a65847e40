-- authors, images and comments are JSON, for json_each. host is that of the url.
CREATE TABLE articles (
	record     INTEGER PRIMARY KEY,
	id         TEXT NOT NULL,
	url        TEXT NOT NULL,
	host       TEXT NOT NULL,
	title      TEXT NOT NULL,
	text       TEXT NOT NULL,
	authors    TEXT NOT NULL,
	date       TEXT NOT NULL,
	modified   TEXT NOT NULL,
	lang       TEXT NOT NULL,
	site       TEXT NOT NULL,
	images     TEXT NOT NULL,
	comments   TEXT NOT NULL,
	type       TEXT NOT NULL,
	confidence REAL NOT NULL,
	method     TEXT NOT NULL,
	form       TEXT NOT NULL,
	paywalled  INTEGER NOT NULL,
	partial    INTEGER NOT NULL,
	error      TEXT NOT NULL,
	kind       TEXT NOT NULL
);
