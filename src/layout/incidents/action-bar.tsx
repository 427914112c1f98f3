import type { ReactNode } from 'react'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { nameOf } from './lines.ts'
import type { IncidentActions } from './use-incident-actions.ts'

type ActionBarProps = {
  fleet: Fleet
  /** how many are picked; 0: what is done is done to the one the keys stand on */
  picked: number
  /** none: the row that was aimed at left */
  aimed: readonly Incident[]
  /** the one in its place */
  next: Incident | undefined
  userId: string
  actions: IncidentActions
  onOpen: (imei: string) => void
  onShare: (incident: Incident) => void
  onMove: () => void
  /** undefined: there is none, as of several, or of a device that is lost */
  onCase: (() => void) | undefined
  onClear: () => void
  /** aims at the next */
  onNext: () => void
}

/** What can be done to what is picked, or to the row one stands on; of what is over its proof is left. */
export function ActionBar(props: ActionBarProps) {
  const { fleet, next, onNext } = props
  const [first] = props.aimed
  return (
    <div
      role="toolbar"
      aria-label="What to do"
      className="@container flex shrink-0 flex-wrap items-center gap-x-0.5 border-line border-t px-2 py-1"
    >
      {first ? (
        <Acts {...props} first={first} />
      ) : (
        next && <Press onPress={onNext}>{`Go on with ${nameOf(fleet, next.imei)}`}</Press>
      )}
    </div>
  )
}

function Acts(props: ActionBarProps & { first: Incident }) {
  const { fleet, picked, aimed, first, userId, actions, onOpen, onShare, onMove, onCase, onClear } = props
  const isOver = aimed.every(({ clearedAt }) => clearedAt !== null)
  return (
    <>
      <span className="tabular max-w-full truncate px-2 font-medium text-dense">
        {picked > 0 ? <output>{`${picked} selected`}</output> : nameOf(fleet, first.imei)}
      </span>
      {!isOver && <Attention aimed={aimed} userId={userId} actions={actions} onMove={onMove} />}
      {aimed.length === 1 && (
        <Press letter="p" onPress={() => onShare(first)}>
          Share
        </Press>
      )}
      {onCase && (
        <Press letter="v" onPress={onCase}>
          Case
        </Press>
      )}
      {picked > 0 ? (
        <Press letter="Esc" onPress={onClear}>
          Clear
        </Press>
      ) : (
        <Press letter="↵" onPress={() => onOpen(first.imei)}>
          Proof
        </Press>
      )}
    </>
  )
}

type AttentionProps = Pick<ActionBarProps, 'aimed' | 'userId' | 'actions' | 'onMove'>

/** Who has it, what is said of it, and in which group it is. */
function Attention({ aimed, userId, actions, onMove }: AttentionProps) {
  const isMine = aimed.every(({ holder }) => holder?.userId === userId)
  const isAcknowledged = aimed.every(({ acknowledged }) => acknowledged !== null)
  return (
    <>
      <Press isMain isDisabled={isAcknowledged} letter="a" onPress={() => actions.ask('acknowledge', aimed)}>
        Acknowledge
      </Press>
      <Press letter="s" onPress={() => actions.ask('shelve', aimed)}>
        Shelve
      </Press>
      <Press letter="t" onPress={() => actions.take(aimed, userId)}>
        {isMine ? 'Give up' : 'Take'}
      </Press>
      <Press letter="c" onPress={() => actions.ask('comment', aimed)}>
        Comment
      </Press>
      <Press letter="m" onPress={onMove}>
        Move
      </Press>
    </>
  )
}

type PressProps = {
  letter?: string
  isMain?: boolean
  isDisabled?: boolean
  onPress: () => void
  children: ReactNode
}

function Press({ letter, isMain = false, isDisabled = false, onPress, children }: PressProps) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onPress}
      className={buttonLook(isMain ? 'primary' : 'quiet', 'shrink-0 gap-1.5 px-1.5! text-dense')}
      title={letter && `Key: ${letter}`}
    >
      {children}
      {letter && !isMain && (
        <span className="hidden @2xl:inline">
          <Kbd>{letter}</Kbd>
        </span>
      )}
    </button>
  )
}
