// Reads a JSON list of Markdown texts and writes an object: for each renderer the
// list of their HTML.
import { readFileSync } from 'node:fs'
import { HtmlRenderer, Parser } from 'commonmark'
import MarkdownIt from 'markdown-it'
import { marked } from 'marked'

const plain = new MarkdownIt()
const open = new MarkdownIt({ html: true, linkify: true })
const parser = new Parser()
const writer = new HtmlRenderer()

const renderers = {
  'markdown-it': text => plain.render(text),
  'markdown-it with HTML': text => open.render(text),
  marked: text => marked.parse(text),
  'commonmark.js': text => writer.render(parser.parse(text))
}

const texts = JSON.parse(readFileSync(0, 'utf8'))
const out = {}
for (const [name, render] of Object.entries(renderers)) out[name] = texts.map(render)
process.stdout.write(JSON.stringify(out))
