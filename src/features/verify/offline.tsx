import { createRoot } from 'react-dom/client'
import { decode } from '#machines/contracts/decode.ts'
import { type SealKey, SealKeys } from '#machines/contracts/entities/seals.ts'
import { Mark } from '../../layout/brand.tsx'
import { AboutVerifying } from './about-verifying.tsx'
import { Verifier } from './verifier.tsx'
import '../../styles/tokens.css'

/** The page of `/verify` as one file: no server, no network, the keys that were known where it was saved. */

function keysWithin(): readonly SealKey[] {
  const text = document.getElementById('frostline-keys')?.textContent ?? ''
  return text.trim() === '' ? [] : decode(JSON.parse(text), SealKeys, 'keys of this file').keys
}

function OfflinePage() {
  return (
    <div className="min-h-dvh bg-ground text-ink">
      <header className="flex items-center gap-2 px-4 pt-4 text-ink-soft desk:px-6">
        <Mark size={20} />
        <span className="font-semibold">Frostline</span>
      </header>
      <main className="mx-auto flex w-full max-w-240 flex-col gap-4 p-4 desk:p-6">
        <div>
          <h1 className="font-semibold text-title">Verify a report</h1>
          <p className="text-ink-soft">
            Whether a file is what Frostline made, and nothing else. This page needs no network and sends
            nothing.
          </p>
        </div>
        <Verifier known={{ keys: keysWithin(), whose: 'those of the server it was saved from' }} />
        <AboutVerifying />
      </main>
    </div>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(<OfflinePage />)
