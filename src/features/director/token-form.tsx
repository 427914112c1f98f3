import { useState } from 'react'
import { directorOf, useDirectorState } from '../../actors/director.ts'
import { useRoot } from '../../actors/use-root.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

/** From another machine the world is controlled with a token; it is kept as long as the tab. */
export function TokenForm() {
  const root = useRoot()
  const { actor } = directorOf(root)
  const { error } = useDirectorState().context
  const [token, setToken] = useState('')
  const [wasTried] = useState(root.director.get().token !== undefined)
  return (
    <form
      className="flex flex-col gap-2 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        root.director.set({ ...root.director.get(), token: token.trim() })
        actor.send({ type: 'token.given' })
      }}
    >
      <p className="text-ink-soft">
        {wasTried ? 'This token does not let you in. ' : ''}
        {error}. It was set as SIM_TOKEN where the server was started, and is kept until this tab is closed.
      </p>
      <PasswordField label="Token" value={token} onChange={setToken} autoComplete="off" />
      <Button type="submit" kind="primary" isDisabled={token.trim() === ''}>
        Go on
      </Button>
    </form>
  )
}
