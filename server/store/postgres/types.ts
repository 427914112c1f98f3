/**
 * How values travel as text, beyond what the library does by itself. Numbers of the sequence stay below 2^53, so
 * `bigint` is a number. Arrays are named here because asking the server for their types at each connect is one more
 * answer to wait for, and one the library does not survive missing.
 */
export const TYPES = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
  bigints: numbers(1016),
  integers: numbers(1007),
  doubles: numbers(1022),
  texts: {
    to: 1009,
    from: [1009],
    parse: (text: string): string[] => elements(text),
    serialize: (all: string[]) => `{${all.map(quoted).join(',')}}`,
  },
  byteas: {
    to: 1001,
    from: [1001],
    parse: (text: string): Uint8Array[] => elements(text).map((each) => Buffer.from(each.slice(2), 'hex')),
    serialize: (all: Uint8Array[]) => `{${all.map((each) => quoted(`\\x${hexOf(each)}`)).join(',')}}`,
  },
}

function numbers(oid: number) {
  return {
    to: oid,
    from: [oid],
    parse: (text: string): number[] => elements(text).map(Number),
    serialize: (all: number[]) => `{${all.join(',')}}`,
  }
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const hexOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('hex')

/** The elements of an array of one dimension without nulls. */
function elements(text: string): string[] {
  return Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"|[^,{}]+/g), ([all, inQuotes]) =>
    inQuotes === undefined ? all : inQuotes.replace(/\\(.)/g, '$1'),
  )
}
