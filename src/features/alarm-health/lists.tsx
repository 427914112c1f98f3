import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AlarmHealth } from '#machines/contracts/entities/alarm-health.ts'
import { formatCount } from '../../format/numbers.ts'
import { percentOf } from '../../format/percent.ts'
import { lasting } from '../../format/time.ts'
import { kindWords } from '../../layout/incidents/lines.ts'
import { Panel } from '../../layout/page.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Time } from '../../ui/time.tsx'
import { alarmHealthAddress } from './alarm-health-address.ts'
import { slotMean } from './words.ts'
import { DeviceName } from './worst-devices.tsx'

type Props = { health: AlarmHealth }

/** Slots of more than ten alarms, until one of fewer than five. */
export function Floods({ health: { floodList, floods } }: Props) {
  return (
    <Listed title="Floods" count={floods} shown={floodList.length}>
      {floodList.map(({ from, to, alarms, peak }) => (
        <Row key={from} end={`${formatCount(alarms)} alarms, ${formatCount(peak)} at most in a slot`}>
          <Time at={from} />
          {` for ${lasting((Date.parse(to) - Date.parse(from)) / 1000)}`}
        </Row>
      ))}
    </Listed>
  )
}

/** Three openings and more of one device and kind within an hour. */
export function Chatter({ health: { chatter, chatterCount } }: Props) {
  return (
    <Listed title="Chatter" count={chatterCount} shown={chatter.length}>
      {chatter.map((one) => (
        <Row
          key={`${one.imei} ${one.type}`}
          end={`${formatCount(one.most)} in 60 min, ${formatCount(one.alarms)} in all`}
          note={
            <>
              {kindWords(one.type)}
              <TryLimits groupId={one.groupId} of={`${one.groupName}, the group of ${one.name}`} />
            </>
          }
        >
          <DeviceName device={one} />
        </Row>
      ))}
    </Listed>
  )
}

export function Stale({ health: { stale, staleCount, to } }: Props) {
  return (
    <Listed title="Open for over 24 h" count={staleCount} shown={stale.length}>
      {stale.map((one) => (
        <Row
          key={`${one.imei} ${one.type}`}
          end={<Time at={one.openedAt}>{lasting((Date.parse(to) - Date.parse(one.openedAt)) / 1000)}</Time>}
          note={
            <>
              {kindWords(one.type)}
              <TryLimits groupId={one.groupId} of={`${one.groupName}, the group of ${one.name}`} />
            </>
          }
        >
          <DeviceName device={one} />
        </Row>
      ))}
    </Listed>
  )
}

export function Shelved({ health: { shelved, shelvedCount } }: Props) {
  const { names } = useFleetItself()
  return (
    <Listed title="Shelved now" count={shelvedCount} shown={shelved.length}>
      {shelved.map(({ imei, type, until, reason, userName }) => {
        const row = names.rowOf(imei)
        return (
          <Row
            key={`${imei} ${type}`}
            end={
              <>
                {'until '}
                <Time at={until} />
              </>
            }
            note={`${kindWords(type)} · ${reason} · ${userName}`}
          >
            <Link href={`/temperature/${imei}`} className="font-medium">
              {row < 0 ? imei : names.of(row, 'name')}
            </Link>
          </Row>
        )
      })}
    </Listed>
  )
}

/** Each is told what happens in their group and below. */
export function People({ health: { people, peopleCount }, groupId }: Props & { groupId: string }) {
  return (
    <Listed title="Who was told" count={peopleCount} shown={people.length}>
      {people.map((one) => (
        <Row
          key={one.userId}
          end={`${formatCount(one.told)} · mean ${slotMean(one.mean)} · ${percentOf(one.floodShare, 1)} in floods`}
          note={
            <>
              {one.groupId === groupId ? (
                one.groupName
              ) : (
                <Link
                  href={`/visualization/alarms?${alarmHealthAddress.write({ group: one.groupId, days: '7' })}`}
                  className="underline"
                >
                  {one.groupName}
                </Link>
              )}
              <TryLimits groupId={one.groupId} of={`${one.groupName}, the group of ${one.name}`} />
            </>
          }
        >
          {one.name}
        </Row>
      ))}
    </Listed>
  )
}

/** Each line leads to the limits that made it. @param of whose limits, for who does not see the line */
function TryLimits({ groupId, of }: { groupId: string | null; of: string }) {
  if (groupId === null) return null
  return (
    <>
      {' · '}
      <Link href={`/limits-lab?group=${groupId}`} aria-label={`Try limits for ${of}`} className="underline">
        Try limits
      </Link>
    </>
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

type RowProps = { children: ReactNode; end: ReactNode; note?: ReactNode }

function Row({ children, end, note }: RowProps) {
  return (
    <li className="flex items-center gap-4 px-4 py-1">
      <span className="min-w-0 flex-1">
        {children}
        {note && <span className="block truncate text-dense text-ink-soft">{note}</span>}
      </span>
      <span className="tabular max-w-1/2 text-right text-dense text-ink-soft">{end}</span>
    </li>
  )
}
