import { useParams } from 'wouter'
import { LinkPage } from './link-page.tsx'

/** Another password, through the link of a mail. */
export default function SetPassword() {
  const { id = '', token = '' } = useParams()
  return <LinkPage key={token} token={token} kind={{ purpose: 'password', userId: id }} />
}
