import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AlarmHealth } from '#machines/contracts/entities/alarm-health.ts'
import { counted } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'
import { percentOf } from '../../format/percent.ts'
import { lasting } from '../../format/time.ts'
import { kindWords } from '../../layout/incidents/lines.ts'
import { Panel } from '../../layout/page.tsx'
import { Time } from '../../ui/time.tsx'
import { alarmHealthAddress } from './alarm-health-address.ts'
import { LineActions, type Shelvings, TryLimits } from './line-actions.tsx'
import { slotMean } from './words.ts'
import { DeviceName } from './worst-devices.tsx'

type Props = { health: AlarmHealth }
type ListProps = Props & { shelvings: Shelvings }

/** Slots of more than ten alarms, until one of fewer than five. */
export function Floods({ health: { floodList, floods } }: Props) {
  return (
    <Listed title="Floods" count={floods} shown={floodList.length}>
      {floodList.map(({ from, to, alarms, peak }) => (
        <Row key={from} end={`${counted(alarms, 'alarm')}, ${formatCount(peak)} at most in a slot`}>
          <Time at={from} />
          {` for ${lasting((Date.parse(to) - Date.parse(from)) / 1000)}`}
        </Row>
      ))}
    </Listed>
  )
}

/** Three openings and more of one device and kind within an hour. */
export function Chatter({ health: { chatter, chatterCount }, shelvings }: ListProps) {
  return (
    <Listed title="Chatter" count={chatterCount} shown={chatter.length}>
      {chatter.map((one) => (
        <Row
          key={`${one.imei} ${one.type}`}
          end={`${formatCount(one.most)} in 60 min, ${formatCount(one.alarms)} in all`}
          note={kindWords(one.type)}
          actions={<LineActions device={one} shelvings={shelvings} type={one.type} />}
        >
          <DeviceName device={one} />
        </Row>
      ))}
    </Listed>
  )
}

export function Stale({ health: { stale, staleCount, to }, shelvings }: ListProps) {
  return (
    <Listed title="Open for over 24 h" count={staleCount} shown={stale.length}>
      {stale.map((one) => (
        <Row
          key={`${one.imei} ${one.type}`}
          end={<Time at={one.openedAt}>{lasting((Date.parse(to) - Date.parse(one.openedAt)) / 1000)}</Time>}
          note={kindWords(one.type)}
          actions={<LineActions device={one} shelvings={shelvings} type={one.type} />}
        >
          <DeviceName device={one} />
        </Row>
      ))}
    </Listed>
  )
}

export function Shelved({ health: { shelved, shelvedCount }, shelvings }: ListProps) {
  return (
    <Listed title="Shelved now" count={shelvedCount} shown={shelved.length}>
      {shelved.map((one) => (
        <Row
          key={`${one.imei} ${one.type}`}
          end={
            <>
              {'until '}
              <Time at={one.until} />
            </>
          }
          note={`${kindWords(one.type)} · ${one.reason} · ${one.userName}`}
          actions={<LineActions device={one} shelvings={shelvings} shelved={one} />}
        >
          <DeviceName device={one} />
        </Row>
      ))}
    </Listed>
  )
}

/** Each is told what happens in their group and below. */
export function People({ health: { people, peopleCount }, groupId }: Props & { groupId: string }) {
  return (
    <Listed title="Who was notified" count={peopleCount} shown={people.length}>
      {people.map((one) => (
        <Row
          key={one.userId}
          end={`${formatCount(one.told)} · mean ${slotMean(one.mean)} · ${percentOf(one.floodShare, 1)} in floods`}
          note={
            one.groupId === groupId ? (
              one.groupName
            ) : (
              <Link
                href={`/visualization/alarms?${alarmHealthAddress.write({ group: one.groupId, days: '7' })}`}
                className="underline"
              >
                {one.groupName}
              </Link>
            )
          }
          actions={
            <span className="-mr-2 ml-auto">
              <TryLimits groupId={one.groupId} of={`${one.groupName}, the group of ${one.name}`} />
            </span>
          }
        >
          {one.name}
        </Row>
      ))}
    </Listed>
  )
}

type ListedProps = { title: string; count: number; shown: number; children: ReactNode }

/** A list with how many there are in all; nothing where there is none. */
function Listed({ title, count, shown, children }: ListedProps) {
  if (count === 0) return null
  return (
    <Panel title={`${title} · ${formatCount(count)}`}>
      <ul aria-label={title} className="flex max-h-96 flex-col overflow-y-auto pb-2">
        {children}
      </ul>
      {shown < count && (
        <p className="px-4 pb-2 text-dense text-ink-faint">{`${formatCount(count - shown)} more are not listed.`}</p>
      )}
    </Panel>
  )
}

type RowProps = { children: ReactNode; end: ReactNode; note?: ReactNode; actions?: ReactNode }

/** What it is about and how much; under it what more there is to say, and what can be done: all of it is read, however narrow. */
function Row({ children, end, note, actions }: RowProps) {
  return (
    <li className="px-4 py-1">
      <span className="flex items-center gap-4">
        <span className="min-w-0 flex-1">{children}</span>
        <span className="tabular max-w-1/2 text-right text-dense text-ink-soft">{end}</span>
      </span>
      {actions && (
        <span className="flex flex-wrap items-center gap-x-4">
          <span className="min-w-0 break-words text-dense text-ink-soft">{note}</span>
          {actions}
        </span>
      )}
    </li>
  )
}
