import { expect, test } from 'vitest'
import { inWords } from '../../e2e/chosen/in-words.ts'

test('an assertion about something on the page is told as what was expected of what, and what was seen', () => {
  const message = [
    'Error: \u001b[2mexpect(\u001b[22mlocator\u001b[2m).\u001b[22mtoHaveText() failed',
    '',
    "Locator:  getByRole('button', { name: 'Save' })",
    'Expected: \u001b[32m"Saving…"\u001b[39m',
    'Received: \u001b[31m"Save"\u001b[39m',
    'Timeout:  10000ms',
  ].join('\n')
  expect(inWords(message)).toEqual({
    expected: `getByRole('button', { name: 'Save' }): "Saving…"`,
    seen: '"Save"',
  })
})

test('what is not on the page is said so, and any other error by its first line', () => {
  const missing =
    "Error: expect(locator).toBeVisible() failed\n\nLocator: getByText('x')\nExpected: visible\nError: element(s) not found"
  expect(inWords(missing)).toEqual({ expected: "getByText('x'): visible", seen: 'element(s) not found' })
  expect(inWords('Error: Trial 01 was not heard: half a position\n    at sends')).toEqual({
    expected: 'the step to come about',
    seen: 'Trial 01 was not heard: half a position',
  })
})
