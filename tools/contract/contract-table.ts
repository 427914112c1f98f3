import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { decodeJson } from '#machines/contracts/decode.ts'
import { type Requirement, Requirements } from '#machines/contracts/requirements.ts'
import { decisionFile, parted } from './places.ts'

const LIST = new URL('../../fixtures/contract.json', import.meta.url)

/** All requirements of the documents, in their order. Throws ContractError with the path of what is wrong. */
export const requirements = (): Requirement[] =>
  decodeJson(readFileSync(LIST, 'utf8'), Requirements, 'contract.json')

const HEAD = `# What the two documents ask for, and where it is

Made from \`fixtures/contract.json\` by \`npx node tools/contract/run.ts\`; \`tools/contract/contract.test.ts\` sees to it that each place
and each test named here is there, and that each text, call, event, field and number is what the documents say. Words
are those of the documents, letter for letter. A number in the last column is the decision that says why something is
done otherwise, or how something was decided that the documents leave open.
`

/** The page `docs/contract.md`: a table a section. */
export function contractPage(all: readonly Requirement[]): string {
  const bySection = Map.groupBy(all, ({ document, section }) => `## Document ${document}, ${section}`)
  const tables = [...bySection].map(
    ([heading, rows]) => `${heading}

| | What | Where | Shown by | |
|---|---|---|---|---|
${rows.map(row).join('\n')}
`,
  )
  return [HEAD, ...tables].join('\n')
}

function row({
  kind,
  what,
  where,
  value,
  sends,
  answers,
  fields,
  shown,
  decision,
  note,
}: Requirement): string {
  const [place, anchor] = parted(where)
  const [test, title] = parted(shown)
  const details = [
    value === undefined ? '' : `is ${code(JSON.stringify(value))}`,
    sends ? `sends ${sends.map(code).join(', ')}` : '',
    answers ? `answers ${answers.map(code).join(', ')}` : '',
    fields ? fields.map(code).join(', ') : '',
  ].filter((detail) => detail !== '')
  return `| ${[
    kind,
    [kind === 'rule' ? plain(what) : code(what), ...details].join('; '),
    `${fileLink(place)}${anchor === '' ? '' : ` ${code(anchor)}`}`,
    `${fileLink(test)}: ${plain(title)}`,
    [decision === undefined ? '' : decisionLink(decision), plain(note ?? '')]
      .filter((text) => text !== '')
      .join(' '),
  ].join(' | ')} |`
}

const fileLink = (path: string): string => `[${plain(basename(path))}](../${path})`

const decisionLink = (number: string): string => `[${number}](decisions/${decisionFile(number)})`

const code = (text: string): string => (text.includes('`') ? `\`\` ${cell(text)} \`\`` : `\`${cell(text)}\``)
const plain = (text: string): string => cell(text).replaceAll(/[<*_`[\]]/g, '\\$&')
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
