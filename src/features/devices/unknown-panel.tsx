import { useRef, useState } from 'react'
import type { UnknownDevice } from '#machines/contracts/entities/device-records.ts'
import { counted } from '#machines/rules/figures.ts'
import { useTakeIn } from '../../actors/device-forms.ts'
import { DOORS } from '../../format/device-words.ts'
import { formatCount } from '../../format/numbers.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'

/** Shown at first; the others at a press. */
const FEW = 5

const ID = 'unknown-devices'

/** That there are some, above a long list, and the way to them. On a phone it has a line of its own, also where there are none. */
export function UnknownLink({ count }: { count: number }) {
  return (
    <span className="max-desk:block max-desk:min-h-[1lh]">
      {count > 0 && (
        <>
          <span className="max-desk:hidden">{' · '}</span>
          <a
            href={`#${ID}`}
            className="text-link hover:underline"
          >{`${formatCount(count)} that nobody knows`}</a>
        </>
      )}
    </span>
  )
}

/** Devices that knocked and nobody knows, newest first: each is added with one press. */
export function UnknownPanel({
  devices,
  since,
  onTaken,
}: {
  devices: readonly UnknownDevice[]
  since: string
  onTaken: () => void
}) {
  const takeIn = useTakeIn()
  const [taking, setTaking] = useState<string | null>(null)
  const [isWhole, setWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const onFocus = useKeptFocus(list)
  if (devices.length === 0) return null
  const shown = isWhole ? devices : devices.slice(0, FEW)
  return (
    <Panel title="Devices that nobody knows">
      <p className="px-4 pb-2 text-dense text-ink-soft">
        They sent something and are not registered. Noted since <RelativeTime at={since} />.
      </p>
      <ul
        ref={list}
        onFocus={onFocus}
        id={ID}
        aria-label="Unknown devices"
        className="scroll-mt-24 border-line border-t"
      >
        {shown.map(({ imei, door, address, lastAt, times }) => (
          <li
            key={`${imei} ${door}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-2 first:border-t-0"
          >
            <span className="tabular font-medium">{imei}</span>
            <span className="min-w-0 flex-1 basis-60 text-dense text-ink-soft">
              {`${DOORS[door] ?? door} from ${address}, ${counted(times, 'time')}, `}
              <RelativeTime at={lastAt} />
            </span>
            <Button
              aria-label={`Add ${imei}`}
              isPending={taking === imei}
              isDisabled={taking !== null && taking !== imei}
              onPress={async () => {
                setTaking(imei)
                await takeIn(imei)
                setTaking(null)
                onTaken()
              }}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
      {devices.length > FEW && !isWhole && (
        <div className="flex justify-center p-2">
          <Button kind="quiet" onPress={() => setWhole(true)}>
            {`Show all ${formatCount(devices.length)}`}
          </Button>
        </div>
      )}
    </Panel>
  )
}
