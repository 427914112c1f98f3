import type { Recording } from '#machines/contracts/recording.ts'
import { counted } from '#machines/rules/figures.ts'
import { writtenTime } from '../../format/time.ts'
import { ChooseFile } from './choose-file.tsx'

type Props = { recording: Recording; name: string; onChoose: (file: File) => void }

/** Which recording it is, of which world, and where it begins. */
export function About({ recording, name, onChoose }: Props) {
  const { app, dropped } = recording
  const facts = [
    app.scenario,
    app.seed !== null && `seed ${app.seed}`,
    app.clock !== null && writtenTime(app.clock),
    app.speed !== null && `×${app.speed}`,
  ].filter((fact) => typeof fact === 'string')
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="truncate font-semibold">{name}</h2>
        <p className="truncate text-dense text-ink-soft">{facts.join(' · ')}</p>
      </div>
      {dropped > 0 && (
        <p className="text-dense text-caution">
          Begins after {counted(dropped, 'step')} {dropped === 1 ? 'was' : 'were'} dropped: no more fitted.
        </p>
      )}
      <ChooseFile kind="plain" onChoose={onChoose}>
        Open Another
      </ChooseFile>
    </div>
  )
}
