import { expect, test } from 'vitest'
import { type Asker, createLine, OutOfLine } from './line.ts'

/** A line in which something is being done until `go` is called, and what was done since. */
function openLine(mostOfOne: number) {
  const line = createLine(mostOfOne)
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const first = line(() => gate.promise)
  const ask = (name: string, asker?: Asker) => line(async () => done.push(name), asker)
  return { line, ask, done, first, go: gate.resolve }
}
const [ayesha, danish] = ['u1', 'u2'].map((userId): Asker => ({ companyId: 'indus', userId })) as [
  Asker,
  Asker,
]
const karim: Asker = { companyId: 'karakoram', userId: 'u3' }

test('companies take turns, whoever asked for more before', async () => {
  const { ask, done, go } = openLine(3)
  const requested = [
    ...['a1', 'a2'].map((name) => ask(name, ayesha)),
    ask('d1', danish),
    ...['k1', 'k2'].map((name) => ask(name, karim)),
  ]
  go()
  await Promise.all(requested)
  expect(done).toEqual(['a1', 'k1', 'a2', 'k2', 'd1'])
})

test('so much waits for one person, and what is one too many is refused; not for the server itself', async () => {
  const { ask, done, go } = openLine(2)
  const requested = ['a1', 'a2'].map((name) => ask(name, ayesha))
  await expect(ask('a3', ayesha)).rejects.toThrow(OutOfLine)
  requested.push(ask('d1', danish), ...['s1', 's2', 's3'].map((name) => ask(name)))
  go()
  await Promise.all(requested)
  expect(done).toEqual(['a1', 's1', 'a2', 's2', 'd1', 's3'])
})

test('what nobody waits for any more is not done, and keeps nobody waiting', async () => {
  const { ask, done, go } = openLine(1)
  let isHere = true
  const gone = expect(ask('gone', { ...ayesha, hasLeft: () => !isHere })).rejects.toThrow(OutOfLine)
  isHere = false
  const back = ask('back', ayesha)
  go()
  await Promise.all([gone, back])
  expect(done).toEqual(['back'])
})

test('goes on after what failed', async () => {
  const { line, ask, done, go } = openLine(2)
  const failed = line(() => Promise.reject(new Error('not read')), ayesha)
  const next = ask('next', ayesha)
  go()
  await expect(failed).rejects.toThrow('not read')
  await next
  expect(done).toEqual(['next'])
})
