import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { Link } from 'wouter'
import { type Incident, isViolation } from '#machines/contracts/entities/incidents.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import type { Desk } from '../../actors/desk.ts'
import { useStore } from '../../actors/store.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { casePath } from '../../format/case-address.ts'
import { AskDialog } from '../../layout/incidents/ask-dialog.tsx'
import { holderWords } from '../../layout/incidents/holder-words.ts'
import { glyphOfIncident } from '../../layout/incidents/lines.ts'
import { usePlaceOf } from '../../layout/incidents/use-glances.ts'
import { type IncidentActions, useIncidentActions } from '../../layout/incidents/use-incident-actions.ts'
import type { DeviceIncident } from '../../layout/incidents/use-incident-of.ts'
import { isTyping } from '../../layout/is-typing.ts'
import { isWindowOpen } from '../../layout/is-window-open.ts'
import type { Quantity, Spell } from '../../layout/measured/series.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import { type Noted, Summaries, type SummariesProps } from './proof.tsx'

type AttendedProps = Pick<SummariesProps, 'history' | 'range'> & { imei: string; desk: Desk }

/**
 * What is wrong, where, who has it, and what to do next: acknowledged, shelved and taken here, by keys too. Of a device that is lost it
 * says that besides.
 */
export function AttendedSummaries({ history, range, imei, desk }: AttendedProps) {
  const open = useOpenOf(desk, imei)
  const place = usePlaceOf(imei)
  const actions = useIncidentActions(desk)
  const lost = open.find(({ incident }) => incident.type === 'offline')
  const about = (quantity: Quantity, side: Spell['side']): Noted => {
    const one = open.find(({ incident: { type } }) => type !== 'offline' && isAbout(type, quantity, side))
    const words = [place ?? '', one ? whoHas(one) : ''].filter((word) => word !== '')
    return { words, acts: one && <Acts of={one} actions={actions} /> }
  }
  useActKeys(
    open
      .map(({ incident }) => incident)
      .toSorted(violationsFirst)
      .slice(0, 1),
    actions,
  )
  return (
    <>
      <Summaries history={history} range={range} about={about}>
        {lost && <Lost of={lost} acts={<Acts of={lost} actions={actions} />} />}
      </Summaries>
      {actions.isAsking && <AskDialog action={actions.action} />}
    </>
  )
}

const isAbout = (type: ViolationType, quantity: Quantity, side: Spell['side']): boolean =>
  VIOLATION_WORDS[type].side === side &&
  (VIOLATION_WORDS[type].unit === '°C') === (quantity === 'temperature')

const violationsFirst = (a: Incident, b: Incident): number =>
  Number(a.type === 'offline') - Number(b.type === 'offline')

/** What is open of a device, with what shelves it. */
function useOpenOf(desk: Desk, imei: string): DeviceIncident[] {
  const known = useStore(desk.known)
  return useMemo(() => {
    const shelvings = new Map(known?.shelved.map((one) => [kindKey(one), one]))
    return (known?.open ?? [])
      .filter((incident) => incident.imei === imei)
      .map((incident) => ({ incident, shelving: shelvings.get(kindKey(incident)) }))
  }, [known, imei])
}

/** «nobody has it», «Ayesha Malik has it: van is being unloaded», «shelved by Ayesha Malik until 14:05» */
function whoHas(one: DeviceIncident): string {
  const { holder, acknowledged } = one.incident
  if (one.shelving !== undefined) return holderWords(one).replace(/^S/, 's')
  if (holder === null) return 'nobody has it'
  const why = acknowledged?.reason || acknowledged?.comment
  return `${holder.userName} has it${why ? `: ${why}` : ''}`
}

function Acts({ of: { incident, shelving }, actions }: { of: DeviceIncident; actions: IncidentActions }) {
  const { user } = useSignedIn()
  const { acknowledged, holder } = incident
  return (
    <>
      {acknowledged === null && (
        <Act letter="A" onPress={() => actions.ask('acknowledge', [incident])}>
          Acknowledge
        </Act>
      )}
      {shelving === undefined ? (
        <Act letter="S" onPress={() => actions.ask('shelve', [incident])}>
          Shelve
        </Act>
      ) : (
        <Act onPress={() => actions.unshelve(shelving)}>Tell again</Act>
      )}
      <Act onPress={() => actions.take([incident], user._id)}>
        {holder?.userId === user._id ? 'Give up' : 'Take'}
      </Act>
      {isViolation(incident) && (
        <Link href={casePath(incident.notificationId)} className={buttonLook('quiet', 'px-2! text-dense')}>
          Case
        </Link>
      )}
    </>
  )
}

type ActProps = { letter?: string; onPress: () => void; children: ReactNode }

function Act({ letter, onPress, children }: ActProps) {
  return (
    <Button kind="quiet" onPress={onPress} className="px-2 text-dense">
      {children}
      {letter && (
        <span className="hidden wall:inline">
          <Kbd>{letter}</Kbd>
        </span>
      )}
    </Button>
  )
}

/** That nothing is heard of it. */
function Lost({ of, acts }: { of: DeviceIncident; acts: ReactNode }) {
  const glyph = glyphOfIncident(useFleetItself(), of.incident)
  return (
    <div className="tabular flex flex-wrap items-baseline gap-x-2 rounded-panel bg-gone-soft px-4 py-2.5">
      <StateGlyph state={glyph} isDecorative />
      <strong className="font-semibold text-body text-gone">{STATE_WORDS[glyph]}</strong>
      <span>
        since <Time at={of.incident.since} />
        {` · ${whoHas(of)}`}
      </span>
      <span className="-my-1.5 -mr-2 ml-auto flex self-center print:hidden">{acts}</span>
    </div>
  )
}

/** `a` acknowledges and `s` shelves what is open of the device. */
function useActKeys(aimed: readonly Incident[], actions: IncidentActions): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    if (aimed[0] === undefined || isTyping(event.target) || isWindowOpen()) return
    if (event.key === 'a' && aimed[0].acknowledged === null) actions.ask('acknowledge', aimed)
    else if (event.key === 's') actions.ask('shelve', aimed)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
