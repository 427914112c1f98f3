import type { ReactNode } from 'react'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { Kbd } from '../../ui/kbd.tsx'
import type { IncidentActions } from './use-incident-actions.ts'

type ActionBarProps = {
  /** how many are picked; 0: what is done is done to the one the keys stand on */
  picked: number
  aimed: readonly Incident[]
  userId: string
  actions: IncidentActions
  onOpen: (imei: string) => void
  onShare: (incident: Incident) => void
  /** undefined: there is none, as of several, or of a device that is lost */
  onCase: (() => void) | undefined
  onClear: () => void
}

/** What can be done to what is picked, or to the row one stands on; of what is over its proof is left. */
export function ActionBar({
  picked,
  aimed,
  userId,
  actions,
  onOpen,
  onShare,
  onCase,
  onClear,
}: ActionBarProps) {
  const first = aimed[0]
  if (first === undefined) return null
  const isOver = aimed.every(({ clearedAt }) => clearedAt !== null)
  return (
    <div
      role="toolbar"
      aria-label="What to do"
      className="@container flex shrink-0 flex-wrap items-center gap-x-0.5 border-line border-t px-2 py-1"
    >
      {picked > 0 && <output className="tabular px-2 font-medium text-dense">{`${picked} selected`}</output>}
      {!isOver && <Attention aimed={aimed} userId={userId} actions={actions} />}
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
    </div>
  )
}

/** Who has it, and what is said of it. */
function Attention({ aimed, userId, actions }: Pick<ActionBarProps, 'aimed' | 'userId' | 'actions'>) {
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
    </>
  )
}

type PressProps = {
  letter: string
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
      title={`Key: ${letter}`}
    >
      {children}
      <span className={classNames('hidden', !isMain && '@2xl:inline')}>
        <Kbd>{letter}</Kbd>
      </span>
    </button>
  )
}
