import { matchRoute, useLocation, useRouter } from 'wouter'
import { Mark } from '../../layout/brand.tsx'
import NotYet from './not-yet.tsx'
import { publicPlans } from './plans.ts'

/** A planned page of those before sign-in. */
export default function PublicNotYet() {
  const [location] = useLocation()
  const { parser } = useRouter()
  const plan = publicPlans.find(({ path }) => matchRoute(parser, path, location)[0]) ?? publicPlans[0]
  return (
    <main className="flex min-h-dvh flex-col bg-ground">
      <div className="flex items-center gap-3 p-6 text-accent">
        <Mark size={24} />
        <span className="font-semibold text-ink text-title tracking-tight">Frostline</span>
      </div>
      <div className="flex-1">{plan && <NotYet plan={plan} back="/login" />}</div>
    </main>
  )
}
