import type {
  Candidate,
  LimitsTrialWithResult,
  TrialDevice,
  TrialEpisode,
} from '#machines/contracts/entities/limits-trials.ts'
import { counted, figure } from '#machines/rules/figures.ts'
import { writtenTime } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'
import { unitOf } from './candidates.ts'

const [WIDTH, HEIGHT] = [900, 220]
const LANE = 22

type Props = { trial: LimitsTrialWithResult; device: TrialDevice }

/** What a device measured, and when it would have been told under what was in force and each candidate: a lane each. */
export function TrialChart({ trial, device }: Props) {
  const [from, to] = [Date.parse(trial.from), Date.parse(trial.to)]
  const columns: readonly (readonly [string, Candidate])[] = [
    ['In force', trial.inForce],
    ...trial.candidates.map((candidate, i) => [`Candidate ${i + 1}`, candidate] as const),
  ]
  const [least, most] = boundsOf(
    device,
    columns.map(([, candidate]) => candidate),
  )
  const y = (value: number): number => HEIGHT - ((value - least) / (most - least)) * HEIGHT
  const x = (at: number): number => ((Math.min(Math.max(at, from), to) - from) / (to - from)) * WIDTH
  const unit = unitOf(trial.quantity)
  return (
    <figure className="m-0 flex flex-col gap-2">
      <div className="flex gap-2">
        <div
          aria-hidden
          className="tabular flex w-20 shrink-0 flex-col justify-between text-right text-dense text-ink-faint"
        >
          <span>{`${figure(most, 1)} ${unit}`}</span>
          <span>{`${figure(least, 1)} ${unit}`}</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${device.name}: what was measured, with the limits of each candidate`}
          className="h-56 min-w-0 flex-1 rounded-small bg-sunken"
        >
          {columns.map(([name, { low, high }], i) =>
            low < high ? (
              <g key={name} className={LOOKS[i]} strokeWidth={1.5} vectorEffect="non-scaling-stroke">
                <line
                  x1={0}
                  x2={WIDTH}
                  y1={y(high)}
                  y2={y(high)}
                  strokeDasharray={DASHES[i]}
                  vectorEffect="non-scaling-stroke"
                />
                <line
                  x1={0}
                  x2={WIDTH}
                  y1={y(low)}
                  y2={y(low)}
                  strokeDasharray={DASHES[i]}
                  vectorEffect="non-scaling-stroke"
                />
              </g>
            ) : null,
          )}
          <path d={areaOf(device, y)} className="fill-ink-soft" fillOpacity={0.85} />
        </svg>
      </div>
      <ul aria-label="When it would have raised an alarm" className="flex flex-col gap-1">
        {columns.map(([name], i) => (
          <li key={name} className="flex items-center gap-2">
            <span className="tabular flex w-20 shrink-0 flex-col items-end text-dense text-ink-soft leading-4">
              <span className="whitespace-nowrap">{`${i === 0 ? name : `No. ${i}`} · ${device.episodes[i]?.length ?? 0}`}</span>
              <svg aria-hidden width={40} height={4}>
                <line
                  x1={0}
                  x2={40}
                  y1={2}
                  y2={2}
                  className={LOOKS[i]}
                  strokeWidth={2}
                  strokeDasharray={DASHES[i]}
                />
              </svg>
            </span>
            <Lane episodes={device.episodes[i] ?? []} name={name} x={x} to={to} />
          </li>
        ))}
      </ul>
      <figcaption className="tabular flex justify-between pl-22 text-dense text-ink-faint">
        <Time at={from} />
        <Time at={to} />
      </figcaption>
    </figure>
  )
}

/** Told apart by dashes as well as by tone. */
const LOOKS = ['stroke-ink', 'stroke-accent', 'stroke-accent-strong', 'stroke-ink-faint']
const DASHES = [undefined, '6 4', '2 3', '10 3 2 3']

type LaneProps = { episodes: readonly TrialEpisode[]; name: string; x: (at: number) => number; to: number }

/** Light from since when it was beyond the limit, dark from when that was told. */
function Lane({ episodes, name, x, to }: LaneProps) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${LANE}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}: ${counted(episodes.length, 'episode')}`}
      className="h-5 min-w-0 flex-1 rounded-small bg-sunken"
    >
      {episodes.map(({ since, openedAt, clearedAt, worst }) => {
        const end = x(clearedAt ?? to)
        return (
          <g key={since}>
            <title>
              {`Out since ${writtenTime(since)}, raised ${writtenTime(openedAt)}, ${clearedAt === null ? 'lasts' : `over ${writtenTime(clearedAt)}`}; worst ${figure(worst, 1)}`}
            </title>
            <rect
              x={x(since)}
              width={Math.max(1, end - x(since))}
              y={7}
              height={8}
              className="fill-ink-faint"
              fillOpacity={0.5}
            />
            <rect
              x={x(openedAt)}
              width={Math.max(2, end - x(openedAt))}
              y={3}
              height={16}
              className="fill-ink"
            />
          </g>
        )
      })}
    </svg>
  )
}

function boundsOf({ lows, highs }: TrialDevice, candidates: readonly Candidate[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const take = (value: number | null): void => {
    if (value === null) return
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  for (const value of lows) take(value)
  for (const value of highs) take(value)
  for (const { low, high } of candidates)
    if (low < high) {
      take(low)
      take(high)
    }
  const room = Math.max(0.5, (most - least) * 0.05)
  return [least - room, most + room]
}

/** From lowest to highest in each part of the time; nothing where nothing was measured. */
function areaOf({ lows, highs }: TrialDevice, y: (value: number) => number): string {
  const width = WIDTH / Math.max(1, lows.length)
  let path = ''
  for (const [i, low] of lows.entries()) {
    const high = highs[i]
    if (low === null || high == null) continue
    const [top, bottom] = [y(high), Math.max(y(low), y(high) + 2)]
    path += `M${(i * width).toFixed(1)} ${top.toFixed(1)}h${width.toFixed(1)}V${bottom.toFixed(1)}h-${width.toFixed(1)}Z`
  }
  return path
}
