import { expect, test } from 'vitest'
import { model as confirmDelete } from '#machines/confirm-delete/confirm-delete.samples.ts'
import type { PathModel } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { model as violation } from '#machines/violation/violation.samples.ts'
import { chartsHtml } from './charts-html.ts'

const models: PathModel[] = [confirmDelete, violation]
const walks = models.map((model) => ({ model, found: walk(model) }))
const endToEnd = {
  specs: [{ spec: 'groups', at: 0 }],
  taken: {
    'confirm-delete': {
      states: { asking: 1, cancelled: 1 },
      transitions: { 'asking: cancel → cancelled': 1 },
    },
  },
}
const counts = (html: string, what: string) => html.split(what).length - 1

test('each transition is drawn for each source, and what is missing is listed', async () => {
  const html = await chartsHtml(walks, endToEnd)
  expect(counts(html, '<title>asking: cancel → cancelled: covered by generated paths</title>')).toBe(2)
  expect(counts(html, '<title>asking: cancel → cancelled: covered by end-to-end tests</title>')).toBe(2)
  expect(html).toContain('<li>asking: confirm → deleting</li>')
  expect(html).not.toContain('<li>asking: cancel → cancelled</li>')
  expect(html).toContain('>1 of 6<')
})

test('a machine no end-to-end test met has all of it listed, one of the server like any other', async () => {
  const html = await chartsHtml(walks, endToEnd)
  expect(html).toContain('<li>inside: reading [isAbove] → above</li>')
})

test('the page needs nothing beside it, and runs nothing', async () => {
  const html = await chartsHtml(walks, { specs: [], taken: {} })
  expect(html).not.toMatch(/<script|<link|@import|url\(|\ssrc=/)
  expect(html).not.toContain('end-to-end tests</title>')
  expect(html).toContain('were not run here')
})
