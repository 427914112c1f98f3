import { describe, expect, test } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { Recording } from '#machines/contracts/recording.ts'
import { checked } from './check.ts'
import { MACHINES } from './machines.ts'

/** Every recording in `fixtures/recordings`: a file that is put there is a test. */
const files = import.meta.glob<string>('../../../fixtures/recordings/*.json', {
  query: '?raw',
  import: 'default',
  eager: true,
})

describe.each(Object.entries(files).map(([path, text]) => ({ name: path.split('/').at(-1), text })))(
  'the session recorded in $name',
  ({ text }) => {
    const recording = decodeJson(text, Recording, 'recording')
    const { steps } = recording

    test('goes the same way today, and every frame of it is understood', () => {
      const differs = [...checked(recording, MACHINES)].flatMap((difference, index) =>
        difference === undefined ? [] : [{ step: index + 1, kind: steps[index]?.kind, difference }],
      )
      expect(differs).toEqual([])
    })
  },
)
