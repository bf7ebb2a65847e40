-- The state of a Follower. Times are milliseconds since 1970, 0 for none. The tables
-- are STRICT so that the check of a file also finds values of wrong types.

CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value BLOB NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE sites (
	id       INTEGER PRIMARY KEY,
	url      TEXT NOT NULL UNIQUE,
	visited  INTEGER NOT NULL DEFAULT 0, -- end of the last visit
	next     INTEGER NOT NULL DEFAULT 0, -- when to visit it again
	stories  INTEGER NOT NULL DEFAULT 0, -- written so far
	new      INTEGER NOT NULL DEFAULT 0, -- written in the last visit
	errors   INTEGER NOT NULL DEFAULT 0, -- of the last visit
	others   INTEGER NOT NULL DEFAULT 0, -- pages that were no stories
	failed   INTEGER NOT NULL DEFAULT 0, -- pages that were given up
	note     TEXT NOT NULL DEFAULT '',   -- why the last of those is no story
	reason   TEXT NOT NULL DEFAULT '',   -- why the last visit found nothing, or was cut short
	probed   INTEGER NOT NULL DEFAULT 0, -- when an address that does not exist was fetched
	missing_title BLOB,                  -- hash of its title, if the status was 200
	missing_text  BLOB                   -- likewise
) STRICT;

-- Feeds, sitemaps, home pages and sections.
CREATE TABLE sources (
	id       INTEGER PRIMARY KEY,
	site     INTEGER NOT NULL,
	key      TEXT NOT NULL,
	url      TEXT NOT NULL,
	way      INTEGER NOT NULL,
	guessed  INTEGER NOT NULL DEFAULT 0, -- nothing names it
	depth    INTEGER NOT NULL DEFAULT 0, -- of a sitemap within others
	etag     TEXT NOT NULL DEFAULT '',
	modified TEXT NOT NULL DEFAULT '',   -- Last-Modified
	visited  INTEGER NOT NULL DEFAULT 0,
	read     INTEGER NOT NULL DEFAULT 0, -- when it was read successfully
	next     INTEGER NOT NULL DEFAULT 0,
	every    INTEGER NOT NULL DEFAULT 0, -- nanoseconds between two visits
	failures INTEGER NOT NULL DEFAULT 0, -- in a row
	error    TEXT NOT NULL DEFAULT '',   -- or what is wrong with it
	found    INTEGER NOT NULL DEFAULT 0, -- addresses of stories
	UNIQUE (site, key)
) STRICT;

CREATE TABLE pages (
	key       TEXT PRIMARY KEY,
	url       TEXT NOT NULL,               -- to fetch
	canonical TEXT NOT NULL DEFAULT '',    -- as written, if it is another
	site      INTEGER NOT NULL,
	state     INTEGER NOT NULL,
	ways      INTEGER NOT NULL,            -- by which it was found
	link_text TEXT NOT NULL DEFAULT '',
	seen      INTEGER NOT NULL,            -- first
	published INTEGER NOT NULL DEFAULT 0,  -- as the source says
	updated   INTEGER NOT NULL DEFAULT 0,  -- likewise
	fetched   INTEGER NOT NULL DEFAULT 0,
	next      INTEGER NOT NULL DEFAULT 0,  -- no request before
	tries     INTEGER NOT NULL DEFAULT 0,  -- that failed, or found nothing new
	etag      TEXT NOT NULL DEFAULT '',
	modified  TEXT NOT NULL DEFAULT '',
	hash      BLOB,                        -- of headline and text
	prose     BLOB,                        -- of its longest paragraphs
	title     BLOB,                        -- of the headline
	note      TEXT NOT NULL DEFAULT ''     -- the story that it is a copy of, or an error
) WITHOUT ROWID, STRICT;

CREATE INDEX pages_queue ON pages (site, next) WHERE state = 0;
CREATE INDEX pages_doubtful ON pages (site) WHERE state = 6;
CREATE INDEX pages_hash ON pages (site, hash) WHERE hash IS NOT NULL;
CREATE INDEX pages_title ON pages (site, title) WHERE title IS NOT NULL;

-- How many pages with addresses of a form were stories.
CREATE TABLE forms (
	site    INTEGER NOT NULL,
	form    TEXT NOT NULL,
	stories INTEGER NOT NULL DEFAULT 0,
	others  INTEGER NOT NULL DEFAULT 0,
	copies  INTEGER NOT NULL DEFAULT 0, -- of stories with another address
	probes  INTEGER NOT NULL DEFAULT 0, -- fetched to find out
	PRIMARY KEY (site, form)
) WITHOUT ROWID, STRICT;

-- What is known about hosts, as JSON.
CREATE TABLE hosts (
	kind TEXT NOT NULL, -- host or robots
	name TEXT NOT NULL,
	data BLOB NOT NULL,
	PRIMARY KEY (kind, name)
) WITHOUT ROWID, STRICT;
