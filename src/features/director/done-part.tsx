import { Download, Undo2 } from 'lucide-react'
import type { World } from '#machines/director/doings.ts'
import { secondsTime } from '../../format/time.ts'
import { PastTime } from '../../layout/past/past-time.tsx'
import { Button } from '../../ui/button.tsx'
import { RefusalIn } from './refusal.tsx'
import { useDoing } from './use-doing.ts'

/** All that was done to this world, newest first, to be taken back or kept as a scenario. */
export function DonePart({ world: { actions } }: { world: World }) {
  const { act, isDoing } = useDoing()
  return (
    <div className="flex flex-col gap-3">
      <Button isPending={isDoing('save')} onPress={() => act({ kind: 'save' })}>
        <Download size={16} aria-hidden />
        Save as scenario
      </Button>
      <RefusalIn part="done" />
      {actions.length === 0 && (
        <p className="text-dense text-ink-faint">
          Nothing was done to this world yet. What is done stands here.
        </p>
      )}
      <ol aria-label="Done" className="flex flex-col gap-px">
        {actions.map(({ id, at, what, canUndo, undoneAt }) => (
          <li
            key={id}
            className="flex min-h-11 items-center gap-2 rounded-small bg-sunken py-1 pr-1 pl-3 text-dense"
          >
            <div className="min-w-0 flex-1">
              <p className={undoneAt === null ? '' : 'text-ink-faint line-through'}>{what}</p>
              <p className="text-ink-soft">
                <PastTime at={at} as={secondsTime} />
                {undoneAt !== null && ' · taken back'}
              </p>
            </div>
            {canUndo && undoneAt === null && (
              <Button
                kind="quiet"
                className="px-3"
                aria-label={`Undo: ${what}`}
                isPending={isDoing('undo', id)}
                onPress={() => act({ kind: 'undo', id })}
              >
                <Undo2 size={16} aria-hidden />
                Undo
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
