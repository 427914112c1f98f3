import { zipSync } from 'fflate'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConsistencyProof, SealKey } from '#machines/contracts/entities/seals.ts'
import { sealedRecord } from '#machines/testing/sealed-report.ts'
import { Verifier, type VerifierProps } from './verifier.tsx'
import '../../styles/tokens.css'

const { signer, entryOf, sealOf, headOf, proofOf } = sealedRecord(crypto.subtle)
const utf8 = (text: string) => new TextEncoder().encode(text)
const REPORT = utf8('%PDF a report')

let keys: SealKey[]
let seal: Uint8Array
let superseded: Uint8Array
let mail: string
let proof: ConsistencyProof
beforeEach(async () => {
  const by = await signer()
  keys = [by.key]
  const entries = await Promise.all([
    entryOf({ reportId: 'r1', fileName: 'Report.pdf', bytes: REPORT }, 1),
    entryOf({ reportId: 'r2', fileName: 'Report-2.pdf', bytes: utf8('2'), version: 2, firstId: 'r1' }, 2),
  ])
  seal = utf8(JSON.stringify(await sealOf(entries.slice(0, 1), 0, by)))
  const { size, root, at, keyId, signature } = await headOf(entries.slice(0, 1), by)
  mail = `Entries: ${size}\nRoot: ${root}\nSigned: today (${at})\nKey: ${keyId}\nSignature: ${signature}\n`
  proof = await proofOf(entries, 1, by)
  superseded = utf8(JSON.stringify(await sealOf(entries, 0, by, { newer: 1 })))
})

let root: ReturnType<typeof createRoot>
afterEach(() => {
  root.unmount()
  document.body.replaceChildren()
})
function shown(known = keys, more: Partial<VerifierProps> = {}): void {
  const place = document.body.appendChild(document.createElement('main'))
  root = createRoot(place)
  root.render(<Verifier known={{ keys: known, whose: 'those of a test' }} {...more} />)
}
const file = (name: string, bytes: Uint8Array) => new File([bytes as BlobPart], name)
const give = (...files: File[]) => page.getByLabelText('Choose files').upload(files)
const heading = (name: string | RegExp) => page.getByRole('heading', { name })

test('a report and its seal, one after the other: what is missing is asked for, then it is genuine', async () => {
  shown()
  await give(file('Report.pdf', REPORT))
  await expect.element(heading('No seal for it')).toBeVisible()
  await give(file('Report.pdf.seal.json', seal))
  await expect.element(heading('Genuine: made 15 Jun 2026 04:20 PKT, position 1')).toBeVisible()
  await expect.element(page.getByText('Report.pdf', { exact: true })).toBeVisible()
  await page.getByText('How this was found').click()
  await expect.element(page.getByText('The signature of the record holds.')).toBeVisible()
})

test('the ZIP that holds both; one changed byte in it', async () => {
  shown()
  const zip = (report: Uint8Array) =>
    file('Report.pdf.zip', zipSync({ 'Report.pdf': report, 'Report.pdf.seal.json': seal }))
  await give(zip(REPORT))
  await expect.element(heading(/^Genuine: made/)).toBeVisible()
  const changed = REPORT.slice()
  changed[3] = 0x66
  await give(zip(changed))
  await expect.element(heading('Changed: not the bytes Frostline made')).toBeVisible()
})

test('a later version, and a key that is not known until its file is added', async () => {
  shown([])
  await give(file('Report.pdf', REPORT), file('Report.pdf.seal.json', superseded))
  await expect.element(heading('Signed by a key this page does not know')).toBeVisible()
  await give(file('frostline-seal-keys.json', utf8(JSON.stringify({ is: 'frostline-seal-keys', keys }))))
  await expect.element(heading('Superseded by version 2')).toBeVisible()
  await page.getByRole('button', { name: 'Begin anew' }).click()
  await expect.element(heading('Superseded by version 2')).not.toBeInTheDocument()
})

test('what cannot be read is said in words', async () => {
  shown()
  await give(file('a.zip', utf8('none')))
  await expect.element(page.getByRole('alert')).toMatchTextContent('a.zip is no ZIP that can be read.')
  await give(file('Report.pdf.seal.json', seal.subarray(0, 40)))
  await expect.element(heading('Not a seal as Frostline writes them')).toBeVisible()
})

test('of many files each is said, and one that cannot be read keeps none of the others back', async () => {
  shown()
  const others = Array.from({ length: 8 }, (_, i) => file(`Other ${i}.pdf`, utf8(`${i}`)))
  await give(
    file('broken.zip', utf8('none')),
    ...others,
    file('Report.pdf', REPORT),
    file('Report.pdf.seal.json', seal),
  )
  await expect.element(heading(/^Genuine: made/)).toBeVisible()
  expect(heading('No seal for it').elements()).toHaveLength(8)
  await expect.element(page.getByRole('alert')).toMatchTextContent('broken.zip is no ZIP that can be read.')
  await give(file('Report.pdf.seal.json', seal))
  await expect.element(page.getByRole('alert')).toBeEmptyDOMElement()
})

describe('a daily head by mail', () => {
  const box = page.getByRole('textbox', { name: 'Text of the mail' })
  async function paste(text: string): Promise<void> {
    if (box.query() === null || !box.query()?.checkVisibility())
      await page.getByText('Compare a daily head that came by mail').click()
    await box.fill(text)
    await page.getByRole('button', { name: 'Check the mail' }).click()
  }

  test('is pasted and compared with the record of today; of one changed digit it is refused before', async () => {
    const requests: number[] = []
    const proofOf = async (from: number) => {
      requests.push(from)
      return proof
    }
    shown(keys, { proofOf })
    await paste(mail)
    await expect.element(heading('A signed head, of 1 entries')).toBeVisible()
    expect(requests, 'nothing is sent before it is pressed').toEqual([])
    await page.getByRole('button', { name: 'Compare with the record of today' }).click()
    await expect.element(heading('The same log')).toBeVisible()
    expect(requests).toEqual([1])
    const changed = mail.replace(/Root: (.)/, (_, first) => `Root: ${first === '7' ? '8' : '7'}`)
    await paste(changed)
    await expect.element(heading('Not shown to be the same log')).toBeVisible()
    await expect.element(page.getByText(/was not signed by its key: it was changed/)).toBeVisible()
    await expect.element(heading('The same log')).not.toBeInTheDocument()
  })

  test('of a server whose record is shorter is refused in its words; without a server, the proof is asked for', async () => {
    const proofOf = async () => Promise.reject(new Error('Its end is gone.'))
    shown(keys, { proofOf })
    await paste(mail)
    await page.getByRole('button', { name: 'Compare with the record of today' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('Its end is gone.')
    root.unmount()
    shown()
    await give(file('head.eml', utf8(mail)))
    await expect.element(page.getByText(/This page has no server to ask/)).toBeVisible()
    await give(file('consistency.json', utf8(JSON.stringify(proof))))
    await expect.element(heading('The same log')).toBeVisible()
  })
})
