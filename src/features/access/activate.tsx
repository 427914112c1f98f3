import { useParams } from 'wouter'
import { LinkPage } from './link-page.tsx'

/** The first password of an account, through the link of a mail. */
export default function Activate() {
  const { token = '' } = useParams()
  return <LinkPage key={token} token={token} kind={{ purpose: 'activation' }} />
}
