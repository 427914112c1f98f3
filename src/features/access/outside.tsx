import type { ReactNode } from 'react'
import { Mark } from '../../layout/brand.tsx'
import { ColdChain } from './cold-chain.tsx'

/** The pages before sign-in: what is asked on one side, what Frostline is on the other. */
export function Outside({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh bg-surface desk:grid-cols-[minmax(440px,5fr)_7fr]">
      <main className="flex flex-col px-5 py-6 tablet:px-10">
        <div className="flex items-center gap-3 text-accent">
          <Mark size={24} />
          <span className="font-semibold text-ink text-title tracking-tight">Frostline</span>
        </div>
        <div className="mx-auto flex w-full max-w-100 flex-1 flex-col justify-center py-6">{children}</div>
      </main>
      <aside className="relative hidden overflow-hidden bg-ground desk:block">
        <ColdChain />
      </aside>
    </div>
  )
}
