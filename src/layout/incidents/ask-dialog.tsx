import { useSelector } from '@xstate/react'
import { useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { DialogKind, incidentActionMachine } from '#machines/incident-action/incident-action.machine.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segments } from '../../ui/segments.tsx'
import { isLostId, nameOf } from './lines.ts'
import { WhyForm } from './why-form.tsx'

const TIMES = [
  { id: '15', text: '15 min' },
  { id: '60', text: '1 h' },
  { id: '240', text: '4 h' },
  { id: '480', text: '8 h' },
  { id: '1440', text: '24 h' },
]
const TITLES: Record<DialogKind, string> = {
  acknowledge: 'Acknowledge',
  shelve: 'Shelve',
  comment: 'Comment',
}

/** For how long, and why: what was pressed last is done. */
export function AskDialog({ action }: { action: ActorRefFrom<typeof incidentActionMachine> }) {
  const { kind, ids, imei, minutes, error } = useSelector(action, ({ context }) => context)
  const state = useSelector(action, ({ value }) => value)
  const isLost = ids.length > 0 && ids.every(isLostId)
  const fleet = useFleetItself()
  const what = [
    ...(ids.length > 1 ? [`${ids.length} incidents`] : []),
    ...(imei ? [nameOf(fleet, imei)] : []),
  ]
  return (
    <Dialog
      title={`${TITLES[kind]} ${what.join(' of ')}`}
      isOpen={state !== 'closed'}
      isRequired={state === 'doing'}
      onOpenChange={(isOpen) => !isOpen && action.send({ type: 'cancel' })}
    >
      {(state === 'why' || state === 'why shelve') && (
        <div className="flex flex-col gap-3">
          {state === 'why shelve' && (
            <>
              <Segments
                label="For how long?"
                options={TIMES}
                value={String(minutes)}
                onChange={(id) => action.send({ type: 'last', minutes: Number(id) })}
              />
              <p className="text-ink-soft">
                {isLost
                  ? 'It is recorded and listed. Nobody is notified that it was unplugged until then.'
                  : 'It is recorded and listed. Nobody is notified until then, and then only if it still lasts.'}
              </p>
            </>
          )}
          <Why kind={kind} isLost={isLost} onSay={(text) => action.send({ type: 'say', text })} />
        </div>
      )}
      {state === 'doing' && <p role="status">{`${TITLES[kind]}: on its way…`}</p>}
      {state === 'failed' && (
        <div className="flex flex-col gap-3">
          <p role="alert" className="text-error">
            {error}
          </p>
          <div className="flex gap-2">
            <Button kind="primary" autoFocus onPress={() => action.send({ type: 'retry' })}>
              Try again
            </Button>
            <Button onPress={() => action.send({ type: 'cancel' })}>Cancel</Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

type WhyProps = { kind: DialogKind; isLost: boolean; onSay: (text: string) => void }

function Why({ kind, isLost, onSay }: WhyProps) {
  const [text, setText] = useState('')
  return <WhyForm kind={kind} isLost={isLost} text={text} onText={setText} onSay={onSay} isFocused />
}
