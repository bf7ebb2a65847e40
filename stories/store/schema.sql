-- An index of articles. Times are milliseconds since 1970; NULL is unknown.

CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value ANY NOT NULL
) WITHOUT ROWID, STRICT;

-- What was added. An article that changes has a row for each version.
CREATE TABLE articles (
	number    INTEGER PRIMARY KEY,
	node      INTEGER NOT NULL,
	id_key    INTEGER NOT NULL, -- hash of the id
	url_key   INTEGER NOT NULL, -- hash of the URL
	id        TEXT NOT NULL,
	url       TEXT NOT NULL,
	site      TEXT NOT NULL,
	title     TEXT NOT NULL,
	lang      TEXT NOT NULL,
	published INTEGER,
	seen      INTEGER
) STRICT;

CREATE INDEX articles_id ON articles (id_key, node);
CREATE INDEX articles_url ON articles (url_key);
CREATE INDEX articles_node ON articles (node);

-- Texts, each once: articles with the same text share a node.
CREATE TABLE nodes (
	id        INTEGER PRIMARY KEY,
	hash      BLOB NOT NULL,
	size      INTEGER NOT NULL, -- bytes of the text
	shingles  INTEGER NOT NULL,
	time      INTEGER NOT NULL, -- by which stories are found
	first     INTEGER NOT NULL, -- the earliest article with this text, its id and dates
	first_id  TEXT NOT NULL,
	published INTEGER,
	seen      INTEGER,
	story     INTEGER NOT NULL,
	score     REAL NOT NULL,    -- of joining the story, if it is not a copy
	reason    TEXT NOT NULL,
	parent    INTEGER NOT NULL, -- node that it is a copy of; 0 if none
	root      INTEGER NOT NULL, -- the original when it came, which may have become a copy since; 0 if none
	likeness  REAL NOT NULL,    -- what it shares with its parent
	in_own    REAL NOT NULL,
	in_parent REAL NOT NULL,
	shared    INTEGER NOT NULL
) STRICT;

CREATE INDEX nodes_hash ON nodes (hash);
CREATE INDEX nodes_story ON nodes (story, parent, time);

-- Texts, compressed with zstd.
CREATE TABLE texts (
	node INTEGER PRIMARY KEY,
	body BLOB NOT NULL
) STRICT;

-- What is compared of texts that were not copies when they came.
CREATE TABLE vectors (
	node INTEGER PRIMARY KEY,
	data BLOB NOT NULL
) STRICT;

CREATE TABLE stories (
	id       INTEGER PRIMARY KEY,
	founder  INTEGER NOT NULL, -- article that opened it
	articles INTEGER NOT NULL,
	start    INTEGER,          -- of the articles with a known time
	latest   INTEGER
) STRICT;

-- Which nodes have a key in common: numbers of nodes, four bytes each. Keys of buckets
-- are of texts that may be copies; keys of postings are of terms, within a few days.
CREATE TABLE buckets (
	key   INTEGER PRIMARY KEY,
	nodes BLOB NOT NULL
) STRICT;

CREATE TABLE postings (
	key   INTEGER PRIMARY KEY,
	nodes BLOB NOT NULL
) STRICT;
