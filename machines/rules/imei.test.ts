import { expect, test } from 'vitest'
import { hasCheckDigit } from './imei.ts'

test.each(['490154203237518', '356307042441013', '352093081429150'])('%s has its check digit', (imei) => {
  expect(hasCheckDigit(imei)).toBe(true)
})

test.each(['490154203237517', '49015420323751', '4901542032375180', ''])('%s has not', (imei) => {
  expect(hasCheckDigit(imei)).toBe(false)
})
