import { useState } from 'react'
import { useRecordingPlayer } from '../../actors/recording-player.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { setTimeZone } from '../../format/time.ts'
import { LabHeader } from '../../layout/lab-header.tsx'
import { OpenFile } from './open-file.tsx'
import { Player } from './player.tsx'

/** `/lab/recordings`: a session is recorded, and one that was is gone through step by step. It needs no sign-in. */
export default function Recordings() {
  const server = useStore(useRoot().server)
  return (
    <div className="flex h-dvh flex-col bg-ground">
      <LabHeader title="Recordings" />
      <main className="flex min-h-0 flex-1 flex-col overflow-auto px-4 pb-4">
        {server && <Content timeZone={server.timeZone} />}
      </main>
    </div>
  )
}

function Content({ timeZone }: { timeZone: string }) {
  // Nobody may have signed in yet, which is when it is set otherwise.
  useState(() => setTimeZone(timeZone))
  const { snapshot, send, opened } = useRecordingPlayer()
  const choose = (file: File) => send({ type: 'file.chosen', name: file.name, file })
  const { at, name, speed, failure } = snapshot.context
  if (opened !== undefined && snapshot.matches('open'))
    return (
      <Player
        key={name}
        opened={opened}
        name={name}
        at={at}
        speed={speed}
        isPlaying={snapshot.matches({ open: 'playing' })}
        send={send}
        onChoose={choose}
      />
    )
  return <OpenFile name={name} failure={failure} isOpening={snapshot.matches('opening')} onChoose={choose} />
}
