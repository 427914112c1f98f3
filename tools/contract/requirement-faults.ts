import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Struct } from 'superstruct'
import type { Call } from '#machines/contracts/calls/call.ts'
import { CALLS } from '#machines/contracts/calls.ts'
import type { Requirement } from '#machines/contracts/requirements.ts'
import { CLIENT_EVENTS, SERVER_EVENTS } from '#machines/contracts/sockets.ts'
import { decisionFile, parted } from './places.ts'

const ROOT = join(import.meta.dirname, '../..')

type AnyStruct = Struct<unknown, unknown>
/** What is wrong with a requirement, in words. */
type Faults = string[] | Promise<string[]>

/** What of a requirement does not hold: empty where all of it does. */
export async function requirementFaults(requirement: Requirement): Promise<string[]> {
  const { where, shown, decision } = requirement
  const [path, anchor] = parted(where)
  const source = sourceOf(path)
  const faults =
    source === undefined
      ? [`${path} is no source`]
      : await CHECKS[requirement.kind](requirement, source, anchor)
  return [...faults, ...shownFaults(shown), ...decisionFaults(decision)].map(
    (fault) => `${requirement.document} › ${requirement.section} › ${requirement.what}: ${fault}`,
  )
}

const CHECKS: Record<Requirement['kind'], (one: Requirement, source: string, anchor: string) => Faults> = {
  text: ({ what }, source) => (says(source, what) ? [] : ['the text does not stand there']),
  route: ({ what }, source) => (routes(source, what) ? [] : ['there is no such route']),
  rule: (_, source, anchor) => anchorFaults(source, anchor),
  call: callFaults,
  event: eventFaults,
  entity: async ({ where, fields = [] }) => fieldFaults((await exported(where)) as AnyStruct, fields),
  limit: valueFaults,
  constant: valueFaults,
}

/** A text that stands as a whole between quotes or tags, or as a template makes it. */
const says = (source: string, text: string): boolean =>
  new RegExp(`["'\`>}] ?${escaped(text)} ?["'\`<{]`).test(source) ||
  templatesOf(source).some((template) => template.test(text))

const routes = (source: string, route: string): boolean =>
  new RegExp(`["']${escaped(route).replaceAll(/\\\{\w+\\\}/g, ':\\w+')}["']`).test(source) ||
  templatesOf(source).some((template) => template.test(route))

const anchorFaults = (source: string, anchor: string): string[] =>
  anchor !== '' && source.includes(anchor) ? [] : [`"${anchor}" does not stand there`]

function callFaults({ what, sends = [], answers = [] }: Requirement, _: string, name: string): string[] {
  const call = Object.hasOwn(CALLS, name) ? (CALLS as Record<string, Call>)[name] : undefined
  if (call === undefined) return [`there is no call ${name}`]
  const [shape, ...query] = what.split('?')
  const isSent = (field: string) => [call.body, call.query].some((part) => has(part, field.split('.')))
  return [
    ...(shape === `${call.method} ${call.path}` || shape === call.path
      ? []
      : [`${name} is ${call.method} ${call.path}`]),
    ...[...sends, ...query].filter((field) => !isSent(field)).map((field) => `${field} is not sent`),
    ...fieldFaults(call.answer, answers),
  ]
}

/** `name {field, …}`, with what is said or heard of it at the place named. */
function eventFaults({ what }: Requirement, source: string, anchor: string): string[] {
  const [name = '', ...fields] = what.match(/\w+/g) ?? []
  const events: Record<string, AnyStruct> = { ...CLIENT_EVENTS, ...SERVER_EVENTS } as never
  const event = Object.hasOwn(events, name) ? events[name] : undefined
  if (event === undefined) return [`there is no event ${name}`]
  return [...fieldFaults(event, fields), ...anchorFaults(source, anchor)]
}

async function valueFaults({ where, value }: Requirement, source: string, anchor: string): Promise<string[]> {
  if (value === undefined) return anchorFaults(source, anchor)
  const found = membersOf(await exported(where))
  return isDeepStrictEqual(found, value) ? [] : [`${anchor} is ${JSON.stringify(found)}`]
}

function fieldFaults(struct: AnyStruct, fields: readonly string[]): string[] {
  return fields.filter((field) => !has(struct, field.split('.'))).map((field) => `it has no ${field}`)
}

function has(struct: AnyStruct | undefined, [field, ...rest]: string[]): boolean {
  if (field === undefined) return struct !== undefined
  const found = fieldsOf(struct)
  // of a list its elements are meant
  const one = found.get('0')
  return one && struct?.type === 'array'
    ? has(one, [field, ...rest])
    : found.has(field) && has(found.get(field), rest)
}

/** Fields by their names: also of structs that only say them when asked with a value, as recursive ones do. */
function fieldsOf(struct: AnyStruct | undefined): Map<string, AnyStruct> {
  if (struct === undefined) return new Map()
  const requested = struct.type === 'array' ? [undefined] : {}
  const entries = [...struct.entries(requested, {} as never)] as [string | number, unknown, AnyStruct][]
  return new Map(entries.map(([name, , field]) => [String(name), field]))
}

/** Of an enumeration its members, of anything else that. */
const membersOf = (found: unknown): unknown =>
  found instanceof Struct && found.type === 'enums' ? Object.values(found.schema) : found

/** What stands at `path#a.b`: the export `a`, and `b` of it. */
async function exported(where: string): Promise<unknown> {
  const [path, symbol] = parted(where)
  let found: unknown = await import(/* @vite-ignore */ join(ROOT, path))
  for (const name of symbol.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
  return found
}

function shownFaults(shown: string): string[] {
  const [path, title] = parted(shown)
  const file = join(ROOT, path)
  if (!existsSync(file)) return [`${path} is no test`]
  return titlesOf(readFileSync(file, 'utf8')).includes(title) ? [] : [`${path} has no test "${title}"`]
}

const titlesOf = (test: string): string[] =>
  [...test.matchAll(/(?:\b(?:test|describe)|\))\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1\s*,/g)].map(
    ([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'),
  )

const decisionFaults = (decision: string | undefined): string[] =>
  decision === undefined || decisionFile(decision) ? [] : [`there is no decision ${decision}`]

/** A source without its comments, each blank or line break one blank; undefined where it is none, or of tests alone. */
function sourceOf(path: string): string | undefined {
  const file = join(ROOT, path)
  if (/\.(test|samples)\.|\/testing\//.test(path) || !existsSync(file)) return undefined
  return readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1')
    .replaceAll("\\'", "'")
    .replaceAll(/\s+/g, ' ')
}

/** What each template of a source makes: its fixed words, with anything in its gaps. One that is mostly gaps makes anything. */
const templatesOf = (source: string): RegExp[] =>
  [...source.matchAll(/`([^`]*\$\{[^`]*)`/g)].flatMap(([, template = '']) => {
    const fixed = template.split(/\$\{[^}]*\}/)
    return fixed.join('').length < 6 ? [] : [new RegExp(`^${fixed.map(escaped).join('.+')}$`)]
  })

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
