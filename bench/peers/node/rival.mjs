// A JavaScript extractor for lede's pipe protocol: rival.mjs NAME
//
// Reads one page a line and answers each with a line; ../README.md describes the
// fields. Both libraries are called as in their documentation, with default
// settings, and none may use the network.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { blocks } from './plaintext.mjs';

// One function for each library: it prepares the library and returns a function
// that extracts a page. That calls clock.done() as soon as the library returns:
// converting the result is not timed.
const rivals = {
  async 'readability.js'() {
    const { JSDOM, VirtualConsole } = await import('jsdom');
    const { Readability } = await import('@mozilla/readability');
    return async (page, clock) => {
      const dom = new JSDOM(page.html, {
        url: page.url || undefined,
        virtualConsole: new VirtualConsole(), // otherwise it logs errors in style sheets
      });
      clock.parsed();
      const article = new Readability(dom.window.document).parse();
      clock.done();
      dom.window.close();
      if (!article) return {};
      return { title: article.title, text: blocks(article.content), authors: [article.byline], date: article.publishedTime };
    };
  },

  async defuddle() {
    const { parseHTML } = await import('linkedom');
    const { Defuddle } = await import('defuddle/node');
    return async (page, clock) => {
      const { document } = parseHTML(page.html);
      clock.parsed();
      const article = await Defuddle(document, page.url || undefined);
      clock.done();
      return { title: article.title, text: blocks(article.content), authors: [article.author], date: article.published };
    };
  },
};

const packages = { 'readability.js': '@mozilla/readability', defuddle: 'defuddle' };

class Clock {
  parse = 0;
  total = undefined;
  #start = performance.now();
  parsed() { this.parse = performance.now() - this.#start; }
  done() { this.total = performance.now() - this.#start; }
}

async function answer(page, extract) {
  const clock = new Clock();
  let got = {};
  let error = '';
  try {
    got = await extract(page, clock);
    if (!got.text) error = 'no text found';
  } catch (e) { // an error on this page
    error = String(e).slice(0, 200);
  }
  if (clock.total === undefined) clock.done();
  return {
    id: page.id,
    title: got.title ?? '',
    text: got.text ?? '',
    authors: (got.authors ?? []).filter(Boolean),
    date: got.date ?? '',
    type: '',
    error,
    parse_ms: clock.parse,
    time_ms: clock.total,
  };
}

const name = process.argv[2];
if (!Object.hasOwn(rivals, name)) {
  console.error('usage: rival.mjs ' + Object.keys(rivals).join('|'));
  process.exit(2);
}
// Output of libraries must not go to the pipe.
const pipe = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
globalThis.fetch = async () => { throw new Error('a rival does not use the network'); };

const say = (line) => pipe(JSON.stringify(line) + '\n');
const extract = await rivals[name]();
const main = createRequire(import.meta.url).resolve(packages[name]);
say({ name, version: await version(main, packages[name]), language: 'JavaScript' });
for await (const line of createInterface({ input: process.stdin })) {
  say(await answer(JSON.parse(line), extract));
}

// version reads the version from the package.json of a file, since not every package
// exports it.
async function version(file, of) {
  const { readFile } = await import('node:fs/promises');
  const folder = file.slice(0, file.lastIndexOf(of) + of.length);
  return JSON.parse(await readFile(folder + '/package.json', 'utf8')).version;
}
