CREATE INDEX IF NOT EXISTS articles_id ON articles (id);
CREATE INDEX IF NOT EXISTS articles_host ON articles (host, date);
