import { callerOf } from '../../server/testing/caller.ts'

/** What a server says of itself, by the names of `/metrics`. */
export async function figuresOf(address: string): Promise<(name: string) => number> {
  const { text } = await callerOf(address).send('GET', '/metrics')
  return (name) => {
    const line = text.split('\n').find((each) => each.startsWith(`${name} `))
    return line === undefined ? Number.NaN : Number(line.slice(name.length + 1))
  }
}
