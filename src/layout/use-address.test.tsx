import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { pageAddress, typed } from '../format/page-address.ts'
import { useAddressPart } from './use-address.ts'

const words = pageAddress<{ words: string }>({ words: typed('q') })
const look = pageAddress<{ look: string }>({ look: typed('list') })

function Page({ onShown }: { onShown: (writeBoth: () => void) => void }) {
  const [, setWords] = useAddressPart(words, 'words', 'replace')
  const [, setLook] = useAddressPart(look, 'look', 'replace')
  useEffect(() => {
    onShown(() => {
      setWords('reefer')
      setLook('plate')
    })
  })
  return null
}

test('two parts of a page that write in one go both stand in its address', () => {
  const { hook, searchHook, history } = memoryLocation({ path: '/devices?view=mine', record: true })
  let writeBoth = () => {}
  const root = createRoot(document.createElement('div'))
  onTestFinished(() => root.unmount())
  flushSync(() =>
    root.render(
      <Router hook={hook} searchHook={searchHook}>
        <Page onShown={(shown) => (writeBoth = shown)} />
      </Router>,
    ),
  )
  flushSync(() => writeBoth())
  expect(history).toEqual(['/devices?view=mine&q=reefer&list=plate'])
})
