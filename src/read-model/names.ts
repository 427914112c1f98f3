import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'

export type NameField = 'imei' | 'name' | 'plate'
const FIELDS: readonly NameField[] = ['imei', 'name', 'plate']

/**
 * Imei, name and plate number of every row, left as bytes until somebody looks at them: 300,000 strings would cost more
 * than the rest of the fleet.
 */
export type Names = {
  /** how many rows have names */
  readonly size: number
  of(row: number, field: NameField): string
  /** all three of rows `from` to `to` (not included), in turn: imei, name, plate number, imei, … */
  slice(from: number, to: number): string[]
  /** row of an imei, -1 where there is none */
  rowOf(imei: string): number
  rename(row: number, name: string): void
  append(names: { imei: string; name: string; plate: string }): void
}

const IMEI_DIGITS = 15

export function readNames({ text, textOffsets }: Pick<FleetSnapshot, 'text' | 'textOffsets'>): Names {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const digits = new Uint8Array(IMEI_DIGITS)
  const inSnapshot = (textOffsets.length - 1) / 3
  const renamed = new Map<number, string>()
  const appended: Record<NameField, string>[] = []
  const appendedRows = new Map<string, number>()
  const table = hashImeis(text, textOffsets, inSnapshot)

  const offset = (i: number): number => textOffsets[i] as number
  const read = (i: number): string => decoder.decode(text.subarray(offset(i), offset(i + 1)))

  const isAt = (from: number, to: number, bytes: Uint8Array): boolean => {
    if (to - from !== bytes.length) return false
    for (let i = 0; i < bytes.length; i++) if (text[from + i] !== bytes[i]) return false
    return true
  }

  /** Digits, which an IMEI is of, are a byte each: nothing has to be encoded. */
  function bytesOf(imei: string): Uint8Array {
    if (imei.length !== digits.length) return encoder.encode(imei)
    for (let i = 0; i < digits.length; i++) {
      const code = imei.charCodeAt(i)
      if (code > 127) return encoder.encode(imei)
      digits[i] = code
    }
    return digits
  }

  function of(row: number, field: NameField): string {
    const changed = field === 'name' ? renamed.get(row) : undefined
    if (changed !== undefined) return changed
    if (row >= inSnapshot) return appended[row - inSnapshot]?.[field] ?? ''
    return read(row * 3 + FIELDS.indexOf(field))
  }

  return {
    get size() {
      return inSnapshot + appended.length
    },
    of,
    slice(from, to) {
      const names: string[] = []
      const end = Math.min(to, inSnapshot)
      if (from < end) {
        const bytes = text.subarray(offset(from * 3), offset(end * 3))
        const whole = decoder.decode(bytes)
        // Where every character is one byte, one decoding serves all rows.
        const start = offset(from * 3)
        if (whole.length === bytes.length)
          for (let i = from * 3; i < end * 3; i++)
            names.push(whole.slice(offset(i) - start, offset(i + 1) - start))
        else for (let i = from * 3; i < end * 3; i++) names.push(read(i))
      }
      for (let row = Math.max(from, inSnapshot); row < to; row++)
        for (const field of FIELDS) names.push(of(row, field))
      for (const [row, name] of renamed) if (row >= from && row < to) names[(row - from) * 3 + 1] = name
      return names
    },
    rowOf(imei) {
      const found = appendedRows.get(imei)
      if (found !== undefined) return found
      const bytes = bytesOf(imei)
      const mask = table.length - 1
      for (let slot = hash(bytes, 0, bytes.length) & mask; ; slot = (slot + 1) & mask) {
        const row = (table[slot] as number) - 1
        if (row < 0) return -1
        if (isAt(offset(row * 3), offset(row * 3 + 1), bytes)) return row
      }
    },
    rename(row, name) {
      renamed.set(row, name)
    },
    append(names) {
      appendedRows.set(names.imei, inSnapshot + appended.length)
      appended.push({ ...names })
    },
  }
}

/** Open addressing, at most half full: row + 1 at the slot its imei hashes to, or the next that was free. */
function hashImeis(text: Uint8Array, textOffsets: Uint32Array, rows: number): Uint32Array {
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, rows * 2))))
  const mask = table.length - 1
  for (let row = 0; row < rows; row++) {
    let slot = hash(text, textOffsets[row * 3] as number, textOffsets[row * 3 + 1] as number) & mask
    while (table[slot] !== 0) slot = (slot + 1) & mask
    table[slot] = row + 1
  }
  return table
}

/** FNV-1a, 32 bits. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let h = 0x811c9dc5
  for (let i = from; i < to; i++) h = Math.imul(h ^ (bytes[i] as number), 0x01000193)
  return (h ^ (h >>> 15)) >>> 0
}

/** Whether two fleets are the same devices in the same groups, all of which are called and limited alike. */
export function areNamedAlike(a: FleetSnapshot, b: FleetSnapshot): boolean {
  return (
    NAMED.every((column) => isSame(a[column], b[column])) &&
    JSON.stringify(a.head.groups) === JSON.stringify(b.head.groups)
  )
}

/** The texts, which are the longest, last. */
const NAMED = ['device', 'group', 'kind', 'textOffsets', 'text'] as const

function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
