import { strFromU8, unzipSync } from 'fflate'

/** What is in a made file that should not be: formulas, links outwards, scripts. */
export function harmIn(name: string, bytes: Uint8Array): string[] {
  if (name.endsWith('.xlsx')) return harmInBook(name, bytes)
  const text = strFromU8(bytes, true)
  const found = /\/(JavaScript|JS|OpenAction|Launch|URI)\b/.exec(text)
  return found === null ? [] : [`${name} holds ${found[0]}`]
}

function harmInBook(name: string, bytes: Uint8Array): string[] {
  return Object.entries(unzipSync(bytes)).flatMap(([part, content]) => {
    const text = strFromU8(content)
    const wrong: string[] = []
    if (/<f[\s>/]/.test(text)) wrong.push(`${name}, ${part} holds a formula`)
    if (/TargetMode="External"/.test(text)) wrong.push(`${name}, ${part} leads outside`)
    if (/vbaProject|externalLink/.test(part)) wrong.push(`${name} holds ${part}`)
    return wrong
  })
}

/** The texts of a workbook, as whoever opens it reads them. */
export function textsOf(bytes: Uint8Array): string {
  return Object.values(unzipSync(bytes))
    .map((content) => strFromU8(content))
    .join('\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
