//! rs-trafilatura for lede's pipe protocol: one page a line in, one answer a line out.
//! See ../README.md for the fields.

use std::io::{self, BufRead, Write};
use std::panic;
use std::time::Instant;

use rs_trafilatura::{Options, extract_with_options};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Hello {
    name: &'static str,
    version: &'static str,
    language: &'static str,
}

#[derive(Deserialize)]
struct Page {
    id: String,
    #[serde(default)]
    url: String,
    html: String,
}

#[derive(Serialize, Default)]
struct Answer {
    id: String,
    title: String,
    text: String,
    authors: Vec<String>,
    date: String,
    #[serde(rename = "type")]
    kind: &'static str,
    error: String,
    parse_ms: f64, // always 0: the library does not accept a parsed page
    time_ms: f64,
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let hello = Hello {
        name: "rs-trafilatura",
        version: "0.2.2",
        language: "Rust",
    };
    say(&mut out, &hello)?;
    for line in io::stdin().lock().lines() {
        let answer = match serde_json::from_str::<Page>(&line?) {
            Ok(page) => extract(page),
            Err(e) => Answer {
                error: format!("the page's line: {e}"),
                ..Answer::default()
            },
        };
        say(&mut out, &answer)?;
    }
    Ok(())
}

/// Writes and flushes a line.
fn say(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Extracts with the library's defaults; a panic in it is the error of this page.
fn extract(page: Page) -> Answer {
    let options = Options {
        url: (!page.url.is_empty()).then_some(page.url),
        ..Options::default()
    };
    let start = Instant::now();
    let result = panic::catch_unwind(|| extract_with_options(&page.html, &options));
    let answer = Answer {
        id: page.id,
        time_ms: start.elapsed().as_secs_f64() * 1000.0,
        ..Answer::default()
    };
    match result {
        Err(_) => Answer {
            error: "panic".into(),
            ..answer
        },
        Ok(Err(e)) => Answer {
            error: e.to_string(),
            ..answer
        },
        Ok(Ok(r)) if r.content_text.trim().is_empty() => Answer {
            error: "no text found".into(),
            ..answer
        },
        Ok(Ok(r)) => Answer {
            title: r.metadata.title.unwrap_or_default(),
            text: r.content_text,
            authors: names(&r.metadata.author.unwrap_or_default()),
            date: r.metadata.date.map(|d| d.to_rfc3339()).unwrap_or_default(),
            kind: kind(r.metadata.page_type.as_deref()),
            ..answer
        },
    }
}

/// The library joins the names of authors with semicolons.
fn names(joined: &str) -> Vec<String> {
    joined
        .split(';')
        .map(str::trim)
        .filter(|n| !n.is_empty())
        .map(Into::into)
        .collect()
}

/// Maps its seven page types to the three of lede.
fn kind(page_type: Option<&str>) -> &'static str {
    match page_type {
        None => "",
        Some("article") => "article",
        Some("listing") => "index",
        Some(_) => "other",
    }
}
