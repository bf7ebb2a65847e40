INSERT INTO articles (record, id, url, host, title, text, authors, date, modified, lang, site, images, comments, type, confidence, method, form, paywalled, partial, partial_reason, error, kind)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
