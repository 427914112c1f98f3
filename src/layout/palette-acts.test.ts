import { expect, test } from 'vitest'
import { deskWith, incident, threeDevices } from './incidents/testing.ts'
import { actIn, actsLike, incidentsFor } from './palette-acts.ts'

test.each([
  ['shelve reefer 2', { isOfDevices: false, act: 'shelve', words: 'reefer 2' }],
  ['Acknowledge ', { isOfDevices: false, act: 'acknowledge', words: '' }],
  ['move leb-1', { isOfDevices: true, act: 'move', words: 'leb-1' }],
  ['acknowledge', undefined],
  ['reefer shelve', undefined],
])('“%s” asks for %o', (query, requested) => expect(actIn(query)).toEqual(requested))

test('what is typed in part can be chosen', () => {
  expect([actsLike('ac'), actsLike('xyz'), actsLike(' ')]).toEqual([['acknowledge'], [], []])
})

test('an act is offered where it says something new, the worst first', () => {
  const holder = { userId: 'me', userName: 'Me', since: incident(1).since }
  const acknowledged = { userName: 'Me', comment: '', createdAt: incident(1).since }
  const { imei, type } = incident(2)
  const silence = { imei, type, until: incident(1).since, reason: 'r', userName: 'Me', createdAt: '' }
  const known = deskWith({
    open: [incident(3, { acknowledged, holder }), incident(1), incident(2)],
    shelved: [silence],
  })
  const found = (query: string) => {
    const requested = actIn(query)
    return (
      requested?.isOfDevices === false &&
      incidentsFor(requested, threeDevices(), known, 'me').map(({ violationId }) => violationId)
    )
  }
  expect(found('comment ')).toEqual(['v2', 'v1', 'v3'])
  expect(found('acknowledge ')).toEqual(['v2', 'v1'])
  expect(found('take ')).toEqual(['v2', 'v1'])
  expect(found('shelve ')).toEqual(['v1', 'v3'])
  expect(found('comment reefer leb-1')).toEqual(['v1'])
})
