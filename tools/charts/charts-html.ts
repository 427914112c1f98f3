import { readFileSync } from 'node:fs'
import ELK from 'elkjs/lib/elk.bundled.js'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { LabCoverage, Taken } from '#machines/contracts/calls/lab-calls.ts'
import { generated, shareOf } from '#machines/testing/coverage.ts'
import { outlineOf } from '#machines/testing/outline.ts'
import type { PathModel, Walk } from '#machines/testing/path-model.ts'
import { ChartSvg } from '../../src/machine-chart/chart-svg.ts'
import { type Drawing, drawingOf } from '../../src/machine-chart/layout.ts'
import { lookOf } from '../../src/machine-chart/look.ts'

/** A machine and what was found by walking it. */
export type Walked = { model: PathModel; found: Walk }

type Source = { id: string; title: string; of(walked: Walked): Taken }

/**
 * One HTML page that needs nothing beside it: the chart of each machine with what generated paths and, where they ran, the
 * end-to-end tests cover, and lists of what they do not.
 */
export async function chartsHtml(walks: readonly Walked[], endToEnd: LabCoverage): Promise<string> {
  const sources: Source[] = [
    { id: 'generated', title: 'Generated paths', of: ({ found }) => generated(found) },
  ]
  if (endToEnd.specs.length > 0)
    sources.push({
      id: 'end-to-end',
      title: 'End-to-end tests',
      of: ({ model }) => endToEnd.taken[model.name] ?? { states: {}, transitions: {} },
    })
  const elk = new ELK()
  const sections: string[] = []
  for (const walked of walks)
    sections.push(section(walked, sources, await drawingOf(elk, outlineOf(walked.model.machine))))
  return page(walks, sources, endToEnd, sections)
}

function page(
  walks: readonly Walked[],
  sources: readonly Source[],
  { specs }: LabCoverage,
  sections: readonly string[],
): string {
  const summary =
    specs.length === 0 ? 'End-to-end tests were not run here yet.' : `End-to-end: ${specs.length} specs.`
  const choices = sources.map(
    ({ id, title }, i) =>
      `<label><input type="radio" name="source" id="by-${id}"${i === sources.length - 1 ? ' checked' : ''}> ${title}</label>`,
  )
  const hidden = sources.map(({ id }) => `body:has(#by-${id}:checked) .by:not(.by-${id}) { display: none }`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Frostline: what covers the machines</title>
<style>
${tokens()}
${readFileSync(new URL('../../src/machine-chart/chart.css', import.meta.url), 'utf8')}
${STYLE}
${hidden.join('\n')}
</style>
</head>
<body>
<h1>What covers the machines</h1>
<p>${walks.length} machines. ${summary} Solid lines are covered; dashed lines with hollow heads are not.</p>
<form>${choices.join('\n')}</form>
<div class="wide"><table>
<thead><tr><th>Machine</th><th>Kind</th>${sources.map(({ title }) => `<th>${title}: states</th><th>transitions</th>`).join('')}</tr></thead>
<tbody>
${walks.map((walked) => row(walked, sources)).join('\n')}
</tbody>
</table></div>
${sections.join('\n')}
</body>
</html>
`
}

function row(walked: Walked, sources: readonly Source[]): string {
  const { model, found } = walked
  const figures = sources.map((source) => {
    const taken = source.of(walked)
    const cell = ({ covered, of }: { covered: number; of: number }) =>
      `<td class="${covered < of ? 'missing' : ''}">${covered} of ${of}</td>`
    return cell(shareOf(found.states, taken.states)) + cell(shareOf(found.transitions, taken.transitions))
  })
  return `<tr><th scope="row"><a href="#${model.name}">${model.name}</a></th><td>${model.kind}</td>${figures.join('')}</tr>`
}

function section(walked: Walked, sources: readonly Source[], drawing: Drawing): string {
  const { model, found } = walked
  const views = sources.map((source) => {
    const taken = source.of(walked)
    const look = lookOf(taken, source.title)
    const chart = renderToStaticMarkup(createElement(ChartSvg, { name: model.name, drawing, look }))
    return `<div class="by by-${source.id}"><div class="wide">${chart}</div>${missing(found, taken, source)}</div>`
  })
  return `<section id="${model.name}"><h2>${model.name}</h2>${views.join('')}</section>`
}

function missing(found: Walk, taken: Taken, { title }: Source): string {
  const names = [
    ...shareOf(found.states, taken.states).missing.map((name) => `state ${name}`),
    ...shareOf(found.transitions, taken.transitions).missing,
  ]
  if (names.length === 0) return `<p>${title} cover all of it.</p>`
  return `<h3>Not covered by ${title.toLowerCase()}</h3><ul>${names.map((name) => `<li>${escaped(name)}</li>`).join('')}</ul>`
}

/** The portal's own colours. */
function tokens(): string {
  const css = readFileSync(new URL('../../src/styles/tokens.css', import.meta.url), 'utf8')
  const colours = css.match(/--color-[\w-]+: light-dark\([^;]+;/g) ?? []
  return `:root { color-scheme: light dark; ${colours.join(' ')} }`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const STYLE = `body { margin: 0 auto; max-width: 1680px; padding: 24px; background: var(--color-ground); color: var(--color-ink); font: 14px/1.5 Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums }
h1 { font-size: 20px } h2 { font-size: 16px; margin-top: 40px } h3 { font-size: 14px }
a { color: var(--color-accent) }
form { display: flex; gap: 16px; position: sticky; top: 0; padding: 8px 0; background: var(--color-ground) }
.wide { overflow-x: auto }
table { border-collapse: collapse } th, td { padding: 4px 16px 4px 0; text-align: left; font-weight: 400; border-bottom: 1px solid var(--color-line) } thead th { color: var(--color-ink-soft) }
.missing { color: var(--color-damp); font-weight: 600 }
section { scroll-margin-top: 40px }`
