import { expect, test } from 'vitest'
import { csvLines } from '#machines/rules/csv.ts'
import { csvOf } from './csv-of.ts'

test('what is written is read again; no text becomes a formula, and numbers stay numbers', async () => {
  const file = csvOf([
    ['Name', 'Temperature (°C)'],
    ['=1+1', -4.5],
    ['+92 300', null],
    ['@SUM(A1)', 0],
    ['a "b", c', 1],
  ])
  const text = `\uFEFF${await file.text()}`
  expect(csvLines(text)).toEqual([
    ['Name', 'Temperature (°C)'],
    ["'=1+1", '-4.5'],
    ["'+92 300", ''],
    ["'@SUM(A1)", '0'],
    ['a "b", c', '1'],
  ])
})
