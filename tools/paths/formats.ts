import type { Path } from '#machines/testing/path-model.ts'
import { clauses, prose, sentencesOf, titleOf } from '#machines/testing/prose.ts'
import { complaintsOf, isWalked, type Unwalked, type Walked } from './machines.ts'
import type { Options } from './options.ts'

/** What was found, as it is printed or written to a file. */
export function formatted({ format, to }: Options, found: (Walked | Unwalked)[]): string {
  if (format === 'json') return `${JSON.stringify({ machines: found.map(asJson) }, null, 2)}\n`
  if (format === 'gherkin') return asGherkin(found)
  if (format === 'markdown') return found.map(asMarkdown).join('\n')
  return found.map((one) => asText(one, to !== undefined)).join('\n')
}

/** `paths`: of each its sentences; `takes`: the transitions it takes; `reasons`: why the unreached are not reached. */
export function asJson(one: Walked | Unwalked) {
  if (!isWalked(one)) {
    const none = { states: [], transitions: [], paths: [], takes: [] }
    return { name: one.name, ...none, unreached: ['the machine'], reasons: [one.reason] }
  }
  const { name, model, whole, paths } = one
  return {
    name,
    kind: model.kind,
    states: whole.states,
    transitions: whole.transitions,
    paths: paths.map((path) => sentencesOf(model, path)),
    takes: paths.map(({ takes }) => takes),
    unreached: whole.unreached,
    reasons: whole.reasons,
  }
}

function asText(one: Walked | Unwalked, isOne: boolean): string {
  const complaints = complaintsOf(one).map((line) => `${line}\n`)
  if (!isWalked(one)) return complaints.join('')
  const left = isOne ? [] : leftOut(one)
  const rest = left.length === 0 ? [] : [`\nNot on these paths:\n   ${left.join('\n   ')}\n`]
  return [prose(one.model, { ...one.whole, paths: one.paths }), ...rest, ...complaints].join('')
}

function asMarkdown(one: Walked | Unwalked): string {
  const lines = [`# ${plain(one.name)}`, '']
  if (isWalked(one)) {
    const { whole, model, paths } = one
    lines.push(`${figures(one)}.`, '', 'States:', '', ...whole.states.map((name) => `- ${plain(name)}`), '')
    lines.push('Transitions:', '', ...[...new Set(whole.transitions)].map((name) => `- ${plain(name)}`), '')
    for (const [i, path] of paths.entries()) {
      lines.push(`## ${i + 1}. ${plain(titleOf(model, path))}`, '')
      lines.push(...sentencesOf(model, path).map((sentence, at) => `${at + 1}. ${plain(sentence)}`), '')
    }
  }
  const complaints = complaintsOf(one)
  if (complaints.length > 0)
    lines.push('Not reached:', '', ...complaints.map((line) => `- ${plain(line)}`), '')
  return lines.join('\n')
}

/** A document of Gherkin holds one feature; the machines are its rules, one after the other. */
function asGherkin(found: (Walked | Unwalked)[]): string {
  const lines = ['Feature: State machines']
  for (const one of found) {
    lines.push('', `  Rule: ${one.name}`)
    if (isWalked(one)) {
      lines.push(`    ${figures(one)}.`)
      lines.push(...one.paths.flatMap((path, i) => ['', ...scenario(one, path, i)]))
    }
    lines.push(...complaintsOf(one).map((line) => `    # ${inOneLine(line)}`))
  }
  return `${lines.join('\n')}\n`
}

function scenario({ model }: Walked, path: Path, i: number): string[] {
  const steps = clauses(model, path).flatMap(({ on, outcome }) => {
    if (on === null) return [`Given it ${outcome}`]
    return [`When ${on.startsWith('after ') ? `it is left alone, ${on}` : on}`, `Then it ${outcome}`]
  })
  return [
    `    Scenario: ${i + 1}. ${inOneLine(titleOf(model, path))}`,
    ...steps.map((step) => `      ${inOneLine(step)}`),
  ]
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function figures({ whole, paths }: Walked): string {
  return `${whole.states.length} states, ${whole.transitions.length} transitions, ${paths.length} path${paths.length === 1 ? '' : 's'}`
}

/** Transitions that can be reached, but not by these paths. */
function leftOut({ whole, paths }: Walked): string[] {
  const taken = new Set(paths.flatMap(({ takes }) => takes))
  return [...new Set(whole.transitions)].filter((name) => !taken.has(name) && !whole.unreached.includes(name))
}

/** Text that Markdown shows as it stands. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')
}
