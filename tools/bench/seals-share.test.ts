import { expect, test } from 'vitest'
import { CpuProfile, shareOfSeals } from './seals-share.ts'

test('what a function of the tree calls is the tree’s, and what the world hands over is not the world’s', () => {
  const at = (functionName: string, file = '') => ({ functionName, url: file && `file:///frostline/${file}` })
  const profile = CpuProfile.of({
    profile: {
      nodes: [
        { id: 1, callFrame: at('(root)'), children: [2, 3, 5, 8, 10] },
        { id: 2, callFrame: at('(idle)') },
        { id: 3, callFrame: at('extend', 'server/store/sqlite/seals.ts'), children: [4] },
        { id: 4, callFrame: at('inBackground', 'server/store/sqlite/writer.ts') },
        { id: 5, callFrame: at('advance', 'simulator/world/world.ts'), children: [6, 9] },
        { id: 6, callFrame: at('submit', 'server/ingest/gate.ts'), children: [7] },
        { id: 7, callFrame: at('sumOfBatch', 'server/store/checksums.ts') },
        { id: 8, callFrame: at('(garbage collector)') },
        { id: 10, callFrame: at('goOn', 'server/jobs/seals/walk.ts'), children: [11] },
        { id: 11, callFrame: at('entries', 'server/store/sqlite/seals.ts') },
        { id: 9, callFrame: at('sin', 'machines/rules/sine.ts') },
      ],
      samples: [2, 4, 6, 7, 5, 8, 9, 11],
      timeDeltas: [1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6, 8e6],
    },
  })
  expect(shareOfSeals(profile)).toEqual({ nobody: 7, seals: 2, walk: 8, rest: 3, sums: 4, world: 12 })
})
