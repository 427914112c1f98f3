import { Route, Switch } from 'wouter'
import ImportLoads from './import-loads.tsx'
import LoadPage from './load-page.tsx'
import Loads from './loads.tsx'

/** Everything under `/loads`: one part, so that the first load of the portal knows of one only. */
export default function LoadPages() {
  return (
    <Switch>
      <Route path="/loads" component={Loads} />
      <Route path="/loads/import" component={ImportLoads} />
      <Route path="/loads/:loadId" component={LoadPage} />
    </Switch>
  )
}
