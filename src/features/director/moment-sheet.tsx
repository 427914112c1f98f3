import { Clapperboard } from 'lucide-react'
import type { ReactNode } from 'react'
import { Mark } from '../../layout/brand.tsx'
import { Button } from '../../ui/button.tsx'

/** A page with one thing on it: the moment that is being opened. */
export function Sheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center bg-ground p-4 tablet:pt-[14vh]">
      <div className="flex items-center gap-3 pb-6 text-accent">
        <Mark size={24} />
        <span className="font-semibold text-ink text-title tracking-tight">Frostline</span>
      </div>
      <section className="flex w-full max-w-110 flex-col gap-4 rounded-panel bg-surface p-5 shadow-soft">
        <h1 className="flex items-center gap-3 font-semibold text-title">
          <Clapperboard size={20} aria-hidden className="shrink-0 text-accent" />
          {title}
        </h1>
        {children}
      </section>
    </main>
  )
}

/** The way on without it. */
export function Stay({ onStay }: { onStay: () => void }) {
  return (
    <Button kind="quiet" className="self-start" onPress={onStay}>
      Stay in this world
    </Button>
  )
}
