import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { type Database, openDatabase } from './postgres/database.ts'
import { migrate } from './postgres/migrations.ts'
import { createSharedFiles } from './postgres/report-files.ts'
import { createReportFiles, fileNameOf, type ReportFiles, removeReportFiles } from './report-files.ts'

/** Written in pieces of this, a file has several and does not end with a whole one. */
const PIECE = 1000
const bytes = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, i) => (i * seed + (i >> 8)) & 255)

/** @param open answers the files as one node and as another see them */
function filesContract(name: string, open: () => Promise<[ReportFiles, ReportFiles]>): void {
  describe(name, () => {
    test('what is put is got whole, by its name, until it is replaced or removed', async () => {
      const [here, there] = await open()
      const [one, other] = [fileNameOf('r-1', 0), fileNameOf('r-1', 1)]
      await here.put(one, bytes(2 * PIECE + 1, 7))
      await there.put(other, bytes(2 * PIECE, 3))
      expect(Buffer.compare((await there.get(one)) as Uint8Array, bytes(2 * PIECE + 1, 7))).toBe(0)
      expect(Buffer.compare((await here.get(other)) as Uint8Array, bytes(2 * PIECE, 3))).toBe(0)
      expect((await there.names()).toSorted()).toEqual(['r-1.0', 'r-1.1'])
      await there.put(one, bytes(5, 11).subarray(1))
      expect([...((await here.get(one)) as Uint8Array)]).toEqual([...bytes(5, 11).subarray(1)])
      await here.remove(one)
      await here.remove('r-9.0')
      expect(await there.get(one)).toBeUndefined()
      expect(await there.names()).toEqual(['r-1.1'])
    })

    test('an empty one is there', async () => {
      const [here] = await open()
      await here.put('r-3.0', new Uint8Array())
      expect(await here.get('r-3.0')).toHaveLength(0)
    })
  })
}

const dir = mkdtempSync(join(tmpdir(), 'files-'))
afterAll(() => rmSync(dir, { recursive: true }))
filesContract('files in a folder', async () => {
  await removeReportFiles(dir)
  return [createReportFiles(dir), createReportFiles(dir)]
})
test('of a file that was not written whole nothing is left: one that failed, and one of a process that died', async () => {
  await removeReportFiles(dir)
  const folder = join(dir, 'reports')
  mkdirSync(folder)
  writeFileSync(join(folder, 'r-1.0.part'), 'half of')
  const files = createReportFiles(dir)
  expect(await files.names()).toEqual([])
  await expect(files.put('r-2.0', { length: 9 } as Uint8Array)).rejects.toThrow(TypeError)
  expect(readdirSync(folder)).toEqual([])
  // one that is being written is none yet
  writeFileSync(join(folder, 'r-3.0.part'), 'half of')
  expect(await files.names()).toEqual([])
  expect(readdirSync(folder)).toEqual(['r-3.0.part'])
})
filesContract('files in memory', async () => {
  const files = createReportFiles(':memory:')
  return [files, files]
})

describe('with a database', () => {
  let nodes: Database[]
  beforeAll(async () => {
    const url = await emptyDatabase()
    nodes = [await openDatabase(url), await openDatabase(url)]
    await migrate(nodes[0] as Database)
  })
  afterAll(() => Promise.all(nodes.map((node) => node.close())))
  filesContract('files of all nodes', async () => {
    const [here, there] = nodes.map((node) => createSharedFiles(node, PIECE)) as [ReportFiles, ReportFiles]
    for (const name of await here.names()) await here.remove(name)
    return [here, there]
  })

  test('of two nodes that put the same at once one puts it whole', async () => {
    const [here, there] = nodes.map((node) => createSharedFiles(node, PIECE)) as [ReportFiles, ReportFiles]
    const texts = [bytes(5 * PIECE, 7), bytes(3 * PIECE, 5)] as const
    await Promise.all([here.put('r-2.0', texts[0]), there.put('r-2.0', texts[1])])
    const got = (await here.get('r-2.0')) as Uint8Array
    expect(texts.some((text) => Buffer.compare(text, got) === 0)).toBe(true)
  })
})
