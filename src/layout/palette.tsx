import { Boxes, Clapperboard, CornerDownLeft, FileText, Truck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { dashboardOf } from '../actors/dashboard-actor.ts'
import { mayEnterCompanies } from '../actors/session-actor.ts'
import { useStore } from '../actors/store.ts'
import { useKeptAnswer } from '../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { toggled } from '../effects/director-memory.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { createSearchIndex } from '../read-model/search-index.ts'
import { useFleet, useFleetItself } from '../read-model/use-fleet.ts'
import { Kbd } from '../ui/kbd.tsx'
import { OptionList } from '../ui/option-list.tsx'
import type { Options } from '../ui/options.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { useActiveOption } from '../ui/use-active-option.ts'
import { type Destination, findDestinations } from './destinations.ts'

const icons = { page: FileText, group: Boxes, device: Truck, director: Clapperboard }

/** Goes to any page, group or device by a few letters of its name. */
export default function Palette({ onClose }: { onClose: () => void }) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={onClose}
      className="fixed inset-0 z-50 flex justify-center bg-veil p-2 transition-opacity duration-100 tablet:pt-[12vh] data-entering:opacity-0"
    >
      <Modal className="floating flex max-h-[min(560px,80dvh)] w-full max-w-160 flex-col self-start overflow-hidden">
        <Dialog aria-label="Go to" className="flex min-h-0 flex-1 flex-col outline-none">
          <Destinations onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Destinations({ onClose }: { onClose: () => void }) {
  const { goTo, director, server } = useRoot()
  const isSimulated = useStore(server)?.simulator === true
  const entersCompanies = mayEnterCompanies(useSignedIn())
  const keepsKeys = useKeptAnswer(AUTH_CALLS.me, {}, { isBackground: true }).answer?.keepsKeys === true
  const fleet = useFleetItself()
  const structure = useFleet((known) => known.structure)
  const [query, setQuery] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are other ones when the structure is
  const index = useMemo(() => createSearchIndex(fleet.names), [fleet, structure])
  const found = useMemo(
    () => findDestinations(query, fleet, index, { isSimulated, entersCompanies, keepsKeys }),
    [query, fleet, index, isSimulated, entersCompanies, keepsKeys],
  )
  const options = useMemo(() => asOptions(found), [found])
  const go = (i: number): void => {
    const destination = found[i]
    if (destination === undefined) return
    onClose()
    if (destination.kind === 'director') director.set(toggled(director.get(), true))
    else goTo(pathTo(destination, fleet))
  }
  const active = useActiveOption(options.length, go)

  return (
    <>
      <div className="px-1 py-1">
        <SearchInput
          aria-label="Go to a device, group or page"
          placeholder="Go to a device, group or page"
          value={query}
          onChange={(value) => {
            setQuery(value)
            active.setIndex(0)
          }}
          active={active}
          autoFocus
        />
      </div>
      {found.length === 0 ? (
        <p className="border-line border-t p-6 text-center text-ink-soft">
          Nothing is called “{query.trim()}”.
        </p>
      ) : (
        <OptionList
          aria-label="Destinations"
          options={options}
          active={active}
          onPick={go}
          className="min-h-40 flex-1 border-line border-t py-1"
          render={({ text, detail }, i) => {
            const Icon = icons[(found[i] as Destination).kind]
            return (
              <>
                <Icon size={16} aria-hidden className="shrink-0 text-ink-faint" />
                <span className="min-w-0 flex-1 truncate">{text}</span>
                <span className="tabular max-w-2/5 shrink-0 truncate text-dense text-ink-faint">
                  {detail}
                </span>
                {i === active.index && <CornerDownLeft size={14} aria-hidden className="text-ink-faint" />}
              </>
            )
          }}
        />
      )}
      <div className="hidden items-center gap-2 border-line border-t px-4 py-2 text-dense text-ink-faint tablet:flex">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        walk
        <Kbd>Enter</Kbd>
        go
        <Kbd>Esc</Kbd>
        close
      </div>
    </>
  )
}

/** A group is picked on the dashboard, which is then where one goes. */
function pathTo(destination: Exclude<Destination, { kind: 'director' }>, fleet: Fleet): string {
  switch (destination.kind) {
    case 'page':
      return destination.path
    case 'device':
      return `/temperature/${destination.imei}`
    case 'group':
      dashboardOf(fleet).send({
        type: 'groups.pick',
        groups: new Set(fleet.groups.within(destination.groupId)),
      })
      return '/'
  }
}

function asOptions(found: readonly Destination[]): Options {
  return {
    length: found.length,
    at: (i) => {
      const { title, detail } = found[i] as Destination
      return { id: String(i), text: title, detail }
    },
  }
}
