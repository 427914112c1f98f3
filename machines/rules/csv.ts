/**
 * The lines of a text of comma-separated values (RFC 4180): cells may stand in quotes and then hold commas, line breaks and
 * doubled quotes. Where the first line has more semicolons than commas those part the cells, as spreadsheets of many countries
 * write them. A byte order mark is passed over.
 * @throws RangeError where a quote is not closed
 */
export function csvLines(text: string): string[][] {
  const from = text.startsWith('\uFEFF') ? 1 : 0
  const heading = text.slice(from).split(/\r?\n/, 1)[0] ?? ''
  const comma = heading.split(';').length > heading.split(',').length ? ';' : ','
  const lines: string[][] = []
  let cells: string[] = []
  for (let at = from; at < text.length; ) {
    const { cell, end } = text[at] === '"' ? quoted(text, at, lines.length + 1) : plain(text, at, comma)
    cells.push(cell)
    at = end
    if (text[at] === comma) {
      at++
      // nothing stands behind the last comma of the text
      if (at >= text.length) cells.push('')
      else continue
    }
    lines.push(cells)
    cells = []
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
  }
  return lines
}

type Cell = { cell: string; end: number }

function plain(text: string, at: number, comma: string): Cell {
  let end = at
  while (end < text.length && text[end] !== comma && text[end] !== '\n' && text[end] !== '\r') end++
  return { cell: text.slice(at, end), end }
}

/** What stands behind a closing quote, up to the end of the cell, is its own: passed over. */
function quoted(text: string, at: number, line: number): Cell {
  let cell = ''
  for (let from = at + 1; ; ) {
    const end = text.indexOf('"', from)
    if (end === -1) throw new RangeError(`line ${line}: a quote is not closed`)
    cell += text.slice(from, end)
    if (text[end + 1] !== '"') return { cell, end: end + 1 }
    cell += '"'
    from = end + 2
  }
}
