import { readEnv } from '../../server/config/config.ts'
import { readSimulatorConfig } from '../../simulator/config.ts'

/**
 * An environment for servers that are started to be tried: whoever exported `DATABASE_URL` or `SMTP_URL` for a server of
 * theirs has not asked for that database to be opened here, or for mails to leave.
 * @returns it without all that a server and its simulator read
 */
export function withoutServerVariables(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const names = new Set<string>()
  const nothing = new Proxy<Record<string, undefined>>(
    {},
    {
      get(_, name) {
        names.add(String(name))
        return undefined
      },
    },
  )
  readEnv(nothing)
  readSimulatorConfig(nothing)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)))
}
