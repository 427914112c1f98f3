/**
 * Comma-separated values with a byte order mark, without which spreadsheets take letters for others; a text that looks like a
 * formula is text, a number is a number.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): Blob {
  return new Blob([`\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`], {
    type: 'text/csv',
  })
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
}
