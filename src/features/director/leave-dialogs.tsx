import { type ReactNode, useState } from 'react'
import type { SimScenario } from '#machines/contracts/calls/sim-calls.ts'
import { counted } from '#machines/rules/figures.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useDoing } from './use-doing.ts'

type AskProps = {
  title: string
  go: string
  /** so many things were done to this world */
  done: number
  canGo?: boolean
  onGo: () => void
  onClose: () => void
  children: ReactNode
}

/** Whether this world may go: with it goes what was done in it, and everybody's session. */
export function AskToLeave({ title, go, done, canGo = true, onGo, onClose, children }: AskProps) {
  return (
    <ActionDialog
      title={title}
      word={go}
      isReady={canGo}
      onAct={() => {
        onClose()
        onGo()
      }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 text-ink-soft">
        <div>{children}</div>
        <p>
          Everybody is signed out, and what happened in this world is gone
          {done > 0 && `, the ${done === 1 ? 'one thing' : `${done} things`} done here with it`}.
        </p>
      </div>
    </ActionDialog>
  )
}

type OpenProps = { scenario: SimScenario; done: number; onClose: () => void }

/** Whether another scenario is to take this one's place, and with which seed. */
export function OpenDialog({ scenario: { name, title, story, devices }, done, onClose }: OpenProps) {
  const { act } = useDoing()
  const [seed, setSeed] = useState('')
  const isSeed = /^\d{0,15}$/.test(seed.trim())
  return (
    <AskToLeave
      title={`Open ${title}?`}
      go="Open"
      done={done}
      canGo={isSeed}
      onGo={() => act({ kind: 'open', scenario: name, ...(seed.trim() !== '' && { seed: Number(seed) }) })}
      onClose={onClose}
    >
      <p className="pb-3">
        {story} {counted(devices, 'device')}.
      </p>
      <TextField
        label="Seed"
        inputMode="numeric"
        autoComplete="off"
        value={seed}
        onChange={setSeed}
        hint="Left empty, the scenario’s own"
        message={isSeed ? undefined : 'A seed is a whole number from 0 on'}
      />
    </AskToLeave>
  )
}
