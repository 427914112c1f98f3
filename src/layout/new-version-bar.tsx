import { useSelector } from '@xstate/react'
import { RefreshCw } from 'lucide-react'
import { useRoot } from '../actors/use-root.ts'
import { Button } from '../ui/button.tsx'

/** Above everything while this window is older than the server: Reload, and what becomes of what was typed. */
export default function NewVersionBar() {
  const { newVersion, drafts } = useRoot()
  const state = useSelector(newVersion, (snapshot) => snapshot.value)
  const words = WORDS[state]
  if (words === undefined) return null
  return (
    <aside
      aria-label="New version"
      className="flex shrink-0 flex-wrap items-center gap-x-3 bg-accent-soft py-1 pr-2 pl-4 text-accent-strong desk:pl-5"
    >
      <RefreshCw size={16} aria-hidden className="shrink-0" />
      <p role="status" className="min-w-50 flex-1 py-1">
        <span className="font-semibold">There is a new version.</span> {words}
      </p>
      <div className="ml-auto flex gap-1">
        {state === 'offered' && (
          <Button
            kind="quiet"
            className="text-accent-strong"
            onPress={() => newVersion.send({ type: 'later' })}
          >
            Later
          </Button>
        )}
        <Button kind="primary" onPress={() => newVersion.send({ type: 'reload', isKept: drafts.keep() })}>
          {state === 'unkept' ? 'Reload Anyway' : 'Reload'}
        </Button>
      </div>
    </aside>
  )
}

const KEPT = 'What you typed is kept.'
const WORDS: Readonly<Record<string, string>> = {
  offered: KEPT,
  needed: `Nothing new is shown here until you reload. ${KEPT}`,
  unkept: 'A password, a code or a file on this page cannot be kept: finish it first, or lose it.',
}
