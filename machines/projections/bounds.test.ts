import { expect, test } from 'vitest'
import { boundsOf } from './bounds.ts'
import { emptyDirectory } from './directory.ts'

test('axes and sliders of a company that set none are the documents’', () => {
  expect(boundsOf(emptyDirectory(), 'indus')).toEqual({ tmin: -30, tmax: 70, hmin: -40, hmax: 100 })
})
