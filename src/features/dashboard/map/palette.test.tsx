import { afterEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import '../../../styles/tokens.css'
import { readPalette } from './palette.ts'

const asks = (value: '' | 'reduce') =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value }] })
afterEach(() => asks(''))

test('whoever wants no motion sees the same tones on the map', async () => {
  const tones = readPalette(document.body)
  await asks('reduce')
  expect(readPalette(document.body)).toEqual(tones)
})
