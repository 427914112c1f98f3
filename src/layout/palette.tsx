import {
  Boxes,
  Clapperboard,
  CornerDownLeft,
  FileText,
  History,
  Palette as Paint,
  Truck,
  Zap,
} from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { Desk } from '../actors/desk.ts'
import { Kbd } from '../ui/kbd.tsx'
import { OptionList } from '../ui/option-list.tsx'
import type { Options } from '../ui/options.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { type ActiveOption, useActiveOption } from '../ui/use-active-option.ts'
import { AskDialog } from './incidents/ask-dialog.tsx'
import { type IncidentActions, useIncidentActions } from './incidents/use-incident-actions.ts'
import { ACT_WORDS, actIn } from './palette-acts.ts'
import { DeviceDialog } from './palette-device.tsx'
import { type Item, useIncidentRows, useItems } from './palette-items.tsx'
import { type PaletteRequest, useTakeItem } from './use-take-item.ts'

const icons = {
  page: FileText,
  group: Boxes,
  device: Truck,
  director: Clapperboard,
  past: History,
  act: Zap,
  incident: Zap,
  'of device': Truck,
  theme: Paint,
}

/** Goes to any page, group or device by a few letters of its name, and acts on what is open: "shelve reefer 12". */
export default function Palette({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const actions = useIncidentActions(desk)
  const [requested, ask] = useState<PaletteRequest>()
  const { isAsking } = actions
  useEffect(() => {
    if (requested === 'why' && !isAsking) onClose()
  }, [requested, isAsking, onClose])
  if (requested === 'why') return <AskDialog action={actions.action} />
  if (requested !== undefined) return <DeviceDialog of={requested} onClose={onClose} />
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={onClose}
      className="fixed inset-x-0 top-0 z-50 flex h-(--visual-viewport-height) justify-center bg-veil p-2 transition-opacity duration-100 tablet:pt-[12vh] data-entering:opacity-0"
    >
      <Modal className="floating flex max-h-[min(560px,100%)] w-full max-w-160 flex-col self-start overflow-hidden">
        <Dialog aria-label="Go to" className="flex min-h-0 flex-1 flex-col outline-none">
          <Items desk={desk} actions={actions} onAsk={ask} onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

type ItemsProps = {
  desk: Desk
  actions: IncidentActions
  onAsk: (what: PaletteRequest) => void
  onClose: () => void
}

function Items({ desk, actions, onAsk, onClose }: ItemsProps) {
  const [query, setQuery] = useState('')
  const found = useItems(query, desk)
  const requested = actIn(query)
  const options = useMemo(() => asOptions(found), [found])
  const type = (next: string): void => {
    setQuery(next)
    active.setIndex(0)
  }
  const take = useTakeItem({ actions, onType: type, onAsk, onClose })
  const pick = (i: number): void => {
    const item = found[i]
    if (item !== undefined) take(item)
  }
  const active = useActiveOption(options.length, pick)
  useKeptItem(active, query, found)
  const rowOf = useIncidentRows(desk, found)

  return (
    <>
      <div className="px-1 py-1">
        <SearchInput
          aria-label="Go to a device, group or page"
          placeholder="Go to a device, group or page, or acknowledge, shelve, move, report"
          value={query}
          onChange={type}
          active={active}
          autoFocus
        />
      </div>
      {found.length === 0 ? (
        <p className="border-line border-t p-6 text-center text-ink-soft">
          {requested?.isOfDevices === false
            ? 'Nothing is open to do that to.'
            : `Nothing is called “${query.trim()}”.`}
        </p>
      ) : (
        <OptionList
          aria-label="Destinations"
          options={options}
          active={active}
          onPick={pick}
          isUneven
          className="@container min-h-40 flex-1 border-line border-t py-1"
          render={(_, i) => {
            const item = found[i] as Item
            // it has a glyph of its own, and phones have no room for two
            return rowOf(item) ?? <Line item={item} isActive={i === active.index} />
          }}
        />
      )}
      <KeysHint enter={requested === undefined ? 'go' : ACT_WORDS[requested.act].toLowerCase()} />
    </>
  )
}

/** The item stood on stays that when others come before it: one that left is not exchanged for another. */
function useKeptItem(active: ActiveOption, query: string, found: readonly Item[]): void {
  const { index, setIndex } = active
  const [seen, see] = useState({ query, found, index })
  if (seen.query === query && seen.found === found && seen.index === index) return
  const before = seen.found[seen.index]
  if (seen.query === query && seen.found !== found && seen.found.length > 0) {
    const key = before && keyOf(before)
    const now = found.findIndex((item) => keyOf(item) === key)
    setIndex(now)
    see({ query, found, index: now })
  } else see({ query, found, index })
}

const keyOf = (item: Item): string =>
  item.kind === 'incident' ? item.incident.violationId : JSON.stringify(item)

function Line({ item, isActive }: { item: Item; isActive: boolean }) {
  const Icon = icons[item.kind]
  return (
    <>
      <Icon size={16} aria-hidden className="shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate">{item.title}</span>
      <span className="tabular max-w-2/5 shrink-0 truncate text-dense text-ink-faint">{item.detail}</span>
      {isActive && <CornerDownLeft size={14} aria-hidden className="shrink-0 text-ink-faint" />}
    </>
  )
}

/** @param enter what Enter does, in a word */
function KeysHint({ enter }: { enter: string }) {
  return (
    <div className="hidden items-center gap-2 border-line border-t px-4 py-2 text-dense text-ink-faint tablet:flex">
      <Kbd>↑</Kbd>
      <Kbd>↓</Kbd>
      walk
      <Kbd>Enter</Kbd>
      {enter}
      <Kbd>Esc</Kbd>
      close
    </div>
  )
}

function asOptions(found: readonly Item[]): Options {
  return {
    length: found.length,
    at: (i) => {
      const { title, detail } = found[i] as Item
      return { id: String(i), text: title, detail }
    },
  }
}
