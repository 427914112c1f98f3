import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'

/**
 * On a server that was just set up: nobody can sign in yet, and only its own machine can change that. Asked anew, as the
 * first administrator may have chosen their password in this very window.
 */
export default function NoAdministrator() {
  const { answer } = useKeptAnswer(SERVER_CALLS.time, {}, { isBackground: true })
  if (!answer?.needsAdministrator) return null
  return (
    <p role="note" className="mt-6 rounded-panel bg-ground px-5 py-4 text-dense text-ink-soft">
      {answer.hasNoPassword ? (
        <>
          <strong className="font-semibold text-ink">
            The administrator of this server has no password yet.
          </strong>{' '}
          It is chosen by a link. Whoever runs the server prints one on its machine, with{' '}
          <code className="whitespace-nowrap text-ink">{'npm run admin -- reset-password <email>'}</code>.
        </>
      ) : (
        <>
          <strong className="font-semibold text-ink">This server has no administrator yet.</strong> Whoever
          runs it makes the first one on its machine; the page on operations says how.
        </>
      )}
    </p>
  )
}
