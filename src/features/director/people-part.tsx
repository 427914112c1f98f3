import { useState } from 'react'
import type { World } from '#machines/director/doings.ts'
import { useSession } from '../../actors/use-root.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { RefusalIn } from './refusal.tsx'
import { useDoing } from './use-doing.ts'

/** What befalls companies and the sessions of their people. */
export function PeoplePart({ world: { people } }: { world: World }) {
  return (
    <div className="flex flex-col gap-4">
      <RefusalIn part="people" />
      <Companies companies={people.companies} />
      <Users people={people} />
    </div>
  )
}

function Companies({ companies }: Pick<World['people'], 'companies'>) {
  const { act } = useDoing()
  return (
    <section aria-label="Companies" className="flex flex-col gap-1">
      <h3 className="font-medium text-dense text-ink-soft">Companies</h3>
      <ul className="flex flex-col gap-px">
        {companies.map(({ id, name, suspended }) => (
          <li key={id} className="flex min-h-11 items-center gap-2 rounded-small bg-sunken py-1 pr-1 pl-3">
            <span className="min-w-0 flex-1 truncate font-medium text-dense">{name}</span>
            {suspended && <Badge>Suspended</Badge>}
            <Button
              kind="quiet"
              className="px-3"
              aria-label={`${suspended ? 'Resume' : 'Suspend'} ${name}`}
              onPress={() => act({ kind: 'company', companyId: id, suspended: !suspended })}
            >
              {suspended ? 'Resume' : 'Suspend'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Users({ people: { users } }: Pick<World, 'people'>) {
  const { act } = useDoing()
  const mine = useSession()?.user.userName
  const [chosen, setChosen] = useState<string | null>(null)
  const userName = chosen ?? mine ?? users[0]?.userName ?? null
  const isKnown = users.some((user) => user.userName === mine)
  const options = [
    ...(mine !== undefined && !isKnown ? [{ id: mine, text: `${mine} (signed in here)` }] : []),
    ...users.map(({ userName: id, email }) => ({
      id,
      text: id === mine ? `${email} (signed in here)` : email,
    })),
  ]
  const befall = (what: 'logout' | 'requireReset' | 'expire') => () =>
    userName !== null && act({ kind: 'user', userName, what })
  return (
    <section aria-label="Users" className="flex flex-col">
      <Select label="User" options={options} value={userName} onChange={setChosen} />
      <div className="grid grid-cols-2 gap-2">
        <Button onPress={befall('logout')}>Log out</Button>
        <Button onPress={befall('expire')}>End the session</Button>
        <Button className="col-span-2" onPress={befall('requireReset')}>
          Require a new password
        </Button>
      </div>
    </section>
  )
}
