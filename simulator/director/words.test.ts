import { expect, test } from 'vitest'
import { durationOf, incidentSentence, networkFaultSentence, shareWords } from './words.ts'

test.each([
  [0.5, '0.5 s'],
  [90, '90 s'],
  [120, '2 min'],
  [5400, '1 h 30 min'],
  [86_400 * 2 + 3600 + 60, '2 d 1 h'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationOf(seconds)).toBe(words)
})

test('shares, networks and incidents are said as people say them', () => {
  expect(shareWords(0.05, 1, undefined)).toBe('5 % of the fleet (1 device)')
  expect(shareWords(0.125, 12, 'Lahore')).toBe('12.5 % of Lahore (12 devices)')
  expect(networkFaultSentence({ do: 'link.fault', fault: 'cut', forSeconds: 30 })).toBe(
    'Network cut for 30 s',
  )
  expect(networkFaultSentence({ do: 'link.fault', fault: 'server-errors', forSeconds: 600 })).toBe(
    '50 % of the calls fail for 10 min',
  )
  const incident = { type: 'offline', imei: '356307042441013', deviceName: 'LHR-FRZ-001', at: 0 } as const
  expect(incidentSentence(incident, 600)).toBe(
    'Ran to the next incident, 10 min on: contact lost, LHR-FRZ-001',
  )
  expect(incidentSentence(null, 43_200)).toBe('Ran on for 12 h without an incident')
  expect(incidentSentence(undefined, 420)).toBe('Stopped after 7 min, without an incident so far')
})
