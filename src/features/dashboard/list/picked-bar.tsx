import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import type { Desk } from '../../../actors/desk.ts'
import { useStore } from '../../../actors/store.ts'
import { useRoot } from '../../../actors/use-root.ts'
import { formatCount } from '../../../format/numbers.ts'
import { MOST_IN_ADDRESS, reportPath } from '../../../format/report-address.ts'
import { IncidentWindows } from '../../../layout/incidents/incident-windows.tsx'
import { useIncidentActions } from '../../../layout/incidents/use-incident-actions.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { buttonLook } from '../../../ui/button-look.ts'
import { Kbd } from '../../../ui/kbd.tsx'

/** What a key asked to be done with what is picked. */
export type PickedWish = 'move' | 'acknowledge' | 'shelve' | 'report'

export type PickedBarProps = {
  fleet: Fleet
  desk: Desk
  /** rows of the fleet that are picked */
  rows: Uint32Array
  wish: PickedWish | null
  onWish: (wish: PickedWish | null) => void
  onAll: () => void
  onClear: () => void
}

/** How many devices are picked, and what can be done with them. */
export default function PickedBar(props: PickedBarProps) {
  const { fleet, desk, rows, wish, onWish, onAll, onClear } = props
  const actions = useIncidentActions(desk)
  const known = useStore(desk.known)
  const open = useMemo(() => {
    const meant = new Set(rows)
    return (known?.open ?? []).filter(({ imei }) => meant.has(fleet.names.rowOf(imei)))
  }, [known, rows, fleet])
  const unacknowledged = useMemo(() => open.filter(({ acknowledged }) => acknowledged === null), [open])
  const { goTo, toasts } = useRoot()
  const imeisOf = useCallback(() => Array.from(rows, (row) => fleet.names.of(row, 'imei')), [rows, fleet])
  const report = useCallback(() => {
    if (rows.length > MOST_IN_ADDRESS)
      toasts.info(
        `Select at most ${formatCount(MOST_IN_ADDRESS)} devices, or choose groups on the report’s page`,
      )
    else goTo(reportPath(imeisOf()))
  }, [rows, imeisOf, goTo, toasts])
  useEffect(() => {
    if (wish === null) return
    onWish(null)
    if (wish === 'move') actions.move(imeisOf(), onClear)
    else if (wish === 'report') report()
    else actions.ask(wish, wish === 'shelve' ? open : unacknowledged)
  }, [wish, onWish, imeisOf, actions, open, unacknowledged, report, onClear])

  return (
    <>
      <div
        role="toolbar"
        aria-label="What to do with the selected devices"
        className="@container flex min-h-11 shrink-0 flex-wrap items-center gap-0.5 border-line border-t px-2 py-1"
      >
        <output className="tabular shrink-0 px-2 font-medium text-dense">{`${formatCount(rows.length)} selected`}</output>
        {rows.length === 1 && (
          <p className="order-last hidden min-w-48 flex-1 px-2 text-dense text-ink-soft touch:block">
            Hold another to select all between.
          </p>
        )}
        <Press letter="m" kind="primary" isDisabled={rows.length === 0} onPress={() => onWish('move')}>
          Move to group
        </Press>
        {unacknowledged.length > 0 && (
          <Press letter="a" onPress={() => onWish('acknowledge')}>
            {`Acknowledge ${formatCount(unacknowledged.length)}`}
          </Press>
        )}
        {open.length > 0 && (
          <Press letter="s" onPress={() => onWish('shelve')}>
            {`Shelve ${formatCount(open.length)}`}
          </Press>
        )}
        <Press letter="r" isDisabled={rows.length === 0} onPress={report}>
          Report
        </Press>
        <Press letter="Ctrl A" onPress={onAll}>
          All shown
        </Press>
        <Press letter="Esc" onPress={onClear}>
          Clear
        </Press>
      </div>
      <IncidentWindows fleet={fleet} actions={actions} />
    </>
  )
}

type PressProps = {
  letter: string
  kind?: 'primary' | 'quiet'
  isDisabled?: boolean
  onPress: () => void
  children: ReactNode
}

function Press({ letter, kind = 'quiet', isDisabled = false, onPress, children }: PressProps) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      title={`Key: ${letter}`}
      onClick={onPress}
      className={buttonLook(kind, 'shrink-0 gap-1.5 px-2 text-dense')}
    >
      {children}
      {kind === 'quiet' && (
        <span className="hidden @lg:inline">
          <Kbd>{letter}</Kbd>
        </span>
      )}
    </button>
  )
}
