import { Clapperboard, X } from 'lucide-react'
import { useRef } from 'react'
import { useDirector, useDirectorState } from '../../actors/director.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { FleetContext } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Controls } from './controls.tsx'
import { TokenForm } from './token-form.tsx'
import { usePanelFocus } from './use-panel-focus.ts'

/**
 * The director's panel: plays on the simulated world in front of everybody. It stands beside the page or, where that is
 * narrow, over a side of it; on a phone it is a sheet at the lower edge. The page stays as usable as it was.
 */
export default function Director({ takesFocus }: { takesFocus: boolean }) {
  const root = useRoot()
  const { actor } = useDirector()
  const state = useDirectorState()
  const { world, error } = state.context
  const fleet = useStore(root.live)?.fleet ?? null
  const panel = useRef<HTMLElement>(null)
  const close = (): void => root.director.set({ ...root.director.get(), isOpen: false })
  usePanelFocus(panel, takesFocus, state)

  return (
    <FleetContext value={fleet}>
      <aside
        ref={panel}
        tabIndex={-1}
        aria-label="Director"
        onKeyDown={(event) => {
          // What is opened from the panel lies elsewhere in the page, and closes by itself.
          if (
            event.key !== 'Escape' ||
            event.defaultPrevented ||
            !panel.current?.contains(event.target as Node)
          )
            return
          event.preventDefault()
          close()
        }}
        className="fixed inset-x-0 bottom-0 z-30 flex h-[62dvh] flex-col rounded-t-panel bg-surface shadow-soft outline-none tablet:inset-y-0 tablet:right-0 tablet:left-auto tablet:h-dvh tablet:w-95 tablet:rounded-none min-[1200px]:sticky min-[1200px]:top-0 min-[1200px]:z-10 min-[1200px]:shrink-0"
      >
        <div className="flex h-header shrink-0 items-center gap-2 pr-2 pl-4">
          <Clapperboard size={18} aria-hidden className="text-accent" />
          <h2 className="flex-1 font-semibold">Director</h2>
          <span className="max-tablet:hidden">
            <Kbd>D</Kbd>
          </span>
          <IconButton aria-label="Close the director’s panel" onPress={close}>
            <X size={18} aria-hidden />
          </IconButton>
        </div>
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">
          {state.matches('locked') ? (
            <TokenForm />
          ) : world !== null ? (
            <>
              {state.matches({ watching: 'failed' }) && (
                <div
                  role="alert"
                  className="mx-4 mb-3 flex flex-col gap-2 rounded-small bg-caution-soft px-3 py-2 text-caution text-dense"
                >
                  <p>The world does not answer; this is how it was. {error}</p>
                  <Button className="self-start" onPress={() => actor.send({ type: 'retry' })}>
                    Try again
                  </Button>
                </div>
              )}
              <Controls world={world} />
            </>
          ) : state.matches({ watching: 'failed' }) ? (
            <ErrorState
              title="The world does not answer"
              details={error ?? undefined}
              action={<Button onPress={() => actor.send({ type: 'retry' })}>Try again</Button>}
            >
              It is asked again every few seconds.
            </ErrorState>
          ) : (
            <SkeletonRows rows={9} className="px-2" />
          )}
        </div>
      </aside>
    </FleetContext>
  )
}
