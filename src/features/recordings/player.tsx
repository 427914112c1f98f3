import { useMemo } from 'react'
import type { PlayerEvent } from '#machines/recording-player/recording-player.machine.ts'
import type { OpenedRecording } from '../../actors/recording-player.ts'
import { useStore } from '../../actors/store.ts'
import { About } from './about.tsx'
import { FleetPanel } from './fleet-panel.tsx'
import { MachinesPanel } from './machines-panel.tsx'
import { StepList } from './step-list.tsx'
import { StepPanel } from './step-panel.tsx'
import { Transport } from './transport.tsx'
import { usePlayerKeys } from './use-player-keys.ts'

type Props = {
  opened: OpenedRecording
  name: string
  /** steps taken */
  at: number
  speed: number
  isPlaying: boolean
  send: (event: PlayerEvent) => void
  onChoose: (file: File) => void
}

/** A recording: its steps on one side, on the other what is so after the one it stands at. */
export function Player({ opened, name, at, speed, isPlaying, send, onChoose }: Props) {
  const { recording, sceneAt } = opened
  const checks = useStore(opened.checks)
  const scene = useMemo(() => sceneAt(at), [sceneAt, at])
  const before = useMemo(() => (at === 0 ? undefined : recording.steps[at - 1]), [recording, at])
  usePlayerKeys({ at, steps: recording.steps.length, isPlaying, send })
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <About recording={recording} name={name} onChoose={onChoose} />
      <Transport
        steps={recording.steps}
        at={at}
        speed={speed}
        isPlaying={isPlaying}
        checks={checks}
        send={send}
      />
      <div className="grid min-h-0 flex-1 gap-3 desk:grid-cols-[minmax(320px,2fr)_3fr] wall:grid-cols-[2fr_3fr_2fr]">
        <StepList
          recording={recording}
          at={at}
          differences={checks.differences}
          onJump={(to) => send({ type: 'jump', to })}
        />
        <div className="flex min-h-0 flex-col gap-3 desk:overflow-auto">
          <StepPanel step={before} differs={checks.differences.get(at - 1)} />
          <MachinesPanel machines={scene.machines} step={before} />
          <div className="wall:hidden">
            <FleetPanel scene={scene} />
          </div>
        </div>
        <div className="hidden min-h-0 overflow-auto wall:block">
          <FleetPanel scene={scene} />
        </div>
      </div>
    </div>
  )
}
