import { Fragment } from 'react'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { commandKey, Kbd } from '../ui/kbd.tsx'
import { GO_KEYS } from './go-keys.ts'

type Part = { title: string; keys: readonly (readonly [keys: string, does: string])[] }

const PARTS: readonly Part[] = [
  {
    title: 'Everywhere',
    keys: [
      [`${commandKey} K`, 'Go to any device, group or page, or act on what is open'],
      ['/', 'Search the page'],
      ...Object.entries(GO_KEYS).map(([letter, { title }]) => [`G ${letter.toUpperCase()}`, title] as const),
      ['T', 'Look back'],
      ['Esc', 'Close what is on top'],
      ['?', 'These keys'],
    ],
  },
  {
    title: 'In lists and tables',
    keys: [
      ['J', 'Next, ↓ does the same'],
      ['K', 'Previous, ↑ does the same'],
      ['↵', 'Open'],
    ],
  },
  {
    title: 'In the lists of devices and incidents',
    keys: [
      ['↵', 'Open the proof'],
      ['X', 'Select, also with Shift and ↓'],
      ['A', 'Acknowledge'],
      ['S', 'Shelve'],
      ['M', 'Move to a group'],
      ['R', 'Ask for a report'],
      ['Esc', 'Select nothing'],
    ],
  },
  {
    title: 'In the list of incidents',
    keys: [
      ['T', 'Take, or give up'],
      ['C', 'Comment'],
      ['P', 'Share the proof'],
      ['V', 'Open the case'],
    ],
  },
  {
    title: 'In the list of devices',
    keys: [
      [`${commandKey} A`, 'Select all shown'],
      ['F2', 'Edit'],
    ],
  },
  {
    title: 'On the page of a device',
    keys: [
      ['A', 'Acknowledge'],
      ['S', 'Shelve'],
    ],
  },
  {
    title: 'While looking back',
    keys: [
      ['←', 'A minute earlier, with Shift fifteen'],
      ['→', 'A minute later, with Shift fifteen'],
      ['Esc', 'Back to now'],
    ],
  },
]

const SIMULATED: Part = { title: 'In the simulated world', keys: [['D', 'Director’s panel']] }

/** All keys there are, by where they work. */
export function KeyList() {
  const isSimulated = useStore(useRoot().server)?.simulator === true
  return (
    <div className="gap-8 tablet:columns-2">
      {[...PARTS, ...(isSimulated ? [SIMULATED] : [])].map(({ title, keys }) => (
        <section key={title} className="break-inside-avoid pb-4">
          <h3 className="pb-1 font-semibold">{title}</h3>
          <dl className="grid grid-cols-[5rem_1fr] items-baseline gap-x-2 gap-y-1">
            {keys.map(([pressed, does]) => (
              <Fragment key={`${pressed} ${does}`}>
                <dt className="flex gap-1">
                  {pressed.split(' ').map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd className="text-ink-soft">{does}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
