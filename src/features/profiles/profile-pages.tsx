import { Route, Switch } from 'wouter'
import NewProfile from './new-profile.tsx'
import ProfilePage from './profile-page.tsx'
import Profiles from './profiles.tsx'

/** Everything under `/profiles`: one part, so that the first load of the portal knows of one only. */
export default function ProfilePages() {
  return (
    <Switch>
      <Route path="/profiles" component={Profiles} />
      <Route path="/profiles/add" component={NewProfile} />
      <Route path="/profiles/:profileId" component={ProfilePage} />
    </Switch>
  )
}
