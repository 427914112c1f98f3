import type { AccountManager } from '#machines/contracts/entities/companies.ts'
import { useRoot } from '../../actors/use-root.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { ManagerContact } from './manager-contact.tsx'

/** A suspended company: who to call. */
export default function Suspended({ manager }: { manager: AccountManager }) {
  const { session } = useRoot()
  return (
    <div role="alert">
      <h1 className="font-semibold text-title">
        Company is Suspended. Please Contact Business Account Manager!
      </h1>
      <div className="my-6 rounded-panel bg-ground p-2">
        <ManagerContact manager={manager} />
      </div>
      <button
        type="button"
        className={buttonLook('plain')}
        onClick={() => session.send({ type: 'sign-in.again' })}
      >
        Back to sign in
      </button>
    </div>
  )
}
