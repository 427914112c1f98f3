import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { withKeys } from '../../src/effects/offline-page.ts'
import { pageOf } from './offline-page.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('a policy in the page names its script and styles by their hashes, and lets nothing else in', () => {
  const page = pageOf('run("</script>")', '@font-face{src:url(a.woff2)}\nbody{margin:0}')
  const [, policy = ''] = /content="([^"]*)"/.exec(page) ?? []
  const [, styles = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  expect([script, styles]).toEqual(['run("<\\/script>")', 'body{margin:0}'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`script-src ${hashOf(script)};`)
  expect(policy).toContain(`style-src ${hashOf(styles)};`)
})

test('keys are put in as data, whatever they say', () => {
  const key = { keyId: '0123456789abcdef', publicKey: '</script><script>', at: 1, endorsement: null }
  const page = withKeys(pageOf('', ''), [key])
  const text = /id="frostline-keys">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  expect(JSON.parse(text)).toEqual({ is: 'frostline-seal-keys', keys: [key] })
})
