import { UserPlus } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { Link } from 'wouter'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { counted } from '#machines/rules/figures.ts'
import { useResendLink } from '../../actors/resend-link.ts'
import { useKeptRecord } from '../../actors/use-drafts.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { PageSearch } from '../../layout/page-search.tsx'
import { useWhenNow } from '../../layout/past/past-context.ts'
import { useSearchWords } from '../../layout/use-search-words.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DeleteUser } from './delete-user.tsx'
import { foundUsers, type KnownUser, knownUsers } from './found-users.ts'
import { UserList } from './user-list.tsx'

/** `/users`: who may sign in, in the visitor's group and below. */
export default function Users() {
  const { user } = useSignedIn()
  const { groupId } = user
  const { answer, failure, ask } = useKeptAnswer(
    USER_CALLS.groupUsers,
    { params: { groupId } },
    { changes: ['users', 'groups'] },
  )
  const [query, setQuery] = useSearchWords()
  const wanted = useDeferredValue(query)
  const known = useMemo(() => answer && knownUsers(answer), [answer])
  const found = useMemo(() => known && foundUsers(known, wanted), [known, wanted])
  const { resending, resend } = useResendLink()
  const whenNow = useWhenNow()
  const [leaving, setLeaving] = useKeptRecord(
    'leaving',
    ({ user }: KnownUser) => user._id,
    (id) => known?.find(({ user }) => user._id === id),
  )

  return (
    <Page
      title="Users"
      description={known && summaryOf(known)}
      actions={
        <Link href={`/users/create/${groupId}`} className={buttonLook('primary')}>
          <UserPlus size={16} aria-hidden />
          Add User
        </Link>
      }
    >
      <Panel className="flex flex-1 flex-col">
        <PageSearch
          label="Search users"
          placeholder="Name, e-mail, phone or group"
          value={query}
          onChange={setQuery}
          found={found === undefined || wanted === '' ? '' : counted(found.length, 'user')}
        />
        <KeptList what="The users" isThere={answer !== undefined} failure={failure} onRetry={ask}>
          {() =>
            found === undefined || found.length === 0 ? (
              <EmptyState
                title="No data Found"
                action={query !== '' && <Button onPress={() => setQuery('')}>Clear search</Button>}
              >
                {query === ''
                  ? 'Nobody is in your group yet.'
                  : `No name, e-mail, phone or group holds “${query}”.`}
              </EmptyState>
            ) : (
              <UserList
                users={found}
                me={user._id}
                resending={resending}
                onResend={({ user }) => whenNow(() => resend(user._id))}
                onDelete={(known) => whenNow(() => setLeaving(known))}
              />
            )
          }
        </KeptList>
      </Panel>
      {leaving && <DeleteUser known={leaving} onDeleted={ask} onClose={() => setLeaving(null)} />}
    </Page>
  )
}

function summaryOf(known: readonly KnownUser[]): string {
  const waiting = known.filter(({ user }) => !user.activated).length
  const all = `${counted(known.length, 'user')} in your group and below`
  return waiting === 0 ? all : `${all}, ${formatCount(waiting)} not activated yet`
}
