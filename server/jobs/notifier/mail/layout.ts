import { LONGEST_LINE } from '#machines/contracts/scalars.ts'
import { shortened } from '#machines/rules/plain-text.ts'
import type { Letter } from './letter.ts'

/** What letters are made of. */
export type Block =
  | { is: 'text'; text: string }
  /** `isAside`: another way beside the one the letter is about */
  | { is: 'link'; label: string; href: string; isAside?: true }
  /** to be read out or typed */
  | { is: 'code'; code: string }
  /** what is said of one thing: a name and a value each */
  | { is: 'rows'; rows: [string, string][] }
  /** one of many each: what it is, and a line about it */
  | { is: 'list'; items: [string, string][] }

/**
 * The same blocks as text and as HTML. The HTML loads nothing and names no colour for ground or ink, so that it is
 * readable with the reader's own, light or dark; the one coloured thing brings both of its colours. Of a subject that is too long
 * for the record the HTML tells all.
 */
export function layOut(
  subject: string,
  blocks: readonly Block[],
): Pick<Letter, 'subject' | 'text' | 'html' | 'links'> {
  const clean = blocks.map(cleaned)
  return {
    subject: shortened(onOneLine(subject), LONGEST_LINE),
    text: `${clean.map(asText).join('\n\n')}\n`,
    html: page(subject, clean.map(asHtml).join('\n')),
    links: clean.flatMap((block) => (block.is === 'link' ? [block.href] : [])),
  }
}

/** Names come from people: one with a line break in it must not look like a paragraph of ours. */
function cleaned(block: Block): Block {
  if (block.is === 'text') return { ...block, text: onOneLine(block.text) }
  if (block.is === 'list')
    return { ...block, items: block.items.map(([name, about]) => [onOneLine(name), onOneLine(about)]) }
  if (block.is === 'rows')
    return { ...block, rows: block.rows.map(([name, value]) => [name, onOneLine(value)]) }
  return block
}

const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')

function asText(block: Block): string {
  if (block.is === 'text') return block.text
  if (block.is === 'code') return `    ${block.code}`
  if (block.is === 'list') return block.items.map(([name, about]) => `- ${name}\n  ${about}`).join('\n')
  if (block.is === 'rows') return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${block.label}:\n${block.href}`
}

function asHtml(block: Block): string {
  if (block.is === 'text') return `<p>${escaped(block.text)}</p>`
  if (block.is === 'code')
    return `<p style="font-size:1.75rem;font-family:monospace;letter-spacing:.2em;margin:0">${escaped(block.code)}</p>`
  if (block.is === 'list') return `<ul style="padding-left:1.25rem">${block.items.map(asItem).join('')}</ul>`
  if (block.is === 'rows')
    return `<table style="border-collapse:collapse">${block.rows.map(asRow).join('')}</table>`
  const href = escaped(block.href)
  if (block.isAside)
    return `<p>${escaped(block.label)}:<br><a href="${href}" style="${ADDRESS}">${href}</a></p>`
  return `<p><a href="${href}" style="${BUTTON}">${escaped(block.label)}</a></p>
<p style="${ADDRESS}">${href}</p>`
}

const asItem = ([name, about]: [string, string]): string =>
  `<li style="margin-bottom:.5rem"><strong>${escaped(name)}</strong><br>${escaped(about)}</li>`

const asRow = ([name, value]: [string, string]): string =>
  `<tr><th scope="row" style="${CELL};text-align:left;font-weight:400;opacity:.75;white-space:nowrap">${escaped(name)}</th><td style="${CELL}">${escaped(value)}</td></tr>`

const CELL = 'padding:.125rem 1rem .125rem 0;vertical-align:top'
const ADDRESS = 'font-size:.875rem;overflow-wrap:anywhere'

const BUTTON =
  'display:inline-block;padding:.75rem 1.25rem;border-radius:.5rem;background:#0b5cad;color:#ffffff;font-weight:600;text-decoration:none'

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
</head>
<body style="margin:0;font-family:system-ui,sans-serif;font-size:1rem;line-height:1.5">
<div style="max-width:36rem;margin:0 auto;padding:1.5rem">
<h1 style="font-size:1.25rem">${escaped(title)}</h1>
${body}
</div>
</body>
</html>
`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
