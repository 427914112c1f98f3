import { Route, Switch } from 'wouter'
import { lazyPart } from './lazy-part.ts'

const Lab = lazyPart(() => import('../features/lab/lab.tsx'))
const Recordings = lazyPart(() => import('../features/recordings/recordings.tsx'))

/** What testers have under `/lab`: fetched by them alone. */
export default function LabPages() {
  return (
    <Switch>
      <Route path="/lab/recordings" component={Recordings} />
      <Route path="/lab/:machine?" component={Lab} />
    </Switch>
  )
}
