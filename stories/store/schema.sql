-- An index of articles. Times are milliseconds since 1970; NULL is unknown. The tables
-- are STRICT so that a check of the file also finds values of wrong types.

CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value BLOB NOT NULL
) WITHOUT ROWID, STRICT;

-- What was added. An article that changes has a row for each version.
CREATE TABLE articles (
	number    INTEGER PRIMARY KEY,
	node      INTEGER NOT NULL,
	id_key    INTEGER NOT NULL, -- hash of the id
	url_key   INTEGER NOT NULL, -- hash of the address
	id        TEXT NOT NULL,
	url       TEXT NOT NULL,
	site      TEXT NOT NULL,
	title     TEXT NOT NULL,
	lang      TEXT NOT NULL,
	published INTEGER,
	seen      INTEGER,
	time      INTEGER NOT NULL  -- by which it is ordered
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
	time      INTEGER NOT NULL,
	articles  INTEGER NOT NULL, -- how many have this text
	first     INTEGER NOT NULL, -- the article that precedes the others, its id and dates
	first_id  TEXT NOT NULL,
	published INTEGER,
	seen      INTEGER,
	story     INTEGER NOT NULL,
	score     REAL NOT NULL,    -- of joining the story, if it is no copy
	reason    TEXT NOT NULL,
	counted   INTEGER NOT NULL, -- 1 if its terms are among the frequencies
	family    INTEGER NOT NULL, -- 0 if it has no copies
	parent    INTEGER NOT NULL, -- node of which it is a copy; 0 if none
	likeness  REAL NOT NULL,    -- to the parent, and what they share
	in_own    REAL NOT NULL,
	in_parent REAL NOT NULL,
	shared    INTEGER NOT NULL
) STRICT;

CREATE INDEX nodes_story ON nodes (story, parent, time);
CREATE INDEX nodes_parent ON nodes (parent) WHERE parent > 0;

-- Texts, compressed with zstd.
CREATE TABLE texts (
	node INTEGER PRIMARY KEY,
	body BLOB NOT NULL
) STRICT;

-- What is compared of texts that were no copies when they came.
CREATE TABLE vectors (
	node INTEGER PRIMARY KEY,
	data BLOB NOT NULL
) STRICT;

-- Trees of copies.
CREATE TABLE families (
	id    INTEGER PRIMARY KEY,
	root  INTEGER NOT NULL, -- node of the original
	nodes INTEGER NOT NULL
) STRICT;

CREATE TABLE stories (
	id       INTEGER PRIMARY KEY,
	founder  INTEGER NOT NULL, -- article that opened it
	articles INTEGER NOT NULL,
	start    INTEGER NOT NULL,
	latest   INTEGER NOT NULL
) STRICT;

CREATE INDEX stories_start ON stories (start);

-- Stories whose articles have all become part of others. What was said of them before
-- leads to where the article is that opened them.
CREATE TABLE ended (
	id      INTEGER PRIMARY KEY,
	founder INTEGER NOT NULL
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

-- Entries of buckets and postings that are not yet in their tables.
CREATE TABLE pending (
	id         INTEGER PRIMARY KEY,
	generation INTEGER NOT NULL,
	entries    BLOB NOT NULL
) STRICT;
